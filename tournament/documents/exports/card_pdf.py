"""The umpire's card as a PDF: one side that is set as wide as there is room for, or a booklet of whole sheets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.card import UmpiresCard
from tournament.documents.exports.drafts import Draft
from tournament.documents.exports.progress import Progress
from tournament.documents.exports.render import lay_out, text_of

TEMPLATE: Final = "documents/card.html"
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


def card_draft(card: UmpiresCard) -> Draft:
    """How close it is set follows from what it says."""
    text = text_of(TEMPLATE, _context(card, POCKET, range(0)))
    return Draft(text, card.made, partial(_booklet if card.is_booklet else _one_side, card))


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
    return lay_out(TEMPLATE, _context(card, density, notes), progress)


def _context(card: UmpiresCard, density: Density, notes: range) -> dict[str, object]:
    css = f"@page {{ {PAGES[DocumentJob.Paper(card.paper)]}; }} {density.css}"
    return {"card": card, "density": density, "css": css, "notes": notes}
