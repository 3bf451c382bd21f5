"""The flags of a tournament's players on one sheet: a list asks for one file, and for no flag that nobody has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.urls import reverse

from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.web.texts.countries import alpha_2

WIDTH, HEIGHT = 640, 480
SHEET: Final = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{flags}</svg>'
FLAG: Final = (
    '<view id="{code}" viewBox="0 {top} {width} {height}"/><svg y="{top}" width="{width}" height="{height}" '
)


@dataclass(frozen=True)
class FlagSheet:
    """`codes`: the countries on it, as flag files are named, in order; `address`: changes with what is drawn."""

    codes: tuple[str, ...]
    address: str


@by_version(64)
def flag_sheet(tournament: Tournament) -> FlagSheet:
    """The sheet of everybody entered."""
    countries = tournament.players.values_list("country", flat=True).distinct().order_by()
    codes = tuple(sorted({alpha_2(country) for country in countries} - {""}))
    digest = hashlib.sha256(drawn(codes).encode()).hexdigest()[:12]
    return FlagSheet(codes, reverse("flag_sheet", args=[tournament.slug, digest]))


@lru_cache(maxsize=64)
def drawn(codes: tuple[str, ...]) -> str:
    """An SVG of these flags, one below the other; `#fr` shows that of France alone."""
    flags = "".join(_placed(code, top * HEIGHT) for top, code in enumerate(codes))
    return SHEET.format(width=WIDTH, height=max(1, len(codes)) * HEIGHT, flags=flags)


def _placed(code: str, top: int) -> str:
    path = finders.find(f"vendor/flags/{code}.svg")
    flag = Path(str(path)).read_text("utf-8")
    return flag.replace("<svg ", FLAG.format(code=code, top=top, width=WIDTH, height=HEIGHT), 1)
