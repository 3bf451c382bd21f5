"""The umpire's card: fouls, lateness, claims and payments on one side of paper or as a booklet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.engine import Foul, FoulBook, Origin, PaidTo, Sanction
from penalties.engine.rules import Cases, Choice, Fixed, Ladder, Late
from penalties.engine.sanctions import NO_SANCTION, SANCTION_FLAGS
from penalties.texts import flag_text, foul_book_name, foul_name, points_text, sanction_text
from penalties.views import Cost, choice_costs, foul_costs, repeat_text
from scoring.book.data import Block, Passage, blocks, plain
from scoring.book.rules import chapters
from scoring.engine import Rulebook, payments
from scoring.texts import joined, joined_clauses, joined_parts, rulebook_name, translated
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.drafts import Draft, Progress, lay_out_template, render_html
from tournament.web.texts.words import days_text, time_text

# --- Contents ---


CLAIM_SECTIONS: Final = (
    ("play", "time"),
    ("play", "priority"),
    ("winning", "declaring"),
    ("fouls", "at_once"),
)
"""The sections of the rules (chapter, section) that are printed on the card."""

PAYMENT_EXAMPLES: Final = (12, 24, 88)
"""Points of hands whose payments are shown, beside the minimum to win."""

BOOKLET: Final = DocumentJob.Paper.A6


@dataclass(frozen=True)
class UmpiresCard:
    tournament: Tournament
    paper: str
    made_at: datetime

    @property
    def subtitle(self) -> str:
        return joined_parts(
            (self.tournament.name, days_text(self.tournament.starts_on, self.tournament.ends_on))
        )

    @property
    def rulebook(self) -> str:
        names = [foul_book_name(self.tournament.rules.fouls)]
        if self.tournament.foul_book:
            names.insert(0, rulebook_name(self.tournament.rules.scoring))
        return _("Rulebook {name}").format(name=joined(names))

    @property
    def timestamp(self) -> str:
        return time_text(self.made_at)

    @property
    def steps(self) -> list[Step]:
        passages = {
            (chapter.key, section.key): section.passage
            for chapter in chapters()
            for section in chapter.sections
        }
        return [Step(passages[key]) for key in CLAIM_SECTIONS]

    @property
    def payments(self) -> list[dict[str, int | tuple[int, ...]]]:
        book = self.tournament.rules.scoring
        return [_payment(points, book) for points in sorted({book.minimum, *PAYMENT_EXAMPLES})]

    @property
    def false_hu(self) -> list[FalseHu]:
        return false_hu(self.tournament.rules.fouls)

    @property
    def lateness(self) -> list[tuple[str, list[Cost], int]]:
        return lateness(self.tournament.rules.fouls)

    @property
    def fouls(self) -> list[CardFoul]:
        return card_fouls(self.tournament.rules.fouls)


@dataclass(frozen=True)
class Step:
    """A section of the rules, without the links and marks in its text."""

    passage: Passage

    @property
    def heading(self) -> str:
        return translated(self.passage.heading)

    @property
    def blocks(self) -> Iterator[Block]:
        for block in blocks(translated(self.passage.text).strip()):
            yield Block(block.kind, tuple(map(plain, block.lines)))


def _payment(points: int, book: Rulebook) -> dict[str, int | tuple[int, ...]]:
    """Return the payments for a hand.

    `drawn`: the winner's and each other's; `thrown`: the winner's, the discarder's and each other's.
    """
    return {
        "points": points,
        "drawn": payments(points, 0, None, book)[:2],
        "thrown": payments(points, 0, 1, book)[:3],
    }


# --- Layout ---


TEMPLATE: Final = "documents/card.html"
PAGES: Final = {
    DocumentJob.Paper.A4: "size: 210mm 297mm; margin: 9mm 9mm 13mm",
    DocumentJob.Paper.LETTER: "size: 215.9mm 279.4mm; margin: 9mm 9mm 13mm",
    DocumentJob.Paper.A6: "size: 105mm 148mm; margin: 8mm 8mm 13mm",
}
"""Paper → CSS of its page. Printers cannot print the outer 4 to 6 mm."""
PAGES_PER_SHEET: Final = 4
"""Of a booklet."""


@dataclass(frozen=True)
class Density:
    """How densely a card is printed. `size`: of the type, in points."""

    size: float
    columns: int
    has_descriptions: bool = True
    has_sources: bool = True

    @property
    def css(self) -> str:
        return f"body {{ font-size: {self.size}pt; }} .card-text {{ columns: {self.columns}; }}"


ONE_SIDE_DENSITIES: Final = (
    Density(9, 2),
    Density(8.5, 2),
    Density(8, 2),
    Density(7.5, 2),
    Density(7, 2),
    Density(6.5, 2),
    Density(6.5, 3, has_sources=False),
    Density(6.5, 3, has_descriptions=False, has_sources=False),
    Density(5.5, 3, has_descriptions=False, has_sources=False),
    Density(4.5, 3, has_descriptions=False, has_sources=False),
)
"""The first one that fits is used. The last one holds as many house fouls as a foul book may have."""
BOOKLET_DENSITY: Final = Density(7.5, 1)


def draft_umpires_card(job: DocumentJob) -> Draft:
    """Draft the card from the tournament's current foul book: on one side, as large as it fits, or as a booklet."""
    job.tournament.refresh_from_db()
    card = UmpiresCard(job.tournament, job.paper, timezone.now())
    text = render_html(TEMPLATE, _context(card, BOOKLET_DENSITY, range(0)))
    lay_out = _lay_out_booklet if card.paper == BOOKLET else _lay_out_one_side
    return Draft(text, card.timestamp, partial(lay_out, card))


