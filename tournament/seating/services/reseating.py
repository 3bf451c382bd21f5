"""Seats of sessions not yet begun are written anew, whatever made them; the newest such write can be taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.reach import assignments
from tournament.seating.engine import Plan, fingerprint
from tournament.seating.selectors.seatings import Reseating, last_reseating, refuse_begun, somebody_is_gone
from tournament.seating.services.draw import restore, store_tables


def reseat(tournament: Tournament, again: Reseating, seen: str = "") -> dict[str, Any]:
    """Store the sessions that are seated anew; gives what the log keeps: which, and what was there before.

    `seen`: the fingerprint of all seats as they were shown to become; refused when they would be others by now.
    """
    if seen and seen != fingerprint(again.after):
        raise refuse("seats_changed")
    refuse_begun(tournament, again.sessions)
    put(tournament, {number: again.after[number - 1] for number in again.sessions})
    return {"sessions": list(again.sessions), "before": [_at(again.before, n) for n in again.sessions]}


def undo_reseating(tournament: Tournament, actor: Actor) -> LogEntry:
    """Give everybody the seats from before the newest change, as long as none of its sessions has begun."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "seats_restored") as entry:
        last = last_reseating(entry.tournament)
        if last is None or somebody_is_gone(entry.tournament, last):
            raise refuse("no_seats_to_restore")
        sessions = last.data["sessions"]
        refuse_begun(entry.tournament, sessions)
        put(entry.tournament, dict(zip(sessions, last.data["before"], strict=True)))
        if last.action == "finals_set":
            _forget_final(entry.tournament, last.data)
        about = {key: value for key, value in last.said.items() if key not in ("before", "inputs")}
        entry.data = about | {"undoes": last.seq, "action": last.action}
    return last


def _forget_final(tournament: Tournament, data: Mapping[str, Any]) -> None:
    """The final, and the sessions that were added for it."""
    tournament.finals.filter(after_session=data["after"]).delete()
    tournament.sessions.filter(number__gt=data["planned"]).delete()
    tournament.sessions_planned = data["planned"]
    tournament.save(update_fields=["sessions_planned"])


def put(tournament: Tournament, seats: Mapping[int, Sequence[Mapping[str, int]]]) -> None:
    """Session number → tables, in place of what there is; a session that there is not yet is made."""
    umpires = assignments(tournament)
    named = _stand_ins(tournament, seats)
    Table.objects.filter(session__tournament=tournament, session__number__in=seats).delete()
    sessions = [Session.objects.get_or_create(tournament=tournament, number=n)[0] for n in seats]
    players = {player.number: player for player in tournament.players.all()}
    store_tables(sessions, list(seats.values()), players)
    restore(tournament, umpires)
    for (session, player), name in named.items():
        here = {"table__session__tournament": tournament, "table__session__number": session}
        Seat.objects.filter(**here, player__number=player).update(stand_in=name)


def _stand_ins(tournament: Tournament, sessions: Collection[int]) -> dict[tuple[int, int], str]:
    """(session, player number) → who is named to play for them, wherever their seats come to be."""
    seats = Seat.objects.filter(
        table__session__tournament=tournament, table__session__number__in=sessions
    ).exclude(stand_in="")
    rows = seats.values_list("table__session__number", "player__number", "stand_in")
    return {(session, player): name for session, player, name in rows}


def _at(plan: Plan, session: int) -> Sequence[Mapping[str, int]]:
    """The tables of a session (from 1); none beyond the plan's end."""
    return plan[session - 1] if session <= len(plan) else ()
