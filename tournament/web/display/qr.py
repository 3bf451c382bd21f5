"""QR codes, as pictures inside the page."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import segno
from django.utils.safestring import SafeString, mark_safe

QUIET_ZONE: Final = 4
"""Modules of white around a code, without which cameras don't find it (ISO/IEC 18004)."""


def qr_of(address: str, border: int = QUIET_ZONE) -> SafeString:
    """The code of an address."""
    return qr_svg(segno.make(address, micro=False), border)


def qr_svg(code: segno.QRCode, border: int = QUIET_ZONE) -> SafeString:
    """The code as an inline picture of black squares, whatever the theme: cameras want dark on light.

    It is safe: segno puts no text in it.
    """
    drawn = code.svg_inline(
        border=border, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(drawn)


public_qr = lru_cache(maxsize=1024)(qr_of)
"""The same, remembered: for addresses that are no secret."""
