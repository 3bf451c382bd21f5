"""The paper a document is printed on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tournament.base.models.documents import DocumentJob

MARGIN: Final = 14.0
"""Left and right of what is printed, in millimetres; css/paper.css has the same."""
ABOVE: Final = 20.0
"""Above a table that goes on from the page before (css/paper-standings.css)."""
BELOW: Final = 18.0


@dataclass(frozen=True)
class Sheet:
    """A side of paper, in millimetres."""

    width: float
    height: float

    @property
    def room(self) -> float:
        """From margin to margin."""
        return self.width - 2 * MARGIN

    @property
    def turned(self) -> Sheet:
        return Sheet(self.height, self.width)


PAPERS: Final[Mapping[str, Sheet]] = {
    DocumentJob.Paper.A4: Sheet(210, 297),
    DocumentJob.Paper.LETTER: Sheet(215.9, 279.4),
}
"""Each upright."""


def opening_css(page: str) -> str:
    """The first page of this name says itself what it is: nothing runs above it (css/paper-standings.css)."""
    return f".{page} {{ page: {page} }} @page :nth(1 of {page}) {{ margin-top: 13mm; @top-left {{ content: none }} }}"


def page_css(paper: str) -> str:
    """The size of the page; its margins are those of css/paper.css."""
    sheet = PAPERS[paper]
    return f"@page {{ size: {sheet.width}mm {sheet.height}mm }}"
