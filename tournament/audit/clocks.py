"""The clock of the hall against the log: paused and gone on when it says, and so much longer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from tournament.models import Tournament

CLOCK = ("clock_paused", "clock_went_on", "clock_extended", "session_unstarted")


def hall_clock(tournament: Tournament) -> Iterator[tuple[str, str]]:
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
        where = f"{tournament.slug}, session {session.number}"
        if session.pauses != pauses[session.number]:
            yield where, "its clock was paused at other times than the log says"
        if session.extra_minutes != (said := longer.get(session.number, 0)):
            yield where, f"plays {session.extra_minutes} minutes longer, the log says {said}"
