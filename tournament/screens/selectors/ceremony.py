"""A ceremony as it stands: what everybody has been told, and what only its organiser knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from tournament.base.access import Audience
from tournament.base.engine.table_points import two_decimals
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.groups import Kind, group_rows
from tournament.ranking.selectors.ranking import Ranking, ranking
from tournament.screens.engine.reveal import steps, told
from tournament.screens.models.ceremonies import Ceremony


@dataclass(frozen=True)
class Line:
    """Somebody to be called: a player, a team or a nation."""

    rank: int
    name: str
    """A nation's is its code."""
    country: str
    """A player's; empty for teams and nations."""
    about: str
    """A player's team; the players whose results are in a team's or a nation's."""
    table_points: str
    """With two decimals."""
    game_points: int

    @property
    def share(self) -> Fraction:
        """The table points as a figure."""
        return Fraction(self.table_points)


Place = tuple[Line, ...]
"""Who shares a place, usually one."""


@dataclass(frozen=True)
class Podium:
    """What everybody has been told, and nothing else."""

    kind: str
    first: int | None
    """So many places are told; None: all."""
    places: tuple[Place, ...]
    """The newest first."""
    is_complete: bool
    """Whether the winner has been told."""

    @property
    def newest(self) -> Place | None:
        return self.places[0] if self.places else None

    @property
    def earlier(self) -> tuple[Place, ...]:
        return self.places[1:]

    @property
    def rank(self) -> int:
        """The newest place; 0 before the first."""
        return self.places[0][0].rank if self.places else 0


@dataclass(frozen=True)
class Script:
    """What the organiser has in hand."""

    ceremony: Ceremony
    stage: Podium
    next: Place | None
    left: int
    """Steps still to be told."""
    is_out_of_date: bool
    """Whether the standings are others by now."""


def current_ceremony(tournament: Tournament) -> Ceremony | None:
    """The one that is on."""
    return tournament.ceremonies.filter(ended_at=None).first()


def newest_ceremony(tournament: Tournament) -> Ceremony | None:
    """The one that is on, or that was on last."""
    return tournament.ceremonies.first()


def told_before(tournament: Tournament) -> list[Podium]:
    """What ceremonies that are over have told, the newest of each kind."""
    over = tournament.ceremonies.exclude(ended_at=None).filter(told__gt=0)
    newest = {one.kind: one for one in over.reverse()}
    return [podium_of(one) for one in sorted(newest.values(), key=lambda one: one.started_at, reverse=True)]


def podium_of(ceremony: Ceremony) -> Podium:
    """For everybody."""
    all_steps = steps(_lines(ceremony))
    is_complete = ceremony.told >= len(all_steps)
    return Podium(ceremony.kind, ceremony.first, told(all_steps, ceremony.told), is_complete)


def script_of(ceremony: Ceremony) -> Script:
    """For its organiser alone."""
    all_steps = steps(_lines(ceremony))
    ahead = all_steps[ceremony.told :]
    now = to_be_told(ceremony.tournament, Ceremony.Kind(ceremony.kind), ceremony.first)
    return Script(
        ceremony=ceremony,
        stage=podium_of(ceremony),
        next=ahead[0] if ahead else None,
        left=len(ahead),
        is_out_of_date=ceremony.lines != now,
    )


def to_be_told(tournament: Tournament, kind: Ceremony.Kind, first: int | None) -> list[dict[str, Any]]:
    """The lines of the best `first` places as the standings are now, hidden sessions included; the best first."""
    now = ranking(tournament, Audience.STAFF)
    lines = _players(now) if kind == Ceremony.Kind.PLAYERS else _groups(now, GROUPS[kind])
    return [asdict(line) for place in reversed(steps(lines, first)) for line in place]


GROUPS: dict[Ceremony.Kind, Kind] = {Ceremony.Kind.TEAMS: "teams", Ceremony.Kind.NATIONS: "nations"}


def kinds_of(tournament: Tournament) -> list[Ceremony.Kind]:
    """What there is to tell: teams and nations only where there are some."""
    now = ranking(tournament, Audience.STAFF)
    has = {Ceremony.Kind.TEAMS: now.has_teams, Ceremony.Kind.NATIONS: now.has_nations}
    return [kind for kind in Ceremony.Kind if has.get(kind, bool(now.sessions))] if now.sessions else []


def _players(now: Ranking) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.player.name,
            country=row.player.country,
            about=row.player.team,
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
        )
        for row in now.rows
        if row.standing.rank is not None
    ]


def _groups(now: Ranking, kind: Kind) -> list[Line]:
    return [
        Line(
            rank=row.standing.rank,
            name=row.standing.name,
            country="",
            about=" · ".join(member.player.name for member in row.members if member.counts),
            table_points=two_decimals(row.standing.table_points),
            game_points=int(row.standing.game_points),
        )
        for row in group_rows(now, kind)
    ]


def _lines(ceremony: Ceremony) -> Sequence[Line]:
    return [Line(**line) for line in ceremony.lines]
