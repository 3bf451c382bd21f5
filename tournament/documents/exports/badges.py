"""A badge for everybody who plays: the name as large as it fits, number, flag, club and a tile; eight a sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

from django.utils import timezone

from tournament.base.models.documents import DocumentJob
from tournament.base.models.people import Player
from tournament.documents.exports.drafts import Draft, draft
from tournament.documents.exports.paper import page_css
from tournament.documents.exports.room import largest, size_class, sizes_css
from tournament.players.selectors.check_in import awaited
from tournament.web.texts.countries import alpha_2, country_name
from tournament.web.texts.days import time_text

NAME: Final = (78.0, 26.0)
"""The box of the name, in millimetres; css/paper-badges.css has the badge's."""
NAME_SIZE: Final = 30.0
LINE: Final = (53.0, 8.0)
LINE_SIZE: Final = 9.5
WIDE: Final = 90
HIGH: Final = 60
A_SHEET: Final = 8
CUTS: Final = "".join(
    f"M{max(x - 4, 0)} {y}H{min(x + 4, 2 * WIDE)}M{x} {max(y - 4, 0)}V{min(y + 4, 4 * HIGH)}"
    for x, y in product(range(0, 2 * WIDE + 1, WIDE), range(0, 4 * HIGH + 1, HIGH))
)
"""A cross where badges meet, drawn once a sheet."""
TILES: Final = tuple(f"{number}{suit}" for suit in "mps" for number in range(1, 10))
"""One a player, in their turn: neighbours at the desk find their own."""


@dataclass(frozen=True)
class Badge:
    player: Player

    @cached_property
    def size(self) -> float:
        return largest(self.player.name, *NAME, NAME_SIZE)

    @property
    def size_class(self) -> str:
        return size_class(self.size)

    @property
    def line_class(self) -> str:
        return size_class(self.line_size)

    @property
    def tile(self) -> str:
        return TILES[(self.player.number - 1) % len(TILES)]

    @property
    def country(self) -> str:
        return country_name(self.player.country) if self.player.country else ""

    @property
    def line(self) -> str:
        """Where they come from beside their country: the club, or the team."""
        return self.player.club or self.player.team

    @cached_property
    def line_size(self) -> float:
        return largest(self.line, *LINE, LINE_SIZE)


@dataclass(frozen=True)
class Picture:
    """In millimetres from the corner of the sheet."""

    path: str
    x: int
    y: int
    width: str
    height: str


@dataclass(frozen=True)
class BadgeSheet:
    """As many as there are on a side of paper."""

    badges: tuple[Badge, ...]

    @property
    def pictures(self) -> Iterator[Picture]:
        """The tile in the upper corner of each badge, the flag in the lower one."""
        for at, badge in enumerate(self.badges):
            left, top = at % 2 * WIDE, at // 2 * HIGH
            yield Picture(f"tiles/{badge.tile}.svg", left + 76, top + 6, "8", "10.67")
            if flag := alpha_2(badge.player.country):
                yield Picture(f"vendor/flags/{flag}.svg", left + 78, top + 46, "6", "4.5")


def badges(job: DocumentJob) -> Draft:
    """By number; who has withdrawn needs none."""
    found = [Badge(player) for player in awaited(job.tournament).order_by("number")]
    made = time_text(timezone.now())
    sheets = [BadgeSheet(tuple(found[at : at + A_SHEET])) for at in range(0, len(found), A_SHEET)]
    event_size = largest(job.tournament.name, 66.0, 8.0, 9.0)
    sizes = [event_size, *(size for badge in found for size in (badge.size, badge.line_size))]
    context = {
        "tournament": job.tournament,
        "sheets": sheets,
        "cuts": CUTS,
        "css": f"{page_css(job.paper)}\n{sizes_css(sizes)}",
        "event_size": size_class(event_size),
    }
    return draft("documents/badges.html", context, made, pages=len(sheets) or 1)
