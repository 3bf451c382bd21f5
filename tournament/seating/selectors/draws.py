"""Draws as pages show them: with names, beside another draw, and against what the seed gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import SeatingChart
from tournament.seating.engine import (
    Change,
    Draw,
    Inputs,
    Plan,
    Quality,
    SeatingError,
    certify,
    changes,
    fingerprint,
)
from tournament.seating.engine.compare import seats_taken_otherwise
from tournament.seating.engine.inputs import DrawWish
from tournament.seating.selectors.certificate import Certificate, groups_of
from tournament.seating.selectors.finals import players_in


@dataclass(frozen=True)
class Moved:
    """Somebody whose seat differs between two plans."""

    player: Player
    change: Change


@dataclass(frozen=True)
class Compared:
    """Who sits elsewhere, by session, and how many seats of how many are taken otherwise."""

    moved: tuple[Moved, ...]
    differing: int
    seats: int

    @property
    def players(self) -> int:
        return len({each.player.pk for each in self.moved})


@dataclass(frozen=True)
class Origin:
    """What the seats there are were drawn from, and where they have left it since."""

    inputs: Inputs
    fingerprint: str
    """Of the seats as they are."""
    since: Compared | None
    """The seats changed after the draw; None when the inputs give no draw at all any more."""

    @property
    def is_as_drawn(self) -> bool:
        return self.since is not None and not self.since.moved


def plan_of(drawn: SeatingChart) -> list[list[dict[str, int]]]:
    """The seats that are stored, as the engine knows them, up to the last session that has any."""
    plan = [
        [{seat.wind: seat.player.number for seat in seats} for _table, seats in one.tables]
        for one in drawn.sessions
    ]
    return plan[: max((number for number, tables in enumerate(plan, 1) if tables), default=0)]


def people_of(tournament: Tournament) -> dict[int, Player]:
    """The players by number."""
    return {player.number: player for player in tournament.players.all()}


def certificate_of(plan: Plan, people: Mapping[int, Player]) -> Certificate:
    """The certificate of seats, whether stored or only looked at."""
    seated = [people[number] for number in sorted({n for s in plan for table in s for n in table.values()})]
    groups = groups_of(seated)
    return Certificate(certify(plan, **groups), bool(groups["teams"]), bool(groups["clubs"]))


def named(plan: Plan, people: Mapping[int, Player]) -> list[list[list[tuple[str, Player]]]]:
    """Sessions → tables → (wind, player)."""
    return [
        [[(wind, people[number]) for wind, number in table.items()] for table in session] for session in plan
    ]


def compared(before: Plan, after: Plan, people: Mapping[int, Player]) -> Compared:
    found = changes(before, after)
    moved = tuple(Moved(people[change.player], change) for change in found if change.player in people)
    return Compared(moved, *seats_taken_otherwise(before, after))


def is_out_of_date(tournament: Tournament) -> bool:
    """Whether those seated in a session still to play are not exactly those who are to play it."""
    next_one = tournament.sessions.filter(state=Session.State.PLANNED, tables__isnull=False).last()
    if next_one is None:
        return False
    present = set(players_in(tournament, next_one.number).values_list("number", flat=True))
    return present != set(
        Seat.objects.filter(table__session=next_one).values_list("player__number", flat=True)
    )


def inputs_behind(tournament: Tournament) -> Inputs | None:
    """What the seats were drawn from, by the log; None when they were seated by hand or from a file, or
    when part of it was erased."""
    entry = tournament.log.filter(action="seats_drawn").last()
    if entry is None or "inputs" not in entry.said or "inputs" in entry.erased:
        return None
    return Inputs.from_json(entry.said["inputs"])


def origin_of(tournament: Tournament, drawn: SeatingChart, alone: Collection[int] = ()) -> Origin | None:
    """What the seats follow from and how far, but for the sessions (from 1) seated `alone`; None without a draw by
    seed."""
    inputs = inputs_behind(tournament)
    if inputs is None or not drawn:
        return None
    plan = plan_of(drawn)
    try:
        first = [
            [] if n in alone else tables for n, tables in enumerate(inputs.draw().sessions[: len(plan)], 1)
        ]
        now = [[] if n in alone else tables for n, tables in enumerate(plan, 1)]
        since = compared(first, now, people_of(tournament))
    except SeatingError:
        since = None
    return Origin(inputs, fingerprint(plan), since)


def quality_rows(*qualities: Quality) -> list[tuple[str, tuple[int, ...]]]:
    """The figures of the certificate, a row each: (name of the figure, its value in each draw)."""
    names = (
        *("repeats", "repeats_minimum", "most_meetings", "wind_spread", "table_most"),
        *("team_meetings", "club_meetings", "country_meetings"),
    )
    return [(name, tuple(getattr(quality, name) for quality in qualities)) for name in names]


def draw_inputs(tournament: Tournament, seed: str, wish: DrawWish) -> Inputs:
    """Everything the draw follows from, for the players who have not withdrawn; stores nothing."""
    players = list(tournament.players.filter(withdrawn_at=None))
    sizes = Counter(player.team for player in players)
    # A team with more players than tables cannot be kept apart, so it is not asked for unless wished.
    most = len(players) if wish.teams else len(players) // 4
    return Inputs(
        players=tuple(player.number for player in players),
        sessions=min(wish.sessions or tournament.sessions_planned, tournament.sessions_planned),
        seed=seed,
        teams={p.number: p.team for p in players if p.team and sizes[p.team] <= most},
        clubs={p.number: p.club for p in players if p.club} if wish.clubs else {},
        countries={p.number: p.country for p in players if p.country} if wish.countries else {},
        forbidden=wish.forbidden,
        stay=dict(wish.stay),
        teams_first=wish.teams,
    )


def drawn(inputs: Inputs) -> Draw:
    """The draw that follows from the inputs; `Refused` when there is none."""
    try:
        return inputs.draw()
    except SeatingError as error:
        raise Refused(error.problems) from None
