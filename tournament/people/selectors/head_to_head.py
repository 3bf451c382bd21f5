"""Two people at one table: every table they shared, and what one won of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.base.models.hands import Hand
from tournament.base.models.people import Person
from tournament.base.models.play import Seat, Table
from tournament.people.selectors.persons import public_players, shown_seats


@dataclass(frozen=True)
class Together:
    """A table at which both sat, with the game points of each there."""

    table: Table
    one: Seat
    other: Seat

    @property
    def ahead(self) -> int:
        """1 where the one made more points there, −1 the other, 0 neither."""
        return (self.one.game_points > self.other.game_points) - (
            self.one.game_points < self.other.game_points
        )


@dataclass(frozen=True)
class HeadToHead:
    one: Person
    other: Person
    tables: tuple[Together, ...]
    """The newest first."""
    won_off: tuple[int, int]
    """Hands that each won by the other's discard."""

    @property
    def ahead(self) -> tuple[int, int]:
        """At how many tables each made more points."""
        return tuple(sum(each.ahead == who for each in self.tables) for who in (1, -1))  # type: ignore[return-value]

    @property
    def points(self) -> tuple[int, int]:
        return sum(each.one.game_points for each in self.tables), sum(
            each.other.game_points for each in self.tables
        )


def head_to_head(one: Person, other: Person) -> HeadToHead:
    """In three queries."""
    mine, theirs = _seats(one), _seats(other)
    shared = [Together(mine[table].table, mine[table], theirs[table]) for table in mine if table in theirs]
    shared.sort(key=lambda each: (each.table.session.tournament.starts_on, each.table.pk), reverse=True)
    return HeadToHead(one, other, tuple(shared), _won_off(shared))


def _seats(person: Person) -> Mapping[int, Seat]:
    """Table → their seat there."""
    found = shown_seats().filter(player__in=public_players().filter(person=person))
    found = found.select_related("table__session__tournament", "player")
    return {seat.table_id: seat for seat in found.defer("table__session__tournament__rules_snapshot")}


def _won_off(shared: Sequence[Together]) -> tuple[int, int]:
    mine = {each.one.player_id for each in shared}
    theirs = {each.other.player_id for each in shared}
    pairs = list(
        Hand.objects.filter(
            table__in=[each.table.pk for each in shared], is_current=True, winner__in=mine | theirs
        ).values_list("winner", "discarder")
    )
    return (
        sum(winner in mine and discarder in theirs for winner, discarder in pairs),
        sum(winner in theirs and discarder in mine for winner, discarder in pairs),
    )
