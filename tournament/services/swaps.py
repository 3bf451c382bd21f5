"""Two players exchange seats in sessions not yet begun, and change back until they begin."""

from __future__ import annotations

from collections.abc import Sequence

from tournament import access, log
from tournament.access import Actor
from tournament.engine.seating import Plan, SeatingError, fingerprint
from tournament.engine.seating.swap import swapped
from tournament.errors import Refused, refuse
from tournament.models import LogEntry, Seat, Session, Tournament
from tournament.selectors.draws import last_swap, plan_of
from tournament.selectors.public import draw_of


def after_swap(tournament: Tournament, one: int, other: int, sessions: Sequence[int]) -> Plan:
    """The seats as they would be; stores nothing. Refused as `swap_players`."""
    if not sessions:
        raise refuse("nothing_left_to_play")
    begun = tournament.sessions.filter(number__in=sessions).exclude(state=Session.State.PLANNED)
    if (first := begun.first()) is not None:
        raise refuse("session_already_begun", session=first.number)
    try:
        return swapped(plan_of(draw_of(tournament)), one, other, set(sessions))
    except SeatingError as error:
        raise Refused(error.problems) from None


def swap_players(
    tournament: Tournament, actor: Actor, one: int, other: int, sessions: Sequence[int], *, seen: str = ""
) -> None:
    """The two players, by number, change seats in the sessions named; none of them may have begun.

    `seen`: the fingerprint of all seats as they were shown to become; refused when they would be others by now.
    """
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_swapped") as entry:
        plan = after_swap(entry.tournament, one, other, sessions)
        if seen and seen != fingerprint(plan):
            raise refuse("seats_changed")
        _exchange(entry.tournament, one, other, sessions)
        entry.data = {"one": one, "other": other, "sessions": sorted(sessions)}


def undo_swap(tournament: Tournament, actor: Actor) -> LogEntry:
    """Take the newest exchange back that has not been taken back yet; the sessions may not have begun."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "swap_undone") as entry:
        last = last_swap(entry.tournament)
        if last is None:
            raise refuse("no_swap_to_undo")
        one, other, sessions = last.data["one"], last.data["other"], last.data["sessions"]
        after_swap(entry.tournament, one, other, sessions)
        _exchange(entry.tournament, one, other, sessions)
        entry.data = {**last.data, "undoes": last.seq}
    return last


def _exchange(tournament: Tournament, one: int, other: int, sessions: Sequence[int]) -> None:
    """Both seats are written anew with the ids they had: a table's seats stand in the order of their ids."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament,
        table__session__number__in=sessions,
        player__number__in=(one, other),
    )
    of = {player.number: player for player in tournament.players.filter(number__in=(one, other))}
    turned = {one: of[other], other: of[one]}
    anew = [
        Seat(pk=seat.pk, table=seat.table, wind=seat.wind, player=turned[seat.player.number])
        for seat in seats.select_related("table", "player")
    ]
    seats.delete()
    Seat.objects.bulk_create(anew)
