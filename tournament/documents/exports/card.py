"""The umpire's card: fouls, lateness, claims and payments on one side of paper or in a booklet that fits a pocket."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from penalties.texts import foul_book_name
from penalties.views import Cost
from scoring.book.passages import Block, Passage, blocks, plain
from scoring.book.rules import chapters
from scoring.book.texts import said
from scoring.engine import Rulebook, payments
from scoring.texts import joined_parts
from tournament.base.engine.rules import Rules
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.card_fouls import CardFoul, FalseHu, card_fouls, false_hu, lateness
from tournament.web.texts.days import days_text, time_text

CLAIMS: Final = (("play", "time"), ("play", "priority"), ("winning", "declaring"), ("fouls", "at_once"))
"""The steps of the rules (chapter, section) that an umpire is asked for between two tiles."""
WORTH: Final = (12, 24, 88)
"""Hands whose payments are shown beside the cheapest."""
BOOKLET: Final = DocumentJob.Paper.A6


@dataclass(frozen=True)
class Step:
    """A step of the rules, laid out without the marks of its words."""

    passage: Passage

    @property
    def heading(self) -> str:
        return said(self.passage.heading)

    @property
    def blocks(self) -> Iterator[Block]:
        for block in blocks(said(self.passage.text).strip()):
            yield Block(block.kind, tuple(map(plain, block.lines)))


@dataclass(frozen=True)
class Payment:
    """What a hand moves: the winner's and each loser's by self-draw; winner's, discarder's and others' by discard."""

    points: int
    drawn: tuple[int, int]
    thrown: tuple[int, int, int]


@dataclass(frozen=True)
class UmpiresCard:
    """What stands on the card."""

    rules: Rules
    made_at: datetime
    paper: str
    tournament: Tournament | None = None
    """Whose foul book it is; None for the rulebook's."""

    @property
    def of(self) -> str:
        return joined_parts(filter(None, (self.tournament and self.tournament.name, self.days)))

    @property
    def days(self) -> str:
        return days_text(self.tournament.starts_on, self.tournament.ends_on) if self.tournament else ""

    @property
    def rulebook(self) -> str:
        return _("Rulebook {name}").format(name=foul_book_name(self.rules.fouls))

    @property
    def made(self) -> str:
        return time_text(self.made_at)

    @property
    def is_booklet(self) -> bool:
        return self.paper == BOOKLET

    @property
    def steps(self) -> list[Step]:
        found = {(chapter.key, one.key): one.passage for chapter in chapters() for one in chapter.sections}
        return [Step(found[key]) for key in CLAIMS]

    @property
    def payments(self) -> list[Payment]:
        book = self.rules.scoring
        return [_payment(points, book) for points in sorted({book.minimum, *WORTH})]

    @property
    def false_hu(self) -> list[FalseHu]:
        return false_hu(self.rules.fouls)

    @property
    def lateness(self) -> list[tuple[str, list[Cost], int]]:
        return lateness(self.rules.fouls)

    @property
    def fouls(self) -> list[CardFoul]:
        return card_fouls(self.rules.fouls)


def umpires_card(tournament: Tournament, paper: str) -> UmpiresCard:
    """The card by the tournament's own foul book as it is now, on paper of this name."""
    tournament.refresh_from_db()
    return UmpiresCard(tournament.rules, timezone.now(), paper, tournament)


def _payment(points: int, book: Rulebook) -> Payment:
    winner, other, *_rest = payments(points, 0, None, book)
    taken, discarder, bystander, _other = payments(points, 0, 1, book)
    return Payment(points, (winner, other), (taken, discarder, bystander))
