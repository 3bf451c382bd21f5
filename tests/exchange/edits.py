"""The evening's transcript edited at one place, and the line that a person reads when it is refused.

tests/data/evening.json (its source is in evening.md) is edited at one place for each contradiction.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

from penalties.models import Penalty
from tests.support.factories import SYSTEM
from tournament.exchange.transcript import TranscriptError, load, play
from tournament.models import Hand, LogEntry, Player, Seat, Session, Table, Tournament
from tournament.words.problems import sentence

DATA = Path(__file__).parents[1] / "data"
Data = dict[str, Any]
Edit = Callable[[Data], Any]


@cache
def evening() -> str:
    return (DATA / "evening.json").read_text("utf-8")


def edited(edit: Edit) -> str:
    data = json.loads(evening())
    edit(data)
    return json.dumps(data, ensure_ascii=False)


def in_object(*path: Any, **fields: Any) -> Edit:
    """Set fields of the object to which the path leads."""
    return lambda data: reduce(getitem, path, data).update(fields)


def in_event(**fields: Any) -> Edit:
    return in_object("tournament", **fields)


def in_player(number: int, /, **fields: Any) -> Edit:
    return in_object("players", number - 1, **fields)


def in_table(**fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, **fields)


def in_hand(number: int, table: int = 1, /, **fields: Any) -> Edit:
    """Of session 1."""
    return in_object("sessions", 0, "tables", table - 1, "hands", number - 1, **fields)


def in_tiles(number: int, /, **fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, "hands", number - 1, "hand", **fields)


def in_penalty(**fields: Any) -> Edit:
    return in_object("sessions", 0, "tables", 0, "penalties", 0, **fields)


def first_table(data: Data) -> Data:
    table: Data = data["sessions"][0]["tables"][0]
    return table


def first_session(data: Data) -> None:
    """A tournament of one session: the evening's first."""
    data["tournament"]["sessions"] = 1
    del data["sessions"][1:]


def first_session_with(*edits: Edit) -> str:
    return edited(lambda data: [edit(data) for edit in (first_session, *edits)])


def refusal(text: str) -> str:
    """The line a person reads when the text is played."""
    try:
        play(load(text), SYSTEM)
    except TranscriptError as error:
        return f"{error.where}: {sentence(error.problem)}"
    return "it is played"


def rows_kept() -> int:
    models = (Tournament, Player, Session, Table, Seat, Hand, Penalty, LogEntry)
    return sum(model.objects.count() for model in models)


def otherwise_refused(cases: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Line expected → line read, of the (text, line) that are refused with another line, or of which rows are kept."""
    wrong = {}
    for text, line in cases:
        problem = refusal(text)
        if not problem.startswith(line) or "\n" in problem or rows_kept():
            wrong[line] = f"{problem} ({rows_kept()} rows kept)"
    return wrong
