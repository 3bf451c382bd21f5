"""Writing a transcript (`hule-transcript`, version 1) of what has been played, so that replaying it gives it again.

The format is described in docs/transcript.md; what it cannot hold is told beside it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from scoring.engine.problems import Problem
from tournament.base.engine.rules import Rules, rules_named
from tournament.base.errors import refuse
from tournament.base.models.hall_clock import Pause
from tournament.base.models.people import Player
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.exchange.transcripts import own_rules
from tournament.exchange.transcripts.course import course_of, departures
from tournament.exchange.transcripts.reading import FORMAT, VERSION
from tournament.exchange.transcripts.sanctions import Sanctions
from tournament.exchange.transcripts.sheet_writing import sheet_of, stated, tables_to_write
from tournament.seating.selectors.finals import final_of


def transcript_of(tournament: Tournament) -> str:
    """The sessions that are closed, as the text of a transcript. Refused before there is one."""
    sessions = _by_session(tournament)
    if not sessions:
        raise refuse("nothing_to_write_down")
    course, book = course_of(tournament), _book(tournament)
    gone = departures(course, len(sessions))
    sanctions = Sanctions(_replayed(tournament, book))
    data = {
        "format": FORMAT,
        "version": VERSION,
        "tournament": _particulars(tournament, len(sessions), book),
        "players": [
            _player(player, player.number in gone[0].withdrawn) for player in tournament.players.all()
        ],
        "sessions": [
            stated(_session(tournament, number, tables) | gone[number].to_json())
            | {"tables": [sheet_of(table, course, sanctions) for table in tables]}
            for number, tables in sessions.items()
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def left_out(tournament: Tournament) -> Iterator[Problem]:
    """What the transcript cannot hold, so that replaying it stops or gives other standings: one for each kind."""
    if tournament.sessions.exclude(state=Session.State.CLOSED).exists():
        yield Problem("transcript_open_sessions")
    if _replayed(tournament, _book(tournament)) != tournament.rules or not _book(tournament):
        yield Problem("transcript_own_rules")


def _book(tournament: Tournament) -> Rules | None:
    """The rulebook as it is today, with the choice of waits: what a replay begins with."""
    try:
        return rules_named(tournament.rulebook).with_held_out_waits(tournament.held_out_waits)
    except LookupError:
        return None


def _replayed(tournament: Tournament, book: Rules | None) -> Rules:
    """The rules that a replay plays by."""
    return own_rules.replayed(tournament.rules, book) if book else tournament.rules


def _particulars(tournament: Tournament, sessions: int, book: Rules | None) -> dict[str, Any]:
    said = {
        "name": tournament.name,
        "venue": tournament.venue,
        "starts_on": tournament.starts_on.isoformat(),
        "ends_on": tournament.ends_on.isoformat(),
        "time_zone": tournament.time_zone,
        "rulebook": tournament.rulebook,
        "sessions": sessions,
        "minutes": tournament.minutes,
        "appeal_minutes": tournament.appeal_minutes,
        "public": None if tournament.is_public else False,
        "penalties_public": None if tournament.penalties_public else False,
    }
    if book is None:
        return stated(said)
    waits = tournament.held_out_waits
    own = waits != rules_named(tournament.rulebook).scoring.held_out_waits
    return stated(said | {"held_out_waits": waits if own else None}) | own_rules.written(
        tournament.rules, book
    )


def _by_session(tournament: Tournament) -> dict[int, list[Table]]:
    """Session number → its tables. Closed sessions are 1, 2, 3…: they are played in order."""
    found: defaultdict[int, list[Table]] = defaultdict(list)
    for table in tables_to_write(tournament):
        table.session.tournament = tournament
        found[table.session.number].append(table)
    return dict(found)


def _player(player: Player, withdrawn: bool) -> dict[str, Any]:
    names = ("first_name", "last_name", "country", "ema_number", "team", "club")
    said = {"substitute": player.is_substitute or None, "withdrawn": withdrawn or None}
    return {"number": player.number} | {name: getattr(player, name) for name in names} | stated(said)


def _session(tournament: Tournament, number: int, tables: Sequence[Table]) -> dict[str, Any]:
    """Who plays it: everybody, or the finalists, without those who have no seat."""
    final = final_of(tournament, number)
    begins = final if final is not None and final.after_session == number - 1 else None
    everybody = final.numbers if final else tournament.players.values_list("number", flat=True)
    seated = {seat.player.number for table in tables for seat in table.seats.all()}
    return {
        "number": number,
        "final": {"carry": begins.carry, "groups": begins.groups} if begins else None,
        "without": sorted(set(everybody) - seated),
        "extra_minutes": tables[0].session.extra_minutes or None,
        "pauses": [_stood(tables[0].session, pause) for pause in _pauses(tables[0].session)],
    }


def _pauses(session: Session) -> Sequence[Pause]:
    return session.clock.pauses if session.clock else ()


def _stood(session: Session, pause: Pause) -> dict[str, Any]:
    """In whole seconds since the gong."""
    assert session.started_at is not None
    at = int((pause.since - session.started_at).total_seconds())
    until = None if pause.until is None else int((pause.until - session.started_at).total_seconds())
    return stated({"at": at, "seconds": None if until is None else until - at, "because": pause.reason})