def _lay_out_one_side(card: UmpiresCard, progress: Progress) -> Any:
    for density in ONE_SIDE_DENSITIES:
        document = _lay_out(card, progress, density)
        if len(document.pages) == 1:
            break
    return document


def _lay_out_booklet(card: UmpiresCard, progress: Progress) -> Any:
    """Lay out the booklet, filling its last sheet with pages for notes."""
    document = _lay_out(card, progress, BOOKLET_DENSITY)
    left = -len(document.pages) % PAGES_PER_SHEET
    return _lay_out(card, progress, BOOKLET_DENSITY, range(left)) if left else document


def _lay_out(card: UmpiresCard, progress: Progress, density: Density, notes: range = range(0)) -> Any:
    return lay_out_template(TEMPLATE, _context(card, density, notes), progress)


def _context(card: UmpiresCard, density: Density, notes: range) -> dict[str, object]:
    css = f"@page {{ {PAGES[DocumentJob.Paper(card.paper)]}; }} {density.css}"
    return {"card": card, "density": density, "css": css, "notes": notes}


# --- Fouls ---


T = TypeVar("T")

FALSE_HU: Final = "false_hu"
MAX_STEPS: Final = 8
"""Steps of a ladder; a longer one is abbreviated."""
MAX_AMOUNTS_LENGTH: Final = 60


@dataclass(frozen=True)
class CardFoul:
    """A foul on the card. `mark`: says that it was changed or added here; empty for a foul of the rulebook."""

    name: str
    mark: str
    costs: str
    description: str
    counted: str
    source: str


@dataclass(frozen=True)
class FalseHu:
    """What a false hu costs. `case`: empty for the only one; `offender`, `others`: the change of their points."""

    case: str
    offender: int
    others: int


def card_fouls(book: FoulBook) -> list[CardFoul]:
    """Return every foul but lateness, which has a table of its own (`lateness`)."""
    return [_card_foul(foul) for foul in book.fouls if not isinstance(foul.rule, Late)]


def _card_foul(foul: Foul) -> CardFoul:
    marks = {Origin.CHANGED: _("changed here"), Origin.HOUSE: _("house foul")}
    return CardFoul(
        name=foul_name(foul),
        mark=marks.get(foul.origin, ""),
        costs=_costs_of(foul),
        description=translated(foul.description),
        counted=repeat_text(foul.repeats),
        source="" if foul.origin is Origin.HOUSE else translated(foul.source),
    )


def lateness(book: FoulBook) -> list[tuple[str, list[Cost], int]]:
    """Return (foul, [{"when", "what"}], minutes after which the others start) for each foul counted by the minute."""
    late = ((foul, foul.rule) for foul in book.fouls if isinstance(foul.rule, Late))
    ellipsis: Cost = {"when": "…", "what": ""}
    return [
        (
            foul_name(foul),
            [cost or ellipsis for cost in _abbreviate(foul_costs(foul))],
            rule.others_start_after,
        )
        for foul, rule in late
    ]


def false_hu(book: FoulBook) -> list[FalseHu]:
    """Return the cost of a false hu, case by case; nothing if the book takes no points for it."""
    foul = book.find(FALSE_HU)
    match foul.rule if foul else None:
        case Fixed(sanction=sanction):
            rows = [_false_hu_payment("", sanction)]
        case Cases(cases=cases):
            rows = [_false_hu_payment(translated(case.names), case.sanction) for case in cases]
        case _:
            rows = []
    return [row for row in rows if row is not None]


def _false_hu_payment(case: str, sanction: Sanction) -> FalseHu | None:
    points = sanction.points
    if points is None:
        return None
    return FalseHu(case, -points.total, points.amount if points.paid_to is PaidTo.EACH_OPPONENT else 0)


def _costs_of(foul: Foul) -> str:
    match foul.rule:
        case Ladder() as ladder:
            return _ladder_text(ladder)
        case Choice() as choice:
            return joined_clauses(_cost_text(cost) for cost in choice_costs(choice, _shorten))
        case _:
            return joined_clauses(_cost_text(cost) for cost in foul_costs(foul))


def _shorten(amounts: str) -> str:
    return (
        amounts
        if len(amounts) <= MAX_AMOUNTS_LENGTH
        else f"{amounts[:MAX_AMOUNTS_LENGTH].rpartition(' ')[0]} …"
    )


def _cost_text(cost: Cost) -> str:
    return _(": ").join(part for part in (cost["when"], cost["what"]) if part)


def _ladder_text(ladder: Ladder) -> str:
    """Return "warning → 5 → 10 points", followed once by what every step includes."""
    steps = " → ".join(map(_step_text, _abbreviate(ladder.steps)))
    always = [flag_text(flag) for flag in _flags_of_every(ladder.steps)]
    seen = ladder.if_seen
    if seen != NO_SANCTION:
        as_well = _("plus {sanction}").format(sanction=sanction_text(seen))
        always.append(_(": ").join((_("the tile was seen"), as_well)))
    return joined_clauses(chain([steps], always))


def _abbreviate(steps: Sequence[T]) -> list[T | None]:
    """Return the steps; of more than `MAX_STEPS` the first ones, None and the last."""
    if len(steps) <= MAX_STEPS:
        return list(steps)
    return [*steps[: MAX_STEPS - 2], None, steps[-1]]


def _step_text(step: Sanction | None) -> str:
    if step is None:
        return "…"
    if step.points is None:
        return flag_text("warning") if step.warning else sanction_text(step)
    return str(step.points.amount) if step.points.paid_to is PaidTo.NOBODY else points_text(step.points)


def _flags_of_every(steps: Sequence[Sanction]) -> list[str]:
    flags = (flag for flag in SANCTION_FLAGS if flag != "warning")
    return [flag for flag in flags if all(getattr(step, flag) for step in steps)]
