"""One table's session in a transcript, and how places in a transcript are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from penalties.engine import Sanction
from penalties.engine.facts import select_details
from scoring.engine.problems import Problem
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.exchange.transcripts.format import SeatEventKind, TranscriptError
from tournament.play.engine.statements import Accusation, BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.services.absences import UNNAMED_STAND_IN

Data = Mapping[str, Any]

# --- The sheet ---


@dataclass(frozen=True)
class SeatEvent:
    """What happened to a player's seat."""

    kind: SeatEventKind
    player: int
    after: int | None = None
    """Number of hands recorded before; None for all."""
    minutes: int | None = None
    """How late an absent player arrived; None if the player did not arrive."""
    name: str = UNNAMED_STAND_IN
    """Of the stand-in."""
    because: str = ""
    """Why the others begin."""
    after_penalties: int = 0
    """Number of the table's penalties given before."""


@dataclass(frozen=True)
class SheetPenalty:
    """A foul and its penalty."""

    foul: Accusation
    after: int | None = None
    """Number of hands recorded before it was given; None for all."""
    cancelled: str = ""
    """Why it was cancelled, after the appeals against it; empty if it was not."""


@dataclass(frozen=True)
class SheetAppeal:
    """An appeal against a hand, a penalty or the whole sheet, and its ruling."""

    player: int
    text: str
    hand: int | None = None
    penalty: int | None = None
    """The n-th of the table, from 1."""
    after: int | None = None
    """Number of hands recorded before it was opened; None for all."""
    granted: bool | None = None
    """None without a ruling."""
    ruling: str = ""
    carried_out: bool = False
    waived: str = ""
    """Why a granted appeal was not carried out."""
    was: HandEntry | None = None
    """The hand before the correction that carried the ruling out."""


@dataclass(frozen=True)
class Sheet:
    """One table's session."""

    seats: dict[str, int]
    """Starting wind → player number."""
    hands: tuple[HandEntry, ...]
    """Hands 1, 2, 3…"""
    penalties: tuple[SheetPenalty, ...]
    """In the order in which they were given."""
    seat_events: tuple[SeatEvent, ...] = ()
    appeals: tuple[SheetAppeal, ...] = ()
    signed: tuple[int, ...] = ()
    disagreed: tuple[int, ...] = ()
    """Players who withdrew their signature."""
    unplayed: bool = False
    """Whether nobody played at the table."""
    extra_minutes: int = 0
    totals: TotalsEntry | None = None
    """Without the points of penalties. If there are any, the totals count and not the hands."""


def parse_sheet(table: Data) -> Sheet:
    """Return the sheet of a table, whose shape has been checked."""
    return Sheet(
        seats={wind: table["seats"][wind] for wind in WINDS},
        hands=tuple(map(_hand, table["hands"])),
        penalties=tuple(map(_penalty, table["penalties"])),
        seat_events=tuple(map(_seat_event, table.get("presence") or ())),
        appeals=tuple(map(_appeal, table.get("appeals") or ())),
        signed=tuple(table.get("signed") or ()),
        disagreed=tuple(table.get("disagreed") or ()),
        unplayed=table.get("unplayed") or False,
        extra_minutes=table.get("extra_minutes") or 0,
        totals=_totals(table["totals"]) if table.get("totals") else None,
    )


def pick(data: Data, *names: str) -> dict[str, Any]:
    """Return the named values that are there and not null."""
    return {name: data[name] for name in names if data.get(name) is not None}


def _hand(data: Data) -> HandEntry:
    return HandEntry(
        **pick(data, "outcome", "winner", "discarder", "points", "fans", "dispute"),
        tiles=data.get("hand"),
        override=(data.get("override") or "").strip(),
        claimants=tuple(data.get("claimants") or ()),
        absent=tuple(data.get("absent") or ()),
    )


def _penalty(data: Data) -> SheetPenalty:
    sanction = data.get("sanction")
    foul = Accusation(
        **pick(data, "player", "foul", "victim", "because"),
        hand_number=data.get("hand"),
        details=select_details(data),
        imposed=None if sanction is None else Sanction.from_json(sanction),
    )
    return SheetPenalty(foul, **pick(data, "after", "cancelled"))


def _seat_event(data: Data) -> SeatEvent:
    name = (data.get("name") or "").strip() or UNNAMED_STAND_IN
    values = pick(data, "player", "after", "minutes", "because", "after_penalties")
    return SeatEvent(SeatEventKind(data["what"]), name=name, **values)


def _appeal(data: Data) -> SheetAppeal:
    names = ("player", "text", "hand", "penalty", "after", "granted", "ruling", "carried_out", "waived")
    return SheetAppeal(**pick(data, *names), was=_hand(data["was"]) if data.get("was") else None)


# --- Totals ---


def _totals(data: Data) -> TotalsEntry:
    lines, best = data["figures"], data.get("best")
    return TotalsEntry(
        points={line["player"]: line["points"] for line in lines},
        wins=_counts(lines, "wins"),
        deal_ins=_counts(lines, "deal_ins"),
        hands=data.get("hands"),
        best=BestHand(best["player"], best["points"]) if best else None,
        sure=True,
    )


def _counts(lines: list[Data], name: str) -> dict[int, int | None] | None:
    """Return player → count; None if there is no count of any player."""
    counts = {line["player"]: line.get(name) for line in lines}
    return None if all(value is None for value in counts.values()) else counts


def totals_to_json(totals: Totals | None) -> dict[str, Any] | None:
    """Return totals as they are in a transcript."""
    if totals is None:
        return None
    wins, deal_ins = totals.wins or {}, totals.deal_ins or {}
    lines = [
        {"player": int(player), "points": points}
        | ({"wins": wins[player]} if player in wins else {})
        | ({"deal_ins": deal_ins[player]} if player in deal_ins else {})
        for player, points in totals.payments.items()
    ]
    optional = {"hands": totals.hands, "best": totals.best}
    return {"figures": lines} | {name: value for name, value in optional.items() if value is not None}


# --- Places ---


@contextmanager
def refusals_at(where: str) -> Iterator[None]:
    """Turn a refusal inside into a TranscriptError that names the place."""
    try:
        yield
    except Refused as refused:
        problem = refused.problems[0]
        raise TranscriptError(_precise_place(where, problem), problem) from refused


def _precise_place(where: str, problem: Problem) -> str:
    """Return the place with the one that the service reports: "players" and "4.country" give "player 5, country"."""
    inner = problem.where
    if inner.startswith("session "):
        return inner
    if where == "players":
        row, _, field = inner.partition(".")
        return f"player {int(row) + 1}, {field}" if row.isdigit() else where
    return where


def place_in(table: Table, item: str = "") -> str:
    """Return the place of a table, or of an item there: "session 4, table 2, hand 7"."""
    place = f"session {table.session.number}, table {table.number}"
    return f"{place}, {item}" if item else place


def uuid_of(table: Table, item: str) -> UUID:
    """Return the UUID with which an item of a table is written; the same each time, so that a write can be repeated."""
    session: Any = table.session
    return uuid5(NAMESPACE_URL, f"hule:{session.tournament.slug}/{session.number}/{table.number}/{item}")
