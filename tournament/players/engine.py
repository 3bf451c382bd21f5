"""EMA numbers: eight digits, of which the first two name the federation that gave it."""

from collections.abc import Mapping
from typing import Final

DIGITS: Final = 8
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
GUEST: Final = "24"
"""How the number of a guest begins, which no federation gave."""


def is_number(text: str) -> bool:
    """
    >>> is_number("04000123"), is_number("4000123"), is_number("0400012x"), is_number("٠٤٠٠٠١٢٣")
    (True, False, False, False)
    """
    return len(text) == DIGITS and text.isascii() and text.isdigit()


def is_guest(ema_number: str) -> bool:
    """
    >>> is_guest("24000123"), is_guest("04000123"), is_guest("24")
    (True, False, False)
    """
    return is_number(ema_number) and ema_number.startswith(GUEST)


def other_country(ema_number: str, country: str) -> str:
    """The country of the federation that gave the number, where it is not the player's; people move. "" if all is well.

    >>> other_country("04000123", "FRA"), other_country("04000123", "DEU"), other_country("99000123", "DEU")
    ('', 'FRA', '')
    """
    if len(ema_number) != DIGITS or not country:
        return ""
    federation = FEDERATIONS.get(ema_number[:2], "")
    return federation if federation != country else ""
