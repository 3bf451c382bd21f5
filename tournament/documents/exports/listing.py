"""Documents that are tables: each part is fitted to its paper, and begins a page or follows the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.utils import timezone
from django.utils.safestring import SafeString

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.columns import Cell, Column, Kind, Layout, fit_as_is
from tournament.documents.exports.drafts import Draft, draft
from tournament.documents.exports.paper import PAPERS, opening_css, page_css
from tournament.web.texts.days import time_text

Row = tuple[str, list[tuple[Kind, Cell]]]


@dataclass(frozen=True)
class Part:
    """A heading with what stands below it: texts, fields to fill in, plots, a table, notes, places to sign."""

    heading: str
    layout: Layout | None = None
    row_classes: tuple[str, ...] = ()
    """A line of the table each; none for a table without."""
    about: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    plots: tuple[SafeString, ...] = ()
    notes: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    is_new_page: bool = True
    is_form: bool = False
    """Whether it is ruled, to be filled in by hand."""
    number: int = 0
    page: str = ""
    """The name of its pages: a part that begins none is laid out on those of the part before."""

    @property
    def classes(self) -> str:
        return f"standings listing part-{self.number}{' form' if self.is_form else ''}"

    @property
    def rows(self) -> list[Row]:
        assert self.layout is not None, "asked for by whom it is for"
        lines = self.layout.lines
        return list(zip(self.row_classes or ("",) * len(lines), lines, strict=True))


@dataclass(frozen=True)
class Listing:
    tournament: Tournament
    title: str
    parts: tuple[Part, ...]
    paper: str
    foot: str = ""
    made_at: datetime = field(default_factory=timezone.now)

    @property
    def made(self) -> str:
        return time_text(self.made_at)

    @property
    def css(self) -> str:
        rules = [page_css(self.paper)]
        for part in self.parts:
            if part.is_new_page:
                rules.append(opening_css(part.page))
            if part.layout:
                rules.append(part.layout.css_of(f".part-{part.number}", part.page))
        return "\n".join(rules)


def listing(
    job: DocumentJob,
    title: str,
    parts: Sequence[Part],
    *,
    foot: str = "",
    version: int | None = None,
    state: str = "",
) -> Draft:
    """The document of these parts, in their order."""
    numbered: list[Part] = []
    page = "part0"
    for number, part in enumerate(parts):
        page = f"part{number}" if part.is_new_page else page
        numbered.append(replace(part, number=number, page=page))
    one = Listing(job.tournament, title, tuple(numbered), job.paper, foot)
    pages = sum(part.layout.pages if part.layout else 1 for part in parts)
    context = {"listing": one}
    return draft("documents/listing.html", context, one.made, pages=pages, version=version, state=state)


def table(columns: Sequence[Column], job: DocumentJob, turns: bool = True) -> Layout:
    """A table on the job's paper. `turns`: not where it follows another part on its page."""
    return fit_as_is(columns, PAPERS[job.paper], turns)


def column(kind: Kind, heading: str, texts: Sequence[object]) -> Column:
    return Column(kind, (heading,), tuple(map(Cell.of, texts)))
