"""One table's session as a transcript tells it, read field by field, each fault with its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Final, TypeVar, overload
from uuid import NAMESPACE_URL, UUID, uuid5

from penalties.engine import Sanction
from penalties.engine.facts import DETAILS, FactKind
from penalties.engine.sanctions import UNREADABLE
from penalties.models import Penalty
from scoring.engine.problems import Problem, ProblemCode, problem_code
from tournament.base.engine.entries import HandEntry
from tournament.base.engine.rules import WINDS
from tournament.base.errors import Refused
from tournament.base.models.play import Absence, Appeal, Hand, Seat, Table
from tournament.base.problems import NOT_UNDERSTOOD
from tournament.play.engine.statements import MOST_TOTAL, Accusation, BestHand, TotalsEntry
from tournament.play.models import Totals
from tournament.play.services.absences import STAND_IN
from tournament.web.shapes import (
    FIELD_MISSING,
    FIELD_NOT_A_DAY,
    FIELD_NOT_A_LIST,
    FIELD_NOT_A_NUMBER,
    FIELD_NOT_AN_OBJECT,
    FIELD_NOT_TEXT,
    FIELD_NOT_YES_OR_NO,
    FIELD_OUT_OF_RANGE,
    FIELD_TOO_LONG,
)

FILE_NOT_AN_OBJECT = problem_code(
    "file_not_an_object", "this is not an object ({{…}}), as the format asks for."
)
OUT_OF_ORDER = problem_code(
    "out_of_order", "number {given} stands where number {next} has to.", also=("field",)
)
PLAYED_ALL_THE_SAME = problem_code("played_all_the_same", "nobody played here, and there are hands.")

# --- The sheet ---


LONGEST_WORD: Final = 40
"""Characters of a key: a rulebook, a foul, an outcome."""
BREAKS: Final = "\n\r\t"


class What(StrEnum):
    """What happens to a seat."""

    ABSENT = "absent"
    """Its player is missing since the gong."""
    OTHERS_BEGIN = "others_begin"
    """The umpire lets the others begin before the foul book does."""
    ARRIVED = "arrived"
    STAND_IN = "stand_in"
    """Somebody else plays in it."""
    BACK = "back"
    """Its player takes it back."""
    WITHDRAWN = "withdrawn"
    """Its player leaves the tournament, and a stand-in plays on."""
    READMITTED = "readmitted"


@dataclass(frozen=True)
class Move:
    """What happened to a seat, `after` as many of the table's hands were recorded, None for all of them.

    `after_penalties`: after so many of those given then. `minutes`: how late who is `absent` came, None for who did
    not; `name` of a stand-in; `because`: why the others begin.
    """

    what: What
    player: int
    after: int | None = None
    minutes: int | None = None
    name: str = STAND_IN
    because: str = ""
    after_penalties: int = 0


@dataclass(frozen=True)
class Given:
    """A foul, and after how many recorded hands its penalty was given; None where that is not said.

    `cancelled`: why it was taken back, once the appeals against it were heard; empty for one that stands.
    """

    foul: Accusation
    after: int | None = None
    cancelled: str = ""


@dataclass(frozen=True)
class Appealed:
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
    penalties: tuple[Given, ...]
    moves: tuple[Move, ...] = ()
    appeals: tuple[Appealed, ...] = ()
    signed: tuple[int, ...] = ()
    disagreed: tuple[int, ...] = ()
    unplayed: bool = False
    extra_minutes: int = 0
    totals: TotalsEntry | None = None
    """Without the penalties; they count, and the hands stand beside them."""


def sheet_in(table: Record) -> Sheet:
    """Read what is written of a table (docs/transcript.md).

    Raises TranscriptError at the first thing that is not as it must be.
    """
    seats = table.record("seats", table.where)
    hands = tuple(_hand(hand) for hand in table.numbered("hands", "hand"))
    unplayed = table.yes_or_no_if_given("unplayed") or False
    totals = totals_in(table)
    if unplayed and (hands or totals):
        raise TranscriptError(table.where, PLAYED_ALL_THE_SAME())
    penalties = tuple(_penalties(table, len(hands)))
    return Sheet(
        seats={wind: seats.whole(wind) for wind in WINDS},
        hands=hands,
        penalties=penalties,
        moves=tuple(_moves(table, len(hands), len(penalties))),
        appeals=tuple(_appeals(table, len(hands), len(penalties))),
        signed=tuple(table.wholes("signed")),
        disagreed=tuple(table.wholes("disagreed")),
        unplayed=unplayed,
        extra_minutes=table.whole_if_given("extra_minutes") or 0,
        totals=totals,
    )


def longest(model: Any, field: str) -> int:
    return int(model._meta.get_field(field).max_length)


def _hand(record: Record) -> HandEntry:
    return HandEntry(
        outcome=record.text("outcome", LONGEST_WORD),
        winner=record.whole_if_given("winner"),
        discarder=record.whole_if_given("discarder"),
        tiles=dict(record.record("hand", record.where).fields) if record.has("hand") else None,
        points=record.whole_if_given("points"),
        fans=_fans(record),
        override=record.text("override", longest(Hand, "overridden_because"), optional=True).strip(),
        claimants=tuple(record.wholes("claimants")),
        absent=tuple(record.wholes("absent")),
    )


def _fans(record: Record) -> dict[str, int] | None:
    """The fans announced, key → times."""
    if not record.has("fans"):
        return None
    fans = record.record("fans", record.where)
    return {key: fans.whole(key, least=1) for key in fans.fields}


def _in_order(table: Record, name: str, label: str, hands: int) -> Iterator[tuple[Record, int | None]]:
    """Each with after how many hands it was, which never goes down; where it is not said, all were recorded."""
    least = 0
    for record in table.records(name, label, optional=name != "penalties"):
        after = record.whole_if_given("after", least, hands)
        least = hands if after is None else after
        yield record, after


def _penalties(table: Record, hands: int) -> Iterator[Given]:
    for record, after in _in_order(table, "penalties", "penalty", hands):
        most = longest(Penalty, "cancelled_because")
        yield Given(_foul(record), after, record.text("cancelled", most, optional=True))


def _foul(record: Record) -> Accusation:
    return Accusation(
        player=record.whole("player"),
        foul=record.text("foul", LONGEST_WORD),
        hand_number=record.whole_if_given("hand"),
        victim=record.whole_if_given("victim"),
        details={name: _fact(record, name, kind) for name, kind in DETAILS.items() if record.has(name)},
        imposed=_sanction(record) if record.has("sanction") else None,
        because=record.text("because", longest(Penalty, "because"), optional=True),
    )


def _fact(record: Record, name: str, kind: FactKind) -> int | bool | str:
    match kind:
        case FactKind.YES_NO:
            return record.yes_or_no(name)
        case FactKind.CHOICE:
            return record.text(name, LONGEST_WORD)
        case _:
            return record.whole(name)


def _sanction(record: Record) -> Sanction:
    """The umpire's own, in the form in which penalties are stored."""
    try:
        return Sanction.from_json(record.fields["sanction"])
    except UNREADABLE:
        raise record.fault(NOT_UNDERSTOOD, "sanction") from None


