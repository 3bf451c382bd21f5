"""Text as it is typed in a hurry: in any case, without what is above and below the letters."""

from __future__ import annotations

import unicodedata
from typing import Final

_PLAIN: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
"""Letters that Unicode does not take apart into a plain one and an accent."""


def folded(text: str) -> str:
    """
    >>> folded("Håkan ØSTERGAARD"), folded("Đặng"), folded("静")
    ('hakan ostergaard', 'dang', '静')
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char)).translate(_PLAIN)
