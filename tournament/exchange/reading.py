"""Reading a transcript: its shape, its types and that it is complete. What the rules say, the services check.

The format is described in docs/transcript.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from penalties.engine import Sanction
from penalties.engine.sanctions import UNREADABLE
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.engine.entry import HandEntry
from tournament.engine.rotation import WINDS
from tournament.engine.statements import Accusation
from tournament.exchange.records import Record, TranscriptError
from tournament.models import Hand, Player, Tournament
from tournament.selectors.entrants import Entrant
from tournament.selectors.particulars import Particulars

FORMAT: Final = "hule-transcript"
VERSION: Final = 1
_LONGEST_WORD: Final = 40
"""Characters of a key: a rulebook, a foul, an outcome."""


@dataclass(frozen=True)
class Given:
    """A foul, and after how many recorded hands its penalty was given; None where that is not said."""

    foul: Accusation
    after: int | None = None


@dataclass(frozen=True)
class Sheet:
    """One table's session: starting wind → player number, hands 1, 2, 3… and the penalties in the order given."""

    seats: dict[str, int]
    hands: tuple[HandEntry, ...]
    penalties: tuple[Given, ...]


@dataclass(frozen=True)
class Transcript:
    """A tournament as it was written down: sessions and, in each, the sheets of tables 1, 2, 3…"""

    particulars: Particulars
    players: tuple[Entrant, ...]
    sessions: tuple[tuple[Sheet, ...], ...]


def load(text: str) -> Transcript:
    """The transcript a text holds; raises TranscriptError at the first thing that is not as it must be."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise TranscriptError(f"line {error.lineno}", Problem("not_json")) from None
    except (RecursionError, ValueError):  # nested thousands deep, a number of thousands of digits
        raise TranscriptError("transcript", Problem("not_json")) from None
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise TranscriptError("format", Problem("not_a_transcript"))
    record = Record(data, "")
    particulars = _particulars(record.record("tournament", "tournament"))
    players = tuple(_entrant(player) for player in record.records("players", "player"))
    sessions = tuple(tuple(_sheets(session)) for session in record.numbered("sessions", "session"))
    if (planned := particulars.sessions_planned) != len(sessions):
        problem = Problem("sessions_missing", "", {"planned": planned, "written": len(sessions)})
        raise TranscriptError("sessions", problem)
    return Transcript(particulars, players, sessions)


def _particulars(record: Record) -> Particulars:
    return Particulars(
        name=record.text("name", _longest(Tournament, "name")),
        venue=record.text("venue", _longest(Tournament, "venue"), optional=True),
        starts_on=record.day("starts_on"),
        ends_on=record.day("ends_on"),
        rulebook=record.text("rulebook", _LONGEST_WORD),
        sessions_planned=record.whole("sessions", least=1),
        minutes=record.whole("minutes", least=1),
        held_out_waits=record.yes_or_no_if_given("held_out_waits"),
    )


def _entrant(record: Record) -> Entrant:
    optional: dict[str, Any] = {
        name: record.text(name, _longest(Player, name), optional=True)
        for name in ("first_name", "country", "ema_number", "team", "club")
    }
    return Entrant(
        last_name=record.text("last_name", _longest(Player, "last_name")),
        number=record.whole("number"),
        **optional,
    )


def _sheets(session: Record) -> Iterator[Sheet]:
    for table in session.numbered("tables", "table"):
        seats = table.record("seats", table.where)
        hands = tuple(_hand(hand) for hand in table.numbered("hands", "hand"))
        yield Sheet(
            seats={wind: seats.whole(wind) for wind in WINDS},
            hands=hands,
            penalties=tuple(_penalties(table, len(hands))),
        )


def _hand(record: Record) -> HandEntry:
    return HandEntry(
        outcome=record.text("outcome", _LONGEST_WORD),
        winner=record.whole_if_given("winner"),
        discarder=record.whole_if_given("discarder"),
        tiles=dict(record.record("hand", record.where).fields)
        if record.fields.get("hand") is not None
        else None,
        points=record.whole_if_given("points"),
        fans=_fans(record),
        override=record.text("override", _longest(Hand, "overridden_because"), optional=True).strip(),
        claimants=tuple(record.wholes("claimants")),
        absent=tuple(record.wholes("absent")),
    )


def _fans(record: Record) -> dict[str, int] | None:
    """The fans announced, key → times."""
    if record.fields.get("fans") is None:
        return None
    fans = record.record("fans", record.where)
    return {key: fans.whole(key, least=1) for key in fans.fields}


def _penalties(table: Record, hands: int) -> Iterator[Given]:
    """In the order given; where it is not said after how many hands, all of them were recorded."""
    least = 0
    for record in table.records("penalties", "penalty"):
        stated = record.fields.get("after") is not None
        after = record.whole("after", least, hands) if stated else None
        least = hands if after is None else after
        yield Given(_foul(record), after)


def _foul(record: Record) -> Accusation:
    given = {name for name, value in record.fields.items() if value is not None}
    details: dict[str, Any] = {name: record.whole(name) for name in ("minutes", "points") if name in given}
    details |= {name: record.yes_or_no(name) for name in ("hu_was_valid", "tile_seen") if name in given}
    if "circumstance" in given:
        details["circumstance"] = record.text("circumstance", _LONGEST_WORD)
    return Accusation(
        player=record.whole("player"),
        foul=record.text("foul", _LONGEST_WORD),
        hand_number=record.whole_if_given("hand"),
        victim=record.whole_if_given("victim"),
        details=details,
        imposed=_sanction(record) if "sanction" in given else None,
        because=record.text("because", _longest(Penalty, "because")) if "because" in given else "",
    )


def _sanction(record: Record) -> Sanction:
    """The umpire's own, in the form in which penalties are stored."""
    try:
        return Sanction.from_json(record.fields["sanction"])
    except UNREADABLE:
        raise record.fault("not_understood", "sanction") from None


def _longest(model: Any, field: str) -> int:
    return int(model._meta.get_field(field).max_length)
