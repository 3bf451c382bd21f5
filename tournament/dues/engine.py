"""Account numbers (IBAN, ISO 13616) and creditor references (ISO 11649).

Both have two check digits: with the first four characters moved to the end, and letters read as numbers from A = 10 to
Z = 35, the remainder of a division by 97 is 1.
"""

import re
from typing import Final

IBAN_PATTERN: Final = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
BIC_PATTERN: Final = re.compile(r"[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?")
IBAN_LENGTHS: Final = {
    "AD": 24, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24,
    "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GI": 23, "GL": 18, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26,
    "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25,
    "RO": 24, "RS": 22, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TR": 26, "UA": 29,
}  # fmt: skip
"""European country → the length of its IBANs (SWIFT's IBAN registry). Others are not checked."""
MAX_REFERENCE_LENGTH: Final = 21
"""Characters after "RF" and the check digits."""


def grouped(text: str) -> str:
    """Insert a space after every fourth character."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def is_iban(text: str) -> bool:
    return (
        bool(IBAN_PATTERN.fullmatch(text))
        and len(text) == IBAN_LENGTHS.get(text[:2], len(text))
        and remainder(text) == 1
    )


def is_bic(text: str) -> bool:
    return bool(BIC_PATTERN.fullmatch(text))


def creditor_reference(own: str) -> str:
    """Return "RF", the check digits and `own`: 1 to 21 capitals and digits. Raises ValueError."""
    if not re.fullmatch(rf"[A-Z0-9]{{1,{MAX_REFERENCE_LENGTH}}}", own):
        raise ValueError(f"not the creditor's part of a reference: {own!r}")
    return f"RF{98 - remainder(f'RF00{own}'):02}{own}"


def remainder(text: str) -> int:
    """Return the remainder by 97, with the first four characters moved to the end and letters as two digits."""
    return int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % 97