def _moves(table: Record, hands: int, penalties: int) -> Iterator[Move]:
    for record, after in _in_order(table, "presence", "presence", hands):
        what = record.text("what", LONGEST_WORD)
        if what not in set(What):
            raise record.fault(NOT_UNDERSTOOD, "what")
        yield Move(
            What(what),
            record.whole("player"),
            after,
            record.whole_if_given("minutes", least=1),
            record.text("name", longest(Seat, "stand_in"), optional=True).strip() or STAND_IN,
            record.text("because", longest(Absence, "begun_because"), optional=True),
            record.whole_if_given("after_penalties", 1, penalties) or 0,
        )


def _appeals(table: Record, hands: int, penalties: int) -> Iterator[Appealed]:
    for record, after in _in_order(table, "appeals", "appeal", hands):
        yield Appealed(
            record.whole("player"),
            record.text("text", longest(Appeal, "text"), breaks=BREAKS),
            record.whole_if_given("hand"),
            record.whole_if_given("penalty", 1, penalties),
            after,
            record.yes_or_no_if_given("granted"),
            record.text("ruling", longest(Appeal, "ruling"), optional=True, breaks=BREAKS),
            record.yes_or_no_if_given("carried_out") or False,
            record.text("waived", longest(Appeal, "settled_because"), optional=True),
            _hand(record.record("was", record.where)) if record.has("was") else None,
        )


