"""Hands as they are entered, and typed texts stored beside the log."""

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
PENDING: Final = "pending"
"""Disputed: the committee has to rule on it."""
DERIVED_FIELDS: Final = frozenset({"seat_wind", "prevalent_wind", "self_drawn"})
"""Optional in a record of tiles; the stored record of a win has them."""
TILE_FIELDS: Final = frozenset({"concealed", "melds"})
"""Optional in the tiles of a pending hand; a stored record has them."""


@dataclass(frozen=True)
class HandEntry:
    """What the umpire enters: everything else about a hand is derived from it.

    Players are numbers; `discarder` is None for a self-drawn hand; `tiles` is a record as `scoring.engine.Hand`
    reads.

    A win has its tiles or what was announced: `fans` (key → times) or `points`, flowers included. If it has both,
    the tiles count, unless `override` says why the announcement does.

    A pending hand has the `dispute` in words, and the `tiles` and `claimants` as far as they are known.

    Seat wind, prevalent wind and `self_drawn` may be missing from `tiles`; if present they must be right.
    """

    outcome: str
    winner: int | None = None
    discarder: int | None = None
    tiles: Mapping[str, Any] | None = None
    points: int | None = None
    fans: Mapping[str, int] | None = None
    override: str = ""
    """Why the announcement counts against the tiles or below the minimum."""
    claimants: tuple[int, ...] = ()
    """Other players who claimed the winning discard; of a pending hand, the players who claim it."""
    absent: tuple[int, ...] | None = None
    """Players with an empty seat and no stand-in; None where it is unknown."""
    dispute: str = ""
    """What each side of a pending hand claims."""

    @property
    def depth(self) -> int:
        """How detailed a win is: 1 its points, 2 its fans, 3 its tiles; 0 if nobody has won."""
        if self.outcome != WIN:
            return 0
        return 3 if self.tiles is not None else 2 if self.fans is not None else 1

    @property
    def is_unfinished(self) -> bool:
        """Whether only some of the tiles are entered."""
        return (
            self.outcome not in (DRAW, PENDING)
            and self.tiles is not None
            and 0 < _count_tiles(self.tiles) < TILES_IN_HAND
        )

    def repeats(self, recorded: HandEntry) -> bool:
        """Return whether `recorded` may have been stored from this entry.

        A stored entry also has the winds and `self_drawn`, further absent players, and no unnecessary `override`.
        """
        names = ("outcome", "winner", "discarder", "points", "fans", "claimants")
        return (
            all(getattr(self, name) == getattr(recorded, name) for name in names)
            and set(self.absent or ()) <= set(recorded.absent or ())
            and recorded.override in ("", self.override.strip())
            and recorded.dispute == self.dispute.strip()
            and _repeats_tiles(self.tiles, recorded.tiles)
        )

    def derived_fields(self, start: str, hand_number: int, chart: Chart) -> dict[str, Any]:
        """Return the derived fields of a winner who started the session at wind `start`."""
        return {
            "seat_wind": seat_wind(start, hand_number, chart),
            "prevalent_wind": prevalent_wind(hand_number),
            "self_drawn": self.discarder is None,
        }


def _repeats_tiles(tiles: Mapping[str, Any] | None, recorded: Mapping[str, Any] | None) -> bool:
    if tiles is None or recorded is None:
        return tiles is recorded
    added = recorded.keys() - tiles.keys()
    return {**recorded, **tiles} == recorded and added <= DERIVED_FIELDS | TILE_FIELDS


def _count_tiles(tiles: Mapping[str, Any]) -> int:
    """Count the tiles, a meld as three; 0 for a malformed record."""
    concealed, melds = tiles.get("concealed"), tiles.get("melds")
    if not isinstance(concealed, list) or not isinstance(melds, list):
        return 0
    return len(concealed) + 3 * len(melds)


ERASED: Final = "[…]"
"""Replaces every erased text."""

CODE_KEYS: Final = frozenset(
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
"""Keys of an entry's data whose texts are codes, keys or times and nobody's words. All other texts are separated,
so that new keys are safe by default."""

Texts = dict[str, dict[str, Any]]
"""Key of the data → {"sha", "value", "salt"}; without "salt" the text is erased."""


def separate_texts(data: Mapping[str, Any], salt: Callable[[], str]) -> tuple[dict[str, Any], Texts]:
    """Split an entry's data into what is hashed as it is, and typed texts that are bound to it by hash.

    The body is hashed for good, so it holds only numbers and codes. Of a text only the salted hash is in the chain:
    it can be erased without breaking the chain, not changed unnoticed, and not guessed without its salt (ADR 24).
    """
    texts = {key: _with_hash(value, salt()) for key, value in data.items() if _has_text(key, value)}
    return {key: value for key, value in data.items() if key not in texts}, texts


def _has_text(key: str, value: Any) -> bool:
    """Return whether a value contains, at any depth, a text that is no code."""
    if key in CODE_KEYS:
        return False
    match value:
        case str():
            return bool(value)
        case list() | tuple():
            return any(_has_text(key, part) for part in value)
        case dict():
            return any(_has_text(str(name), part) for name, part in value.items())
    return False


def _with_hash(value: Any, salt: str) -> dict[str, Any]:
    return {"sha": _hash(value, salt), "salt": salt, "value": value}


def _hash(value: Any, salt: str) -> str:
    body = json.dumps([salt, value], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(body.encode()).hexdigest()


def join_texts(data: Mapping[str, Any], texts: Texts) -> dict[str, Any]:
    """Return an entry's data with its texts, as far as they are not erased."""
    return {**data, **{key: text["value"] for key, text in texts.items()}}


def text_hashes(texts: Texts) -> dict[str, str]:
    """Return the hashes of the texts, which are part of the chain."""
    return {key: text["sha"] for key, text in texts.items()}


def is_intact(text: Mapping[str, Any]) -> bool:
    """Return whether a text matches its hash, or was erased."""
    if "salt" in text:
        return bool(text["sha"] == _hash(text["value"], text["salt"]))
    return bool(text["value"] == erase_value(text["value"]))


def erase_text(texts: Texts, key: str) -> Texts:
    """Return the texts with one of them erased."""
    text = texts[key]
    return texts | {key: {"sha": text["sha"], "value": erase_value(text["value"])}}


def erase_value(value: Any) -> Any:
    """Return a value of the same shape with every text erased."""
    match value:
        case str():
            return ERASED if value else ""
        case list():
            return [erase_value(part) for part in value]
        case dict():
            return {key: erase_value(part) for key, part in value.items()}
    return value
