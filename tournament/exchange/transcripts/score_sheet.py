"""One table's session as a transcript tells it: the seats, the hands, and everything else that happened there.

The format is described in docs/transcript.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from penalties.engine import Sanction
from penalties.engine.facts import DETAILS, FactKind
from penalties.engine.sanctions import UNREADABLE
from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base.engine.entry import HandEntry
from tournament.base.engine.rotation import WINDS
from tournament.base.models.appeals import Appeal
from tournament.base.models.hands import Hand
from tournament.base.models.play import Absence, Seat
from tournament.exchange.transcripts.records import Record, TranscriptError
from tournament.exchange.transcripts.sheet_totals import totals_in
from tournament.play.engine.statements import Accusation
from tournament.play.engine.totals import TotalsEntry
from tournament.play.services.absences import STAND_IN

LONGEST_WORD: Final = 40
"""Characters of a key: a rulebook, a foul, an outcome."""
LONGEST_TEXT: Final = 100_000
"""Characters of what an appeal says."""
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
    """`after` as many of the table's hands were recorded, None for all of them, and `after_penalties` of those given
    then. `minutes`: how late who is `absent` came, None for who did not; `name` of a stand-in; `because`: why the
    others begin."""

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
    """What is written of a table; raises TranscriptError at the first thing that is not as it must be."""
    seats = table.record("seats", table.where)
    hands = tuple(_hand(hand) for hand in table.numbered("hands", "hand"))
    unplayed = table.yes_or_no_if_given("unplayed") or False
    totals = totals_in(table)
    if unplayed and (hands or totals):
        raise TranscriptError(table.where, Problem("played_all_the_same"))
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


def _in_order(table: Record, name: str, label: str, hands: int) -> Iterator[tuple[Record, int | None]]:
    """Each with after how many hands it was, which never goes down; where it is not said, all were recorded."""
    least = 0
    for record in table.records(name, label, optional=name != "penalties"):
        after = record.whole_if_given("after", least, hands)
        least = hands if after is None else after
        yield record, after


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
        raise record.fault("not_understood", "sanction") from None


def _moves(table: Record, hands: int, penalties: int) -> Iterator[Move]:
    for record, after in _in_order(table, "presence", "presence", hands):
        said = record.text("what", LONGEST_WORD)
        if said not in set(What):
            raise record.fault("not_understood", "what")
        yield Move(
            What(said),
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
            record.text("text", LONGEST_TEXT, breaks=BREAKS),
            record.whole_if_given("hand"),
            record.whole_if_given("penalty", 1, penalties),
            after,
            record.yes_or_no_if_given("granted"),
            record.text("ruling", LONGEST_TEXT, optional=True, breaks=BREAKS),
            record.yes_or_no_if_given("carried_out") or False,
            record.text("waived", longest(Appeal, "settled_because"), optional=True),
            _hand(record.record("was", record.where)) if record.has("was") else None,
        )


def longest(model: Any, field: str) -> int:
    return int(model._meta.get_field(field).max_length)
