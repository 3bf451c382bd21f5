"""How numbers, addresses, tokens and texts of strangers are written."""

import unicodedata
import zlib
from collections.abc import Iterable
from typing import Final

MAX_DIGITS: Final = 9


def number_in(text: str) -> int | None:
    """Return the number that somebody wrote or a browser sent; None for any other text.

    >>> [number_in(text) for text in ("7", "", "x", "-1", "²", "9" * 5000)]
    [7, None, None, None, None, None]
    """
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Return the numbers among these texts."""
    return [number for text in texts if (number := number_in(text)) is not None]


def one_line(text: str) -> str:
    """Return a text in one line, without unprintable characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


_BLANK = ("Cc", "Zs", "Zl", "Zp")
_INVISIBLE = dict.fromkeys([0xFEFF, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
"""Byte-order marks, and marks that change the direction of the text after them."""


def tidy(text: str) -> str:
    """Normalise white space and accents, and remove control characters."""
    composed = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    visible = (" " if unicodedata.category(char) in _BLANK else char for char in composed)
    return " ".join("".join(visible).split())


GMAIL: Final = ("gmail.com", "googlemail.com")
LOCAL_DOMAINS: Final = ("localhost", "localdomain", "local", "internal", "arpa", "test", "onion", "alt")
"""Top-level domains of this machine or its network, or of nothing (RFC 6761, 6762, 8375, 9476; ICANN)."""


def mailbox_of(email: str) -> str:
    """Return the mailbox behind an e-mail address, for counting its letters; not an address to write to.

    Lower case, without a tag after +, and for Gmail without dots.

    >>> mailbox_of("Anna.Nowak+hule@Gmail.com"), mailbox_of("Anna.Nowak+hule@example.org")
    ('annanowak@gmail.com', 'anna.nowak@example.org')
    """
    name, _at, domain = email.strip().casefold().rpartition("@")
    name = name.partition("+")[0] or name
    return f"{name.replace('.', '')}@{GMAIL[0]}" if domain in GMAIL else f"{name}@{domain}"


def is_on_the_internet(email: str) -> bool:
    """Return whether the domain of an e-mail address is a public name: no number, no local domain.

    >>> [is_on_the_internet(f"a@{domain}") for domain in ("example.org", "localhost", "[127.0.0.1]", "10.0.0.25")]
    [True, False, False, False]
    """
    domain = email.rpartition("@")[2].casefold()
    top = domain.rpartition(".")[2]
    return "." in domain and not domain.startswith("[") and not top.isdigit() and top not in LOCAL_DOMAINS


PREFIX: Final = "hule_"
LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
RANDOM: Final = 40
"""Letters: 238 bits."""
CHECK: Final = 6
PATTERN: Final = rf"\b{PREFIX}[0-9A-Za-z]{{{RANDOM + CHECK}}}\b"
"""For secret scanners; docs/administrators/accounts.md publishes it."""


def token_text(letters: str) -> str:
    """Return the token of these random letters: `hule_`, 40 letters and a checksum of six, as GitHub's tokens.

    Secret scanners find it by its shape, and a mistyped one is rejected without a query.
    """
    return f"{PREFIX}{letters}{_check(letters)}"


def is_mistyped(token: str) -> bool:
    """Return whether a token has our prefix and a wrong checksum. Older tokens have no prefix."""
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
