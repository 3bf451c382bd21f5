"""What a draw achieves, measured on the seats themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypedDict

from tournament.base.engine.rotation import WINDS
from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.seating.engine.quality import Quality, measure
from tournament.seating.engine.shapes import as_table
from tournament.seating.selectors.finals import last_for_everybody


@dataclass(frozen=True)
class Certificate:
    """What a draw achieves, measured on the seats themselves; whether anybody seated has a team, a club."""

    quality: Quality
    has_teams: bool
    has_clubs: bool


def certificate(tournament: Tournament) -> Certificate | None:
    """None before the draw. The sessions of finals are no part of it: there the same players meet by design."""
    last = last_for_everybody(tournament)
    seats = Seat.objects.filter(table__session__tournament=tournament).order_by()
    if last is not None:
        seats = seats.filter(table__session__number__lte=last)
    rows = seats.values_list("table__session__number", "table__number", "wind", "player__number")
    people = tournament.players.values_list("number", "team", "club", "country")
    return _measured(frozenset(rows), frozenset(people)) if rows else None


Sitting = tuple[int, int, str, int]
"""Session, table, wind, player's number."""
Belonging = tuple[int, str, str, str]
"""Player's number, team, club, country."""


@lru_cache(maxsize=32)
def _measured(seats: frozenset[Sitting], people: frozenset[Belonging]) -> Certificate:
    """The same seats are asked about after every hand."""
    tables: defaultdict[int, defaultdict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for session, table, wind, player in seats:
        tables[session][table].append((WINDS.index(wind), player))
    drawn = tuple(
        tuple(as_table([player for _, player in sorted(at[number])]) for number in sorted(at))
        for _, at in sorted(tables.items())
    )
    seated = {player for _, _, _, player in seats}
    groups = _grouped(sorted(one for one in people if one[0] in seated))
    return Certificate(measure(drawn, **groups), bool(groups["teams"]), bool(groups["clubs"]))


class Groups(TypedDict):
    """Player → name, without the players that have none."""

    teams: dict[int, str]
    clubs: dict[int, str]
    countries: dict[int, str]


def groups_of(people: Iterable[Player]) -> Groups:
    """Who belongs together, as a draw's certificate counts it."""
    return _grouped([(one.number, one.team, one.club, one.country) for one in people])


def _grouped(people: Collection[Belonging]) -> Groups:
    return Groups(
        teams={number: team for number, team, _, _ in people if team},
        clubs={number: club for number, _, club, _ in people if club},
        countries={number: country for number, _, _, country in people if country},
    )
