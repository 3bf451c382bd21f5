"""Log entries as server-sent events: bytes made once and sent to everybody."""

import json
from dataclasses import dataclass, field
from typing import Any

PUBLIC = ("session", "table", "table_version", "scores", "hand", "hand_version", "player")
"""What of an entry's data is told to the hall: where and how play went, never a name, a reason or a foul."""
OF_A_HAND = ("outcome", "winner", "discarder", "points")
"""What is told of a hand besides. Under the same names a foul has what the umpire alone stated."""

PLACE = ("session", "table", "table_version", "hand", "hand_version")
"""What is told of a session whose results are hidden: that something happened there, and how far it is."""
RULINGS = (
    *("hand_corrected", "hand_deepened", "penalty_given", "penalty_cancelled"),
    *("appeal_opened", "appeal_ruled", "ruling_waived"),
)
"""What is only told as `table_changed` there: that there was a penalty would say how play went."""
HIDING = "results_hidden"
"""After it, nothing that was told before is told again."""

RETRY = b"retry: 2000\n\n"
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a log entry that the stream needs; `seq` is the tournament's version after it."""

    seq: int
    action: str
    data: dict[str, Any] = field(default_factory=dict)


def without_results(entry: Entry) -> Entry:
    """The entry as a hidden session tells it."""
    data = {key: entry.data[key] for key in PLACE if key in entry.data}
    return Entry(entry.seq, "table_changed" if entry.action in RULINGS else entry.action, data)


def change(entry: Entry) -> bytes:
    """`event: change`: one write, with its version, action and the public part of its data."""
    keys = (*PUBLIC, *OF_A_HAND) if entry.action.startswith("hand_") else PUBLIC
    public = {key: entry.data[key] for key in keys if key in entry.data}
    return _event("change", entry.seq, {"version": entry.seq, "action": entry.action} | public)


def reset(version: int) -> bytes:
    """`event: reset`: too much has happened to tell it one by one; read everything again."""
    return _event("reset", version, {"version": version})


def _event(name: str, version: int, data: dict[str, Any]) -> bytes:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {version}\nevent: {name}\ndata: {body}\n\n".encode()
