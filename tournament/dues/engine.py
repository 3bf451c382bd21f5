"""What banks check before they take a transfer: account numbers (ISO 13616) and creditors' references (ISO 11649).

Both carry two digits that make the whole divisible: read with the first four signs at the end, letters as numbers from
A = 10 to Z = 35, it leaves 1 when divided by 97.
"""

import re
from typing import Final

IBAN: Final = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
BIC: Final = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?")
LENGTHS: Final = {
    "AD": 24, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24,
    "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GI": 23, "GL": 18, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26,
    "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25,
    "RO": 24, "RS": 22, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}  # fmt: skip
"""How long the numbers of a country are, for those of Europe; of others any length will do (SWIFT's IBAN registry)."""
MOST_REFERENCE: Final = 21
"""Signs of a reference's own, after RF and its two digits."""


def grouped(text: str) -> str:
    """In fours, as it is printed and typed."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def is_iban(text: str) -> bool:
    return (
        bool(IBAN.fullmatch(text)) and len(text) == LENGTHS.get(text[:2], len(text)) and remainder(text) == 1
    )


def is_bic(text: str) -> bool:
    return bool(BIC.fullmatch(text))


def reference(own: str) -> str:
    """RF, the two digits and the creditor's own part: capitals and digits, at most 21."""
    if not re.fullmatch(rf"[A-Z0-9]{{1,{MOST_REFERENCE}}}", own):
        raise ValueError(f"not the creditor's part of a reference: {own!r}")
    return f"RF{98 - remainder(f'RF00{own}'):02}{own}"


def remainder(text: str) -> int:
    """By 97, of a number that is written so: the first four signs last, a letter as two digits."""
    return int("".join(str(int(sign, 36)) for sign in text[4:] + text[:4])) % 97