# --- Totals ---


def totals_in(table: Record) -> TotalsEntry | None:
    """Read a table's totals, without the penalties, which stand beside them; None for one played by hands."""
    if not table.has("totals"):
        return None
    totals = table.record("totals", table.where)
    lines = list(totals.records("figures", "figures"))
    best = totals.record("best", totals.where) if totals.has("best") else None
    return TotalsEntry(
        points={line.whole("player"): line.whole("points", -MOST_TOTAL, MOST_TOTAL) for line in lines},
        wins=_counted(lines, "wins"),
        deal_ins=_counted(lines, "deal_ins"),
        hands=totals.whole_if_given("hands"),
        best=BestHand(best.whole("player"), best.whole("points")) if best else None,
        sure=True,
    )


def _counted(lines: list[Record], name: str) -> dict[int, int | None] | None:
    """None where nobody counted."""
    counts = {line.whole("player"): line.whole_if_given(name) for line in lines}
    return None if all(value is None for value in counts.values()) else counts


def totals_of(totals: Totals | None) -> dict[str, Any] | None:
    """Write the totals that count as `totals_in` reads them."""
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


# --- Records ---


T = TypeVar("T")

MOST: Final = 32_767
"""The largest whole number a transcript needs, and the database's small integers hold."""


class TranscriptError(Exception):
    """Where the transcript is wrong ("session 4, table 2, hand 7") and the first fault there."""

    def __init__(self, where: str, problem: Problem) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{where}: {problem.code}")


