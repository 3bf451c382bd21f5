"""A badge for everybody who plays: the name as large as it fits, number, flag, club and a tile; eight a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.utils import timezone

from tournament.documents.drafts import Draft, draft
from tournament.documents.paper import page_css
from tournament.documents.room import largest, size_class, sizes_css
from tournament.models import DocumentJob, Player
from tournament.selectors.check_in import awaited
from tournament.words.countries import country_name
from tournament.words.days import time_text

NAME: Final = (78.0, 27.0)
"""The box of the name, in millimetres; css/paper-badges.css has the badge's."""
NAME_SIZE: Final = 30.0
LINE: Final = (60.0, 9.0)
LINE_SIZE: Final = 10.0
A_SHEET: Final = 8
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


def badges(job: DocumentJob) -> Draft:
    """By number; who has withdrawn needs none."""
    found = [Badge(player) for player in awaited(job.tournament).order_by("number")]
    made = time_text(timezone.now())
    pairs = [found[at : at + 2] for at in range(0, len(found), 2)]
    event_size = largest(job.tournament.name, 66.0, 8.0, 9.0)
    sizes = [event_size, *(size for badge in found for size in (badge.size, badge.line_size))]
    context = {
        "tournament": job.tournament,
        "pairs": pairs,
        "css": f"{page_css(job.paper)}\n{sizes_css(sizes)}",
        "event_size": size_class(event_size),
    }
    return draft("documents/badges.html", context, made, pages=-(-len(found) // A_SHEET) or 1)
