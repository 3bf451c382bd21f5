"""The changes of seats after the draw: which can still be taken back, and how a session was seated by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from tournament.base.access import Audience
from tournament.base.errors import refuse
from tournament.base.models.log_entry import LogEntry
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_from
from tournament.play.selectors.public import seating_chart
from tournament.seating.engine import Plan, SeatingError, Seats, SessionInputs
from tournament.seating.selectors.draws import plan_of

CHANGES: Final = (
    "seats_swapped",
    "seats_replanned",
    "session_seated",
    "seats_planned",
    "stream_seated",
    "finals_set",
)
"""The log's actions that change seats after the draw, each with the `sessions` and what was there `before`."""


def seats_of_all(tournament: Tournament) -> list[list[dict[str, int]]]:
    """The seats that are stored, as the engine knows them, up to the last session that has any."""
    return plan_of(seating_chart(tournament))


def last_reseating(tournament: Tournament) -> LogEntry | None:
    """The newest change of seats since the draw that has not been taken back."""
    return next(_standing(tournament), None)


def reseating_to_undo(tournament: Tournament) -> LogEntry | None:
    """The same, as long as none of its sessions has begun and everybody who sat there is still entered."""
    last = last_reseating(tournament)
    if last is None or somebody_is_gone(tournament, last):
        return None
    begun = tournament.sessions.filter(number__in=last.data["sessions"]).exclude(state=Session.State.PLANNED)
    return None if begun.exists() else last


def somebody_is_gone(tournament: Tournament, last: LogEntry) -> bool:
    """Whether a player who had a seat before the change has been deleted since."""
    sat = {player for tables in last.data["before"] for table in tables for player in table.values()}
    return not sat.issubset(tournament.players.values_list("number", flat=True))


@dataclass(frozen=True)
class SeatedAlone:
    """A session that was seated by itself, or read from a file: by the log."""

    session: int
    how: str
    """"standing", "interval", "lot", "hand", "file" or "finals"."""
    inputs: SessionInputs | None
    """None where there are none, and where they would tell the audience the order of the players."""
    is_as_seated: bool
    """Whether the seats are still those that the inputs give; by hand and from a file there is nothing to check."""


def seated_alone(tournament: Tournament, audience: Audience, plan: Plan) -> list[SeatedAlone]:
    """The sessions whose seats did not come with the draw, in order."""
    first_hidden = min(hidden_from(audience, tournament), default=len(plan))
    found: dict[int, SeatedAlone] = {}
    for entry in _standing(tournament):
        if entry.action not in ("session_seated", "seats_planned", "finals_set"):
            continue
        for session in entry.data["sessions"]:
            if session not in found and session <= len(plan):
                one = _seated_alone(session, _readable(entry), plan[session - 1])
                found[session] = _without_order(one) if session > first_hidden else one
    return [found[session] for session in sorted(found)]


def _readable(entry: LogEntry) -> Mapping[str, Any]:
    """What the entry says; without what the seats follow from, where part of that was erased."""
    return {key: value for key, value in entry.said.items() if key not in entry.erased}


def _seated_alone(session: int, data: Mapping[str, Any], tables: Sequence[Mapping[str, int]]) -> SeatedAlone:
    if "inputs" not in data:
        return SeatedAlone(session, data.get("how", "file"), None, True)
    inputs = SessionInputs.from_json(data["inputs"])
    return SeatedAlone(session, inputs.how.value, inputs, _given(json.dumps(data["inputs"])) == list(tables))


def _without_order(one: SeatedAlone) -> SeatedAlone:
    """The same, silent on the standings it was seated by."""
    by_standing = one.inputs is not None and one.inputs.how.needs_standings
    return replace(one, inputs=None) if by_standing else one


@lru_cache(maxsize=64)
def _given(inputs: str) -> list[Seats] | None:
    """The seats that the inputs give: the same each time, and by standing they take up to a second."""
    try:
        return list(SessionInputs.from_json(json.loads(inputs)).seats())
    except SeatingError:
        return None


def _standing(tournament: Tournament) -> Iterator[LogEntry]:
    """The changes since the draw that stand, newest first."""
    undone = set()
    for entry in tournament.log.filter(action__in=(*CHANGES, "seats_drawn", "seats_restored")).reverse():
        if entry.action == "seats_drawn":
            return
        if entry.action == "seats_restored":
            undone.add(entry.data["undoes"])
        elif entry.seq not in undone:
            yield entry


@dataclass(frozen=True)
class Reseating:
    """The whole event before and after, and the numbers of the sessions that are seated anew."""

    before: Plan
    after: Plan
    sessions: tuple[int, ...]


def refuse_begun(tournament: Tournament, sessions: Sequence[int]) -> None:
    """Seats of a session that has begun stay."""
    begun = tournament.sessions.filter(number__in=sessions).exclude(state=Session.State.PLANNED)
    if (first := begun.first()) is not None:
        raise refuse("session_already_begun", session=first.number)
