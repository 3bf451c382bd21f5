"""A final as it would be, before it is set up."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.base.access import Audience
from tournament.base.errors import refuse
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.ranking.engine.finals import Cut, FinalsWish, finalists, groups, straddling
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.engine.finals import final_sessions
from tournament.seating.selectors.seatings import Reseating, seats_of_all


@dataclass(frozen=True)
class FinalPlan:
    """A final as it would be, its sessions, and who shares the last place that goes on."""

    cut: Cut
    sessions: tuple[int, ...]
    tied: tuple[int, ...]
    again: Reseating


def planned_final(tournament: Tournament, wish: FinalsWish) -> FinalPlan:
    """The final after the newest session closed; stores nothing.

    Sessions planned beyond those of the final lose their seats: a further final may use them. Refused while a session
    is being played, before any was, a second time after the same session, and without enough players.
    """
    after = last_closed(tournament)
    now, stage = current_standings(tournament, Audience.STAFF, closed_only=True), wish.stage
    try:
        going = groups(finalists(now, stage, wish.first), stage)
    except ValueError:
        raise refuse("too_few_finalists", "size", top=stage.top) from None
    before = seats_of_all(tournament)
    seats = final_sessions(going, wish.sessions, seed=wish.seed, played=before[:after])
    end = max(len(before), after + wish.sessions)
    emptied = end - after - wish.sessions
    return FinalPlan(
        cut=Cut(after, going, stage.carry),
        sessions=tuple(range(after + 1, after + wish.sessions + 1)),
        tied=straddling(now, stage),
        again=Reseating(before, [*before[:after], *seats, *[[]] * emptied], tuple(range(after + 1, end + 1))),
    )


def last_closed(tournament: Tournament) -> int:
    begun = list(tournament.sessions.exclude(state=Session.State.PLANNED))
    if not begun:
        raise refuse("finals_too_early")
    if begun[-1].state == Session.State.RUNNING:
        raise refuse("session_still_running", session=begun[-1].number)
    if tournament.finals.filter(after_session=begun[-1].number).exists():
        raise refuse("finals_set_already", session=begun[-1].number)
    return begun[-1].number
