"""Log entries as server-sent events, for three kinds of hearers: the public, the staff, and the card on a table.

All of them hear where something happened, and the page asks for the rest, as whoever is looking. So no event says more
than the page of those who hear it: no player, no score, no foul.
"""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PLACE = ("session", "table")
"""What of an entry's data everybody is told."""
AT_A_TABLE = (*PLACE, "table_version")
"""What is told besides where play is no secret: a desk knows by it whether it has written this itself."""
TOLD_BY_NAME = ("announcement", "ceremony", "hand", "results", "screen", "session", "standings", "table")
"""How the actions begin that the public hears by name: its pages show each of them. What is left is `changed`: that
there was a penalty, or who is an umpire, is not everybody's to know."""
UNNAMED = "changed"

RETRY = b"retry: 2000\n\n"
MOVES_WITHIN = (300, 3000)
"""Milliseconds: when this process ends, nobody comes to the next one in the same moment as everybody."""
HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True, slots=True)
class Entry:
    """The part of a log entry that the stream needs.

    `seq` is the tournament's version after it, `public_seq` its public version, None where the public is told nothing.
    `hidden`: whether how its session was played is hidden now.
    """

    seq: int
    action: str
    data: Mapping[str, Any] = field(default_factory=dict)
    public_seq: int | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Hearer:
    """Who hears: the public, the staff, or who holds the card of the table with this number."""

    is_staff: bool = False
    table: int | None = None

    @property
    def counts_all(self) -> bool:
        """Whether the events are numbered as the log is: all others know the public version alone."""
        return self.is_staff

    def is_told(self, entry: Entry) -> bool:
        """Whether there is an event. A card hears its own table, whatever is hidden."""
        return self.is_staff or entry.public_seq is not None or self._is_at(entry)

    def change(self, entry: Entry, version: int) -> bytes:
        """`event: change`: one write, with the version after it."""
        is_inside = self.is_staff or self._is_at(entry)
        keys = AT_A_TABLE if is_inside or not entry.hidden else PLACE
        action = entry.action if is_inside or self._names(entry) else UNNAMED
        place = {key: entry.data[key] for key in keys if key in entry.data}
        return _event("change", version, {"version": version, "action": action} | place)

    def _is_at(self, entry: Entry) -> bool:
        return self.table is not None and entry.data.get("table") == self.table

    @staticmethod
    def _names(entry: Entry) -> bool:
        is_at_a_hidden_table = entry.hidden and "table" in entry.data
        return entry.action.startswith(TOLD_BY_NAME) and not is_at_a_hidden_table


PUBLIC = Hearer()
STAFF = Hearer(is_staff=True)


def reset(version: int) -> bytes:
    """`event: reset`: too much has happened to tell it one by one; read everything again."""
    return _event("reset", version, {"version": version})


def _event(name: str, version: int, data: dict[str, Any]) -> bytes:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {version}\nevent: {name}\ndata: {body}\n\n".encode()


def move() -> bytes:
    """The last words of a process that ends: come back soon, each at another moment."""
    return b"retry: %d\n\n" % random.randint(*MOVES_WITHIN)
