"""Reading the JSON the desk sends, field by field: what is not as it should be becomes a problem, all at once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from penalties.engine import Sanction
from penalties.engine.sanctions import UNREADABLE
from scoring.engine.problems import Problem
from tournament.engine.entry import HandEntry
from tournament.errors import Refused
from tournament.services.penalties import Foul

LARGEST = 2**31 - 1
"""What a database keeps in an integer."""
LONGEST = 300
"""What a reason or a note may be long."""
LONGEST_KEY = 40
"""Characters of a fan's key; none is longer."""
MOST_FANS = 82
SEATS = 4
HAND_FIELDS = (
    *("concealed", "melds", "winning_tile", "flowers"),
    *("last_tile_of_wall", "last_of_kind", "replacement", "robbing_kong"),
)
"""What the desk says of a hand; winds and the way of winning are worked out."""
FACTS = {"minutes": int, "points": int, "hu_was_valid": bool, "tile_seen": bool, "circumstance": str}


class Body:
    """A JSON object. Each reader gives the field's value, or None and a problem; `check` raises them together."""

    def __init__(self, raw: bytes) -> None:
        self._problems: list[Problem] = []
        try:
            data = json.loads(raw or b"{}")
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise Refused(Problem("not_understood", "", {"field": "JSON"}))
        self._data: dict[str, Any] = data

    def check(self) -> None:
        """Raise `Refused` with everything that could not be read so far."""
        if self._problems:
            raise Refused(self._problems)

    def whole(self, name: str) -> int | None:
        value = self._data.get(name)
        if value is not None and not _is_whole(value):
            self._fault(name)
            return None
        return value

    def text(self, name: str, most: int = LONGEST) -> str:
        value = self._data.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._fault(name)
            return ""
        if len(value) > most:
            self._problems.append(Problem("text_too_long", name, {"length": len(value), "most": most}))
        return value.replace("\0", "")

    def uuid(self) -> UUID:
        """The client's own name for this write. Without one nothing can be repeated safely, so it is required."""
        return self._uuid("uuid") or UUID(int=0)

    def uuid_if_given(self, name: str) -> UUID | None:
        return None if self._data.get(name) is None else self._uuid(name)

    def _uuid(self, name: str) -> UUID | None:
        try:
            return UUID(self._data.get(name))
        except (TypeError, ValueError, AttributeError):
            self._fault(name)
            return None

    def hand(self) -> HandEntry:
        """{"outcome", "winner", "discarder"}, "tiles", "points" or "fans", "override", "claimants" and "absent"."""
        return HandEntry(
            outcome=self.text("outcome"),
            winner=self.whole("winner"),
            discarder=self.whole("discarder"),
            tiles=self._tiles(),
            points=self.whole("points"),
            fans=self._fans(),
            override=self.text("override").strip(),
            claimants=self._people("claimants") or (),
            absent=self._people("absent"),
        )

    def foul(self) -> Foul:
        """{"player", "foul", "hand_number", "victim", "note"} and the facts this foul asks for."""
        return Foul(
            player=self.whole("player") or 0,
            foul=self.text("foul"),
            hand_number=self.whole("hand_number"),
            victim=self.whole("victim"),
            details={name: value for name in FACTS if (value := self._fact(name)) is not None},
            note=self.text("note").strip(),
            imposed=self._sanction(),
            because=self.text("because").strip(),
        )

    def _sanction(self) -> Sanction | None:
        """{"sanction": {"points": {"amount", "scope", "paid_to"}, "dead_hand": true, …}}: the umpire's own."""
        value = self._data.get("sanction")
        if value is None:
            return None
        try:
            return Sanction.from_json(value)
        except UNREADABLE:
            self._fault("sanction")
            return None

    def _tiles(self) -> dict[str, Any] | None:
        value = self._data.get("tiles")
        if value is None:
            return None
        if not isinstance(value, Mapping):
            self._fault("tiles")
            return None
        record = {name: value[name] for name in HAND_FIELDS if value.get(name) is not None}
        if isinstance(record.get("melds"), list):
            record["melds"] = [_meld(meld) for meld in record["melds"]]
        return record

    def _fans(self) -> dict[str, int] | None:
        value = self._data.get("fans")
        if value is None:
            return None
        if (
            not isinstance(value, Mapping)
            or len(value) > MOST_FANS
            or not all(map(_is_times, value.values()))
        ):
            self._fault("fans")
            return None
        return {key[:LONGEST_KEY]: times for key, times in value.items()}

    def _people(self, name: str) -> tuple[int, ...] | None:
        value = self._data.get(name)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) > SEATS or not all(map(_is_whole, value)):
            self._fault(name)
            return None
        return tuple(dict.fromkeys(value))

    def _fact(self, name: str) -> int | bool | str | None:
        value, kind = self._data.get(name), FACTS[name]
        if value is None or value == "":
            return None
        if kind is int:
            return self.whole(name)
        if kind is str:
            return self.text(name)
        if not isinstance(value, bool):
            self._fault(name)
            return None
        return value

    def _fault(self, name: str) -> None:
        self._problems.append(Problem("not_understood", name, {"field": name}))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _is_times(value: Any) -> bool:
    return _is_whole(value) and 0 < value < 100


def _meld(meld: Any) -> Any:
    """A meld without whatever else a client may have put there; what is no meld is left for the engine to refuse."""
    if not isinstance(meld, Mapping):
        return meld
    return {name: meld[name] for name in ("type", "tiles", "concealed") if name in meld}
