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


def initials(first_name: str, last_name: str) -> str:
    """Write a name so that those who know the person may guess it.

    >>> initials("Anna", "van Dijk"), initials("伟", "张")
    ('A. v. D.', '张〇')
    """
    if is_chinese(first_name) and is_chinese(last_name):
        return f"{last_name[0]}〇"
    return " ".join(f"{word[0]}." for word in f"{first_name} {last_name}".split())


def one_line(text: str) -> str:
    """Write a stranger's text in one line, without what cannot be printed."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


_BLANK = ("Cc", "Zs", "Zl", "Zp")
_UNSEEN = dict.fromkeys([0xFEFF, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Byte-order marks and the marks that turn the direction of what follows, names beside it included."""


def tidy(text: str) -> str:
    """Leave out what nobody means: spaces around a text, doubled or odd ones, control marks, loose accents."""
    composed = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    seen = (" " if unicodedata.category(char) in _BLANK else char for char in composed)
    return " ".join("".join(seen).split())


GMAIL: Final = ("gmail.com", "googlemail.com")
NEARBY: Final = ("localhost", "localdomain", "local", "internal", "arpa", "test", "onion", "alt")
"""Top-level domains that mean this machine, its network or nothing at all (RFC 6761, 6762, 8375, 9476; ICANN)."""


def mailbox_of(email: str) -> str:
    """Find the mailbox that an e-mail address leads to, so that its letters are counted together.

    Left out are case, a tag after +, and the dots that Gmail does not look at. No address to write to.

    >>> mailbox_of("Anna.Nowak+hule@Gmail.com"), mailbox_of("Anna.Nowak+hule@example.org")
    ('annanowak@gmail.com', 'anna.nowak@example.org')
    """
    name, _at, domain = email.strip().casefold().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '')}@{GMAIL[0]}" if domain in GMAIL else f"{name}@{domain}"


def is_on_the_internet(email: str) -> bool:
    """Whether the part after the @ is a name of the internet: no number, this machine's own, or one of its network.

    >>> [is_on_the_internet(f"a@{domain}") for domain in ("example.org", "localhost", "[127.0.0.1]", "10.0.0.25")]
    [True, False, False, False]
    """
    domain = email.rpartition("@")[2].casefold()
    top = domain.rpartition(".")[2]
    return "." in domain and not domain.startswith("[") and not top.isdigit() and top not in NEARBY


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
