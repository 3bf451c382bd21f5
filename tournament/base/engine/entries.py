"""A hand as it is entered, and what people typed, kept beside the log."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scoring.engine.problems import TILES_IN_HAND
from tournament.base.engine.rules import Chart, prevalent_wind, seat_wind

WIN: Final = "win"
DRAW: Final = "draw"
WORKED_OUT: Final = frozenset({"seat_wind", "prevalent_wind", "self_drawn"})
"""What a record of tiles may leave out, and has once it is stored."""


@dataclass(frozen=True)
class HandEntry:
    """What the umpire enters: the fact that everything else about a hand is derived from.

    Players by number; `discarder` None when self-drawn; `tiles` a corpus record.

    A win has its tiles, or what was announced: its `fans` (key → times) or its `points`, flowers included. It may have
    both; then the tiles count, unless the umpire says in `override` why the announcement does.

    In `tiles` the seat wind, the prevalent wind and `self_drawn` may be left out: they are worked out. When they
    stand there they must be right.
    """

    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: Mapping[str, Any] | None = None
    points: int | None = None
    fans: Mapping[str, int] | None = None
    override: str = ""
    """Why the announcement counts although the tiles, or the minimum, say otherwise."""
    claimants: tuple[int, ...] = ()
    """Who else claimed the winning discard."""
    absent: tuple[int, ...] | None = None
    """Whose seats were empty, with nobody standing in; None where that is not said."""

    @property
    def depth(self) -> int:
        """How much of the win is written down: 1 its points, 2 its fans, 3 its tiles; 0 for a wash-out."""
        if self.outcome != WIN:
            return 0
        return 3 if self.tiles is not None else 2 if self.fans is not None else 1

    @property
    def is_unfinished(self) -> bool:
        """Whether some of the tiles are entered, and some still to come."""
        return self.outcome != DRAW and self.tiles is not None and 0 < _entered(self.tiles) < TILES_IN_HAND

    def repeats(self, recorded: HandEntry) -> bool:
        """Whether `recorded` may have been stored from this very entry.

        Stored are also the winds and the way of winning, who else was noted as missing, and no `override` that was not
        needed.
        """
        names = ("outcome", "winner", "discarder", "points", "fans", "claimants")
        return (
            all(getattr(self, name) == getattr(recorded, name) for name in names)
            and set(self.absent or ()) <= set(recorded.absent or ())
            and recorded.override in ("", self.override.strip())
            and _repeats_tiles(self.tiles, recorded.tiles)
        )

    def worked_out(self, start: str, hand_number: int, chart: Chart) -> dict[str, Any]:
        """What nobody is asked about a winner who started at wind `start`: both winds, and the way of winning."""
        return {
            "seat_wind": seat_wind(start, hand_number, chart),
            "prevalent_wind": prevalent_wind(hand_number),
            "self_drawn": self.discarder is None,
        }


def _repeats_tiles(tiles: Mapping[str, Any] | None, recorded: Mapping[str, Any] | None) -> bool:
    if tiles is None or recorded is None:
        return tiles is recorded
    added = recorded.keys() - tiles.keys()
    return {**recorded, **tiles} == recorded and added <= WORKED_OUT


def _entered(tiles: Mapping[str, Any]) -> int:
    """How many tiles, a meld counting as three; 0 where that cannot be told."""
    concealed, melds = tiles.get("concealed"), tiles.get("melds")
    if not isinstance(concealed, list) or not isinstance(melds, list):
        return 0
    return len(concealed) + 3 * len(melds)


ERASED: Final = "[…]"
"""Stands for every word of a text that was erased."""

CODES: Final = frozenset(
    {
        *("uuid", "appeal", "penalty", "about_penalty", "rulings_carried_out", "left_open"),
        *("at", "made_at", "expires_at", "starts_on", "ends_on", "ends_at", "day", "time_zone"),
        *("to", "by", "came_from"),
        *("action", "kind", "how", "way", "topic", "carry", "outcome", "foul", "state", "method", "letter"),
        *(
            "sanction",
            "proposed",
            "facts",
            "sheet",
            "rulebook",
            "language",
            "right",
            "role",
            "scope",
            "fields",
        ),
        *("choice", "overtaken"),
        *("last_hand", "chart", "criteria"),
    }
)
"""What of an entry's data may be text and is yet nobody's words: keys, codes and times. Everything else that is text is
sealed, so that what is new need not be thought of."""

Texts = dict[str, dict[str, Any]]
"""Key of the data → {"sha", "value", "salt"}; no salt: erased, and `value` has `ERASED` for each text."""


def sealed(data: Mapping[str, Any], salt: Callable[[], str]) -> tuple[dict[str, Any], Texts]:
    """Part an entry's data: what is hashed as it is, and what people typed, kept beside it and bound to it.

    The body is hashed for good, so it holds numbers and codes alone. A text stands beside it, and in the chain only its
    salted hash: it can be erased and the chain still holds, it cannot be changed without being found out, and without
    the salt, which goes with it, nobody can try which words it was (ADR 24).
    """
    texts = {key: _bound(value, salt()) for key, value in data.items() if _has_text(key, value)}
    return {key: value for key, value in data.items() if key not in texts}, texts


def _has_text(key: str, value: Any) -> bool:
    """Whether what stands at a key, at whatever depth, has a word that is no code."""
    if key in CODES:
        return False
    match value:
        case str():
            return bool(value)
        case list() | tuple():
            return any(_has_text(key, part) for part in value)
        case dict():
            return any(_has_text(str(name), part) for name, part in value.items())
    return False


def _bound(value: Any, salt: str) -> dict[str, Any]:
    return {"sha": _hash(value, salt), "salt": salt, "value": value}


def _hash(value: Any, salt: str) -> str:
    body = json.dumps([salt, value], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(body.encode()).hexdigest()


def said(data: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Put an entry's data together as it was written, as far as it is still there."""
    return {**data, **{key: text["value"] for key, text in texts.items()}}


def promises(texts: Texts) -> dict[str, str]:
    """Say what the chain holds of the texts."""
    return {key: text["sha"] for key, text in texts.items()}


def is_kept(text: Mapping[str, Any]) -> bool:
    """Whether a text is what the chain was promised, or was erased and says nothing any more."""
    if "salt" in text:
        return bool(text["sha"] == _hash(text["value"], text["salt"]))
    return bool(text["value"] == erased(text["value"]))


def without(texts: Texts, key: str) -> Texts:
    """Erase one of the texts, for good."""
    text = texts[key]
    return texts | {key: {"sha": text["sha"], "value": erased(text["value"])}}


def erased(value: Any) -> Any:
    """Make the same shape with no word left."""
    match value:
        case str():
            return ERASED if value else ""
        case list():
            return [erased(part) for part in value]
        case dict():
            return {key: erased(part) for key, part in value.items()}
    return value
