"""The seats of one session that has not begun, as they would be: by standing, at intervals, by lot, or by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.engine.problems import Problem
from tournament.base.access import Audience
from tournament.base.errors import Refused, refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.engine import How, Inputs, Plan, SeatingError, SessionInputs
from tournament.seating.engine.plans import plan_problems
from tournament.seating.selectors.draws import inputs_behind
from tournament.seating.selectors.finals import final_of, players_in
from tournament.seating.selectors.seatings import Reseating, refuse_begun, seats_of_all

Tables = Sequence[Mapping[str, int]]
"""The tables of one session in order: starting wind → player number."""


@dataclass(frozen=True)
class SessionWish:
    """How a session is to be seated: drawn anew from `how` and `seed`, or the `tables` as given."""

    how: How | None = None
    seed: str = ""
    tables: Tables = ()


def seated(tournament: Tournament, number: int, wish: SessionWish) -> tuple[Reseating, SessionInputs | None]:
    """The seats as they would be, and what they follow from; stores nothing.

    Refused for a session that has begun or comes after one without seats; by standing and at intervals also until
    every session before it is closed. In a refusal of given tables `where` is "session <n>, table <m>".
    """
    refuse_begun(tournament, [number])
    before = seats_of_all(tournament)
    if len(before) < number - 1:
        raise refuse("earlier_session_unseated", session=len(before) + 1)
    inputs = None if wish.how is None else _inputs(tournament, number, wish.how, wish.seed, before)
    if inputs is None:
        tables = _checked(tournament, number, wish.tables)
    else:
        try:
            tables = inputs.seats()
        except SeatingError as error:
            raise Refused(error.problems) from None
    after = [*before[: number - 1], tables, *before[number:]]
    return Reseating(before, after, (number,)), inputs


def _inputs(tournament: Tournament, number: int, how: How, seed: str, plan: Plan) -> SessionInputs:
    """Who is to be seated, in which order, and the wishes of the draw that still bind."""
    final = final_of(tournament, number)
    if final is not None and len(final.groups) > 1:
        raise refuse("finals_in_groups")
    here = list(players_in(tournament, number))
    order = _order(tournament, number) if how.needs_standings else [player.number for player in here]
    wished = (inputs_behind(tournament) or Inputs((), 0, "")).binding([player.number for player in here])
    return SessionInputs(
        how=how,
        players=tuple(order),
        others=tuple(
            tuple(map(dict, tables)) for at, tables in enumerate(plan, 1) if at != number and tables
        ),
        seed=seed,
        teams={player.number: player.team for player in here if player.team},
        clubs={player.number: player.club for player in here if player.club} if wished.clubs else {},
        countries={player.number: player.country for player in here if player.country}
        if wished.countries
        else {},
        teams_first=wished.teams_first,
        forbidden=wished.forbidden,
        stay=wished.stay,
        left=max(0, tournament.sessions_planned - max(number, len(plan))),
    )


def _order(tournament: Tournament, number: int) -> list[int]:
    """The players by the standings after the sessions before this one, all of them closed; who is not ranked last."""
    earlier = tournament.sessions.filter(number__lt=number)
    if (still_open := earlier.exclude(state=Session.State.CLOSED).first()) is not None:
        raise refuse("earlier_session_open", session=still_open.number)
    if number == 1:
        raise refuse("nothing_to_seat_by")
    rows = current_standings(tournament, Audience.STAFF, closed_only=True).rows
    playing = set(players_in(tournament, number).values_list("number", flat=True))
    order = [row.number for row in rows if row.number in playing]
    return order + sorted(playing.difference(order))


def _checked(tournament: Tournament, number: int, tables: Tables) -> Tables:
    """Tables given by hand: four at each, and everybody who plays at one of them."""
    here = set(players_in(tournament, number).values_list("number", flat=True))
    found = plan_problems([tables], here, number)
    missing = here - {player for table in tables for player in table.values()}
    found += [Problem("not_seated_by_hand", "", {"player": player}) for player in sorted(missing)]
    if found:
        raise Refused(found)
    return tables
