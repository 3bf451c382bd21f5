"""What a player is to know next: where to sit in the session that begins or comes, or that they play no further.

Only what the public pages tell everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tournament.base.access import Audience
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors.embargo import publications_for
from tournament.events.selectors.timetable import Entry, timetable
from tournament.play.selectors.public import overview
from tournament.seating.models import Final


@dataclass(frozen=True)
class Seated:
    """The player's seat in the session being played, or in the next one."""

    seat: Seat
    entry: Entry | None
    """When the timetable has it begin."""

    @property
    def session(self) -> Session:
        return self.seat.table.session

    @property
    def begins(self) -> bool:
        return self.session.state == Session.State.RUNNING

    @property
    def others(self) -> list[Player]:
        """Those at the table, in the order of their starting winds."""
        return [
            other.player for other in self.seat.table.seats.all() if other.player_id != self.seat.player_id
        ]

    @property
    def word(self) -> str:
        """What is compared, to tell nobody the same twice. A session begins once, whoever's names are mended later."""
        number = self.session.number
        return f"now {number}" if self.begins else f"next {number} {self.seat.table.number} {self.seat.wind}"


@dataclass(frozen=True)
class Out:
    """The final is for others. `rank`: after its last session before, as published."""

    final: Final
    rank: int | None
    begins = False

    @property
    def word(self) -> str:
        return f"out {self.final.after_session}"


Situation: TypeAlias = Seated | Out


def situations(tournament: Tournament, players: Collection[Player]) -> Mapping[int, Situation]:
    """Player's pk → situation, for those that have one, in a fixed number of queries."""
    here = [player for player in players if not player.is_withdrawn]
    return {**_out(tournament, here), **_seated(tournament, here)}


def _seated(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
    now = overview(tournament)
    session = now.running or now.next
    if session is None:
        return {}
    seats = (
        Seat.objects.filter(table__session=session, player__in=players)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    )
    entry = timetable(tournament).of(session.number)
    return {seat.player_id: Seated(seat, entry) for seat in seats}


def _out(tournament: Tournament, players: Collection[Player]) -> dict[int, Situation]:
    """Those whom a final leaves out, once standings that the public may read say so."""
    finals = list(tournament.finals.all())
    told = {
        final.pk: publication
        for final in finals
        if (publication := _published(tournament, final.after_session)) is not None
    }
    found: dict[int, Situation] = {}
    for player in players:
        final = next((final for final in finals if player.number not in final.numbers), None)
        if final is not None and (publication := told.get(final.pk)) is not None:
            found[player.pk] = Out(final, _rank(publication, player))
    return found


def _published(tournament: Tournament, session: int) -> Publication | None:
    return publications_for(Audience.PUBLIC, tournament).filter(after_session=session).first()


def _rank(publication: Publication, player: Player) -> int | None:
    return next((row["rank"] for row in publication.rows if row["number"] == player.number), None)