@dataclass(frozen=True)
class Record:
    """A JSON object and its place in the transcript, read field by field, each of its type and range.

    Raises `TranscriptError`, which names the place, for what is not as it has to.
    """

    fields: Mapping[str, Any]
    where: str

    def has(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def text(self, name: str, most: int, *, optional: bool = False, breaks: str = "") -> str:
        """A text of at most so many characters; a missing optional one is ''. `breaks`: the controls it may hold."""
        value = self._of(name, str, "" if optional else None)
        if len(value) > most:
            raise self.fault(FIELD_TOO_LONG, name, most=most)
        if any(unicodedata.category(char) in ("Cc", "Cs") and char not in breaks for char in value):
            raise self.fault(FIELD_NOT_TEXT, name)
        return value

    def whole(self, name: str, least: int = 0, most: int = MOST) -> int:
        """A whole number in a range."""
        value = self._of(name, int)
        if not least <= value <= most:
            raise self.fault(FIELD_OUT_OF_RANGE, name, least=least, most=most)
        return value

    def whole_if_given(self, name: str, least: int = 0, most: int = MOST) -> int | None:
        return self.whole(name, least, most) if self.has(name) else None

    def wholes(self, name: str) -> list[int]:
        """A list of whole numbers; a missing one is empty."""
        values = self._of(name, list, [])
        self._check_whole(values, name)
        return values

    def lists_of_wholes(self, name: str) -> list[list[int]]:
        values = self._of(name, list)
        if not all(isinstance(value, list) for value in values):
            raise self.fault(FIELD_NOT_A_LIST, name)
        for numbers in values:
            self._check_whole(numbers, name)
        return values

    def _check_whole(self, values: list[Any], name: str) -> None:
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            raise self.fault(FIELD_NOT_A_NUMBER, name)
        if not all(0 <= value <= MOST for value in values):
            raise self.fault(FIELD_OUT_OF_RANGE, name, least=0, most=MOST)

    def yes_or_no(self, name: str) -> bool:
        return self._of(name, bool)

    def yes_or_no_if_given(self, name: str) -> bool | None:
        return self.yes_or_no(name) if self.has(name) else None

    def day(self, name: str) -> date:
        """A day as ISO 8601 writes it: 2026-11-14."""
        try:
            return date.fromisoformat(self._of(name, str))
        except ValueError:
            raise self.fault(FIELD_NOT_A_DAY, name) from None

    def record(self, name: str, where: str) -> Record:
        return Record(self._of(name, dict), where)

    def records(self, name: str, label: str, *, optional: bool = False) -> Iterator[Record]:
        """Give the objects of a list; a missing optional one is empty.

        Each is under the place "<here>, <label> <n>", n from 1.
        """
        for n, value in enumerate(self._of(name, list, [] if optional else None), 1):
            where = ", ".join(part for part in (self.where, f"{label} {n}") if part)
            if not isinstance(value, dict):
                raise TranscriptError(where, FILE_NOT_AN_OBJECT())
            yield Record(value, where)

    def numbered(self, name: str, label: str) -> Iterator[Record]:
        """The objects of a list whose own numbers must run 1, 2, 3…"""
        for n, record in enumerate(self.records(name, label), 1):
            if (given := record.whole("number")) != n:
                raise record.fault(OUT_OF_ORDER, "number", given=given, next=n)
            yield record

    @overload
    def _of(self, name: str, kind: type[T]) -> T: ...
    @overload
    def _of(self, name: str, kind: type[T], default: T | None) -> T: ...
    def _of(self, name: str, kind: type[T], default: T | None = None) -> T:
        value = self.fields.get(name, default)
        if value is None:
            raise self.fault(FIELD_MISSING, name)
        # JSON's true and false are no numbers, though Python's bool is an int.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fault(_WRONG_KIND[kind], name)
        return value

    def fault(self, code: ProblemCode, name: str, **params: str | int) -> TranscriptError:
        return TranscriptError(self.where or "transcript", code(name, field=name, **params))


_WRONG_KIND: Final[Mapping[type, ProblemCode]] = {
    str: FIELD_NOT_TEXT,
    int: FIELD_NOT_A_NUMBER,
    bool: FIELD_NOT_YES_OR_NO,
    dict: FIELD_NOT_AN_OBJECT,
    list: FIELD_NOT_A_LIST,
}


# --- Places ---


@contextmanager
def at(where: str) -> Iterator[None]:
    """Turn a refusal inside into a TranscriptError that names the place."""
    try:
        yield
    except Refused as refused:
        problem = refused.problems[0]
        raise TranscriptError(_closer(where, problem), problem) from refused


def _closer(where: str, problem: Problem) -> str:
    """The place, as near as the service said it: "players" and "4.country" give "player 5, country"."""
    inner = problem.where
    if inner.startswith("session "):
        return inner
    if where == "players":
        row, _, field = inner.partition(".")
        return f"player {int(row) + 1}, {field}" if row.isdigit() else where
    return where


def place(table: Table, what: str = "") -> str:
    here = f"session {table.session.number}, table {table.number}"
    return f"{here}, {what}" if what else here


def uuid_of(table: Table, what: str) -> UUID:
    """The same write of the same tournament has the same UUID, so that it can be repeated."""
    session: Any = table.session
    return uuid5(NAMESPACE_URL, f"hule:{session.tournament.slug}/{session.number}/{table.number}/{what}")
