"""The clock of the hall against the log: paused and gone on when it says, and so much longer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.exchange.texts.audit import session_place

CLOCK = ("clock_paused", "clock_went_on", "clock_extended", "session_unstarted")


def hall_clock(tournament: Tournament) -> Iterator[tuple[str, Problem]]:
    """(where, what) does not agree, for each session as it was last said since its start."""
    pauses: defaultdict[int, list[dict[str, str | None]]] = defaultdict(list)
    longer: dict[int, int] = {}
    entries = tournament.log.filter(action__in=CLOCK).order_by("seq")
    for action, data in ((entry.action, entry.said) for entry in entries):
        session = data["session"]
        match action:
            case "clock_paused":
                pauses[session].append({"since": data["at"], "until": None, "reason": data["reason"]})
            case "clock_went_on":
                pauses[session][-1]["until"] = data["at"]
            case "clock_extended":
                longer[session] = data["minutes"]
            case _:
                pauses[session], longer[session] = [], 0
    for session in tournament.sessions.all():
        session.tournament = tournament
        if session.pauses != pauses[session.number]:
            yield session_place(session), Problem("audit_pauses")
        if session.extra_minutes != (said := longer.get(session.number, 0)):
            times = {"minutes": session.extra_minutes, "said": said}
            yield session_place(session), Problem("audit_extra_time", "", times)
