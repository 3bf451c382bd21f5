"""One table's session as a transcript tells it, and the places in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from penalties.engine import Sanction
from penalties.engine.facts import stated
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
    """What happened to a seat, `after` as many of the table's hands were recorded, None for all of them.

    `after_penalties`: after so many of those given then. `minutes`: how late who is `absent` came, None for who did
    not; `name` of a stand-in; `because`: why the others begin.
    """

    what: SeatEventKind
    player: int
    after: int | None = None
    minutes: int | None = None
    name: str = UNNAMED_STAND_IN
    because: str = ""
    after_penalties: int = 0


@dataclass(frozen=True)
class SheetPenalty:
    """A foul, and after how many recorded hands its penalty was given; None where that is not said.

    `cancelled`: why it was taken back, once the appeals against it were heard; empty for one that stands.
    """

    foul: Accusation
    after: int | None = None
    cancelled: str = ""


@dataclass(frozen=True)
class SheetAppeal:
    """An appeal against a hand, a penalty (the n-th of the table, from 1) or the sheet, and what became of it.

    `granted` None where it is not ruled. `was`: the hand as it stood, where correcting it carried the ruling out.
    """

    player: int
    text: str
    hand: int | None = None
    penalty: int | None = None
    after: int | None = None
    granted: bool | None = None
    ruling: str = ""
    carried_out: bool = False
    waived: str = ""
    was: HandEntry | None = None


@dataclass(frozen=True)
class Sheet:
    """One table's session: starting wind → player number, hands 1, 2, 3… and the penalties in the order given.

    `signed`, `disagreed`: who signed it, and who took the signature back. `unplayed`: that nobody played there.
    """

    seats: dict[str, int]
    hands: tuple[HandEntry, ...]
    penalties: tuple[SheetPenalty, ...]
    moves: tuple[SeatEvent, ...] = ()
    appeals: tuple[SheetAppeal, ...] = ()
    signed: tuple[int, ...] = ()
    disagreed: tuple[int, ...] = ()
    unplayed: bool = False
    extra_minutes: int = 0
    totals: TotalsEntry | None = None
    """Without the penalties; they count, and the hands stand beside them."""


def parse_sheet(table: Data) -> Sheet:
    """Read what is written of a table, once its shape is known to be right."""
    return Sheet(
        seats={wind: table["seats"][wind] for wind in WINDS},
        hands=tuple(map(_hand, table["hands"])),
        penalties=tuple(map(_penalty, table["penalties"])),
        moves=tuple(map(_seat_event, table.get("presence") or ())),
        appeals=tuple(map(_appeal, table.get("appeals") or ())),
        signed=tuple(table.get("signed") or ()),
        disagreed=tuple(table.get("disagreed") or ()),
        unplayed=table.get("unplayed") or False,
        extra_minutes=table.get("extra_minutes") or 0,
        totals=_totals(table["totals"]) if table.get("totals") else None,
    )


def pick(data: Data, *names: str) -> dict[str, Any]:
    """What is said of these."""
    return {name: data[name] for name in names if data.get(name) is not None}


def _hand(data: Data) -> HandEntry:
    return HandEntry(
        **pick(data, "outcome", "winner", "discarder", "points", "fans"),
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
        details=stated(data),
        imposed=None if sanction is None else Sanction.from_json(sanction),
    )
    return SheetPenalty(foul, **pick(data, "after", "cancelled"))


def _seat_event(data: Data) -> SeatEvent:
    name = (data.get("name") or "").strip() or UNNAMED_STAND_IN
    about = pick(data, "player", "after", "minutes", "because", "after_penalties")
    return SeatEvent(SeatEventKind(data["what"]), name=name, **about)


def _appeal(data: Data) -> SheetAppeal:
    names = ("player", "text", "hand", "penalty", "after", "granted", "ruling", "carried_out", "waived")
    return SheetAppeal(**pick(data, *names), was=_hand(data["was"]) if data.get("was") else None)


# --- Totals ---


def _totals(data: Data) -> TotalsEntry:
    """Without the penalties, which stand beside them."""
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
    """None where nobody counted."""
    counts = {line["player"]: line.get(name) for line in lines}
    return None if all(value is None for value in counts.values()) else counts


def totals_to_json(totals: Totals | None) -> dict[str, Any] | None:
    """Write the totals that count as they are read."""
    if totals is None:
        return None
    wins, deal_ins = totals.wins or {}, totals.deal_ins or {}
    lines = [
        {"player": int(player), "points": points}
        | ({"wins": wins[player]} if player in wins else {})
        | ({"deal_ins": deal_ins[player]} if player in deal_ins else {})
        for player, points in totals.payments.items()
    ]
    more = {"hands": totals.hands, "best": totals.best}
    return {"figures": lines} | {name: value for name, value in more.items() if value is not None}


# --- Places ---


@contextmanager
def at(where: str) -> Iterator[None]:
    """Turn a refusal inside into a TranscriptError that names the place."""
    try:
        yield
    except Refused as refused:
        problem = refused.problems[0]
        raise TranscriptError(_precise_place(where, problem), problem) from refused


def _precise_place(where: str, problem: Problem) -> str:
    """The place, as near as the service said it: "players" and "4.country" give "player 5, country"."""
    inner = problem.where
    if inner.startswith("session "):
        return inner
    if where == "players":
        row, _, field = inner.partition(".")
        return f"player {int(row) + 1}, {field}" if row.isdigit() else where
    return where


def place_in(table: Table, what: str = "") -> str:
    here = f"session {table.session.number}, table {table.number}"
    return f"{here}, {what}" if what else here


def uuid_of(table: Table, what: str) -> UUID:
    """The same write of the same tournament has the same UUID, so that it can be repeated."""
    session: Any = table.session
    return uuid5(NAMESPACE_URL, f"hule:{session.tournament.slug}/{session.number}/{table.number}/{what}")
