"""How a person's name and a program's token are written, and a stranger's text in one line."""

import unicodedata
import zlib
from typing import Final


def is_chinese(text: str) -> bool:
    """True when every character is a Han character: 张, 欧阳; false for '', 'Li' and 'ひろ'."""
    return bool(text) and all(unicodedata.name(char, "").startswith("CJK") for char in text)


def display_name(first_name: str, last_name: str) -> str:
    """Write a person's name as entered, in any script.

    The family name stands first, without a space, only when both names are Chinese.

    >>> display_name("伟", "张"), display_name("Mātīss", "陈"), display_name("", "Nowak")
    ('张伟', 'Mātīss 陈', 'Nowak')
    """
    if is_chinese(first_name) and is_chinese(last_name):
        return last_name + first_name
    return f"{first_name} {last_name}".strip()


def one_line(text: str) -> str:
    """Write a stranger's text in one line, without what cannot be printed."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


PREFIX: Final = "hule_"
LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM: Final = 40
"""Letters: 238 bits."""
CHECK: Final = 6
PATTERN: Final = rf"\b{PREFIX}[0-9A-Za-z]{{{RANDOM + CHECK}}}\b"
"""For scanners; docs/security.md names it."""


def token_text(letters: str) -> str:
    """Write the token of these letters, which come from outside: `hule_`, 40 letters, and six that check them.

    Whoever looks for secrets that were published by mistake finds one by its shape alone, and one that was mistyped is
    known without asking for it: the way GitHub writes its own.
    """
    return f"{PREFIX}{letters}{_check(letters)}"


def is_mistyped(token: str) -> bool:
    """Whether it begins as ours and cannot be one. Those of before had no prefix, and nothing to check."""
    if not token.startswith(PREFIX):
        return False
    letters = token.removeprefix(PREFIX)
    return len(letters) != RANDOM + CHECK or _check(letters[:-CHECK]) != letters[-CHECK:]


def _check(letters: str) -> str:
    number, check = zlib.crc32(letters.encode()), ""
    for _ in range(CHECK):
        number, digit = divmod(number, len(LETTERS))
        check = LETTERS[digit] + check
    return check
