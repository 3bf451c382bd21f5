"""Seating the sessions not yet begun again, when players have left or come; what has begun stays."""

from __future__ import annotations

from dataclasses import dataclass

from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import Plan, SeatingError, fingerprint, replan
from tournament.errors import Refused, refuse
from tournament.models import LogEntry, Session, Table, Tournament
from tournament.selectors.draws import inputs_behind, last_replan, plan_of
from tournament.selectors.public import draw_of
from tournament.services.draw import reaches, restore, store_tables


@dataclass(frozen=True)
class Again:
    """The whole event before and after: the first `kept` sessions have begun and are the same in both."""

    kept: int
    before: Plan
    after: Plan


def replanned(tournament: Tournament) -> Again:
    """The sessions left, seated for the players who have not withdrawn, near to the seats there are; stores nothing.

    A newcomer takes the seat of somebody who left. The pairs kept apart in the draw stay apart, and the team-mates
    if they never were to meet. Refused when tables would not be full, or nothing is left to play.
    """
    before = plan_of(draw_of(tournament))
    kept = tournament.sessions.exclude(state=Session.State.PLANNED).count()
    if kept == len(before):
        raise refuse("nothing_left_to_play")
    players = list(tournament.players.filter(withdrawn_at=None))
    inputs = inputs_behind(tournament)
    apart = inputs is not None and inputs.teams_first
    try:
        found = replan(
            [player.number for player in players],
            before[:kept],
            before[kept:],
            seed=tournament.draw_seed or "replan",
            teams={player.number: player.team for player in players if player.team} if apart else {},
            forbidden=inputs.forbidden if inputs else (),
        )
    except SeatingError as error:
        raise Refused(error.problems) from None
    return Again(kept, before, (*before[:kept], *found.sessions))


def replan_seats(tournament: Tournament, actor: Actor, *, seen: str = "") -> None:
    """Put the seats of `replanned` in place of those there are; what was there goes into the log.

    `seen`: the fingerprint of all seats as they were shown to become; refused when they would be others by now.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_replanned") as entry:
        again = replanned(entry.tournament)
        if seen and seen != fingerprint(again.after):
            raise refuse("seats_changed")
        numbers = _put(entry.tournament, again.after, again.kept)
        players = sum(len(seats) for seats in again.after[-1])
        entry.data = {"sessions": numbers, "players": players, "before": again.before[again.kept :]}


def undo_replan(tournament: Tournament, actor: Actor) -> LogEntry:
    """Give everybody the seats from before the newest replan, as long as none of its sessions has begun."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "replan_undone") as entry:
        last = last_replan(entry.tournament)
        if last is None:
            raise refuse("no_replan_to_undo")
        numbers = last.data["sessions"]
        begun = entry.tournament.sessions.filter(number__in=numbers).exclude(state=Session.State.PLANNED)
        if (first := begun.first()) is not None:
            raise refuse("session_already_begun", session=first.number)
        kept = numbers[0] - 1
        _put(entry.tournament, [*plan_of(draw_of(entry.tournament))[:kept], *last.data["before"]], kept)
        entry.data = {"sessions": numbers, "undoes": last.seq}
    return last


def _put(tournament: Tournament, plan: Plan, kept: int) -> list[int]:
    """Store the sessions of a plan after the first `kept`; returns their numbers."""
    umpires = reaches(tournament)
    sessions = list(tournament.sessions.filter(number__gt=kept))
    Table.objects.filter(session__in=sessions).delete()
    store_tables(sessions, plan[kept:], {player.number: player for player in tournament.players.all()})
    restore(tournament, umpires)
    return [session.number for session in sessions]
