"""The umpire's card as a PDF: one side that is set as wide as there is room for, or a booklet of whole sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tournament.documents.card import UmpiresCard
from tournament.documents.progress import Progress
from tournament.documents.render import lay_out, write
from tournament.models import DocumentJob

PAGES: Final = {
    DocumentJob.Paper.A4: "size: 210mm 297mm; margin: 9mm 9mm 13mm",
    DocumentJob.Paper.LETTER: "size: 215.9mm 279.4mm; margin: 9mm 9mm 13mm",
    DocumentJob.Paper.A6: "size: 105mm 148mm; margin: 8mm 8mm 13mm",
}
"""Paper → its page. Printers leave 4 to 6 mm white."""
FOLDED: Final = 4
"""Pages of a booklet on one sheet of paper."""


@dataclass(frozen=True)
class Density:
    """How close a card is set. `size`: of its type, in points; `told`, `sourced`: whether it says of each foul what it
    is, and where that is written."""

    size: float
    columns: int
    told: bool = True
    sourced: bool = True

    @property
    def css(self) -> str:
        return f"body {{ font-size: {self.size}pt; }} .card-text {{ columns: {self.columns}; }}"


ONE_SIDE: Final = (
    Density(9, 2),
    Density(8.5, 2),
    Density(8, 2),
    Density(7.5, 2),
    Density(7, 2),
    Density(6.5, 2),
    Density(6.5, 3, sourced=False),
    Density(6.5, 3, told=False, sourced=False),
    Density(5.5, 3, told=False, sourced=False),
    Density(4.5, 3, told=False, sourced=False),
)
"""The first of these that fits is taken. The last one holds as many house fouls as a foul book may have."""
POCKET: Final = Density(7.5, 1)


def card_pdf(card: UmpiresCard, progress: Progress) -> bytes:
    """The finished file."""
    return write(_booklet(card, progress) if card.is_booklet else _one_side(card, progress), progress)


def _one_side(card: UmpiresCard, progress: Progress) -> Any:
    for density in ONE_SIDE:
        found = _laid_out(card, progress, density)
        if len(found.pages) == 1:
            break
    return found


def _booklet(card: UmpiresCard, progress: Progress) -> Any:
    """What is left of the last sheet is for notes."""
    found = _laid_out(card, progress, POCKET)
    left = -len(found.pages) % FOLDED
    return _laid_out(card, progress, POCKET, range(left)) if left else found


def _laid_out(card: UmpiresCard, progress: Progress, density: Density, notes: range = range(0)) -> Any:
    css = f"@page {{ {PAGES[DocumentJob.Paper(card.paper)]}; }} {density.css}"
    context = {"card": card, "density": density, "css": css, "notes": notes}
    return lay_out("documents/card.html", context, progress)
