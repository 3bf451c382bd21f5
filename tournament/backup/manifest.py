"""What a backup says of itself, first of all: how it is read, when and why it was made, and what is in it.

{"format": 1, "layout": "…", "version": "0.1.0", "made_at": "2026-05-02T14:31:07+00:00", "why": "asked", "by": "Olga",
 "database": "sqlite", "state": "…", "accounts": 5,
 "tournaments": [{"slug", "name", "version", "last_hash", "players", "hands", "standings"}],
 "parts": [{"name", "rows", "size", "sha256"}]}
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

FORMAT: Final = 1
NAME: Final = "manifest.json"
MOST: Final = 16 * 1024 * 1024
"""Bytes; a manifest of ten thousand documents has two million."""

T = TypeVar("T")


class Unreadable(ValueError):
    """This is no manifest of a backup."""


class OtherFormat(Unreadable):
    """A backup in a format that is not known here: made by a newer Hule."""


@dataclass(frozen=True)
class Part:
    """One file in the archive. `rows`: lines after the heading, for a table."""

    name: str
    rows: int
    size: int
    sha256: str


@dataclass(frozen=True)
class Event:
    """A tournament as it stood: `last_hash` is that of its newest entry, `standings` a digest of its ranking."""

    slug: str
    name: str
    version: int
    last_hash: str
    players: int
    hands: int
    standings: str


@dataclass(frozen=True)
class Manifest:
    layout: str
    version: str
    made_at: datetime
    why: str
    by: str
    database: str
    state: str
    accounts: int
    tournaments: tuple[Event, ...]
    parts: tuple[Part, ...]

    @property
    def hands(self) -> int:
        return sum(event.hands for event in self.tournaments)

    def written(self) -> bytes:
        body = {"format": FORMAT, **asdict(self), "made_at": self.made_at.isoformat()}
        return json.dumps(body, ensure_ascii=False, indent=1).encode()


def read(text: bytes) -> Manifest:
    """Raises OtherFormat and Unreadable."""
    try:
        body = json.loads(text)
        form = body["format"]
        if form != FORMAT:
            raise OtherFormat(str(form)[:20])
        return Manifest(
            **{key: _text(body[key]) for key in ("layout", "version", "why", "by", "database", "state")},
            made_at=_moment(body["made_at"]),
            accounts=_count(body["accounts"]),
            tournaments=_list(body["tournaments"], _event),
            parts=_list(body["parts"], _part),
        )
    except Unreadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise Unreadable(repr(fault)[:200]) from None


def _event(body: dict[str, Any]) -> Event:
    slug, name, last_hash, standings = (
        _text(body[key]) for key in ("slug", "name", "last_hash", "standings")
    )
    version, players, hands = (_count(body[key]) for key in ("version", "players", "hands"))
    return Event(slug, name, version, last_hash, players, hands, standings)


def _part(body: dict[str, Any]) -> Part:
    return Part(_text(body["name"]), _count(body["rows"]), _count(body["size"]), _text(body["sha256"]))


def _list(values: Any, read_one: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(values, list):
        raise Unreadable("a list is missing")
    return tuple(read_one(value) for value in values)


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 300:
        raise Unreadable("a text is missing")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise Unreadable("a number is missing")
    return value


def _moment(value: Any) -> datetime:
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise Unreadable("a time without its zone")
    return moment
