"""EMA numbers: eight digits, the first two of which stand for the federation that issued it."""

from collections.abc import Mapping
from typing import Final

EMA_DIGITS: Final = 8
FEDERATIONS: Final[Mapping[str, str]] = {
    "01": "AUT",
    "02": "BEL",
    "03": "DNK",
    "04": "FRA",
    "05": "DEU",
    "06": "HUN",
    "07": "ITA",
    "08": "NLD",
    "09": "SWE",
    "10": "ESP",
    "11": "GBR",
    "12": "PRT",
    "14": "FIN",
    "15": "RUS",
    "16": "CHE",
    "17": "SVK",
    "19": "POL",
}
"""The first two digits → the country (mahjong-europe.org)."""
NEW_MEMBERS: Final = frozenset({"CZE", "IRL", "LVA", "NOR", "ROU", "UKR"})
"""Countries whose federations joined after that list was made; it is not known how their numbers begin."""
MEMBER_COUNTRIES: Final = NEW_MEMBERS | frozenset(FEDERATIONS.values())
GUEST_PREFIX: Final = "24"
"""The first digits of guests' numbers, which no federation issues."""


def is_number(text: str) -> bool:
    """
    >>> is_number("04000123"), is_number("4000123"), is_number("0400012x"), is_number("٠٤٠٠٠١٢٣")
    (True, False, False, False)
    """
    return len(text) == EMA_DIGITS and text.isascii() and text.isdigit()


def is_guest(ema_number: str) -> bool:
    """
    >>> is_guest("24000123"), is_guest("04000123"), is_guest("24")
    (True, False, False)
    """
    return is_number(ema_number) and ema_number.startswith(GUEST_PREFIX)


def has_unknown_prefix(ema_number: str) -> bool:
    """Return whether a number begins with digits of no federation that is known; guests' numbers do not.

    Federations join, so this is never an error.

    >>> has_unknown_prefix("21000123"), has_unknown_prefix("04000123"), has_unknown_prefix("24000123")
    (True, False, False)
    """
    return is_number(ema_number) and ema_number[:2] not in {*FEDERATIONS, GUEST_PREFIX}


def other_country(ema_number: str, country: str) -> str:
    """Return the country of the issuing federation if it is not the player's, else "".

    >>> other_country("04000123", "FRA"), other_country("04000123", "DEU"), other_country("99000123", "DEU")
    ('', 'FRA', '')
    """
    if len(ema_number) != EMA_DIGITS or not country:
        return ""
    federation = FEDERATIONS.get(ema_number[:2], "")
    return federation if federation != country else ""
