"""What stands in the JSON fields of an event's models: their shapes, in the file and everywhere else."""

from __future__ import annotations

from typing import Any, Final

from penalties.engine.facts import DETAILS
from penalties.engine.sanctions import UNREADABLE, Sanction
from scoring.engine import InvalidHand
from scoring.engine.validation import check_partial
from scoring.quiz.own import question_of
from tournament.base.engine.rules import Rules
from tournament.screens.engine.screens import Kind
from tournament.web.shapes import Anything, ListOf, MapOf, Moment, OneOf, OrNull, Record, Shape, Text, Whole

_TEXTS: Final = MapOf(Text(20_000), "^[A-Za-z-]{1,16}$")
"""Language → text."""
_NUMBER: Final = Whole(0, 32_767)
_NUMBERS: Final = ListOf(_NUMBER)
_POINTS: Final = Whole(-(2**31), 2**31 - 1)
_DIGITS: Final = "^[0-9]{1,6}$"
_FIGURE: Final = Text(40, pattern="^-?[0-9]+([./][0-9]+)?$")
_UNREADABLE: Final = (*UNREADABLE, InvalidHand, LookupError, ZeroDivisionError, RecursionError)
_FANS: Final = MapOf(Whole(0, 1000), "^[a-z0-9_]{1,40}$")
_STANDS: Final[dict[str, Shape]] = {"rank": Whole(1, 32_767), "table_points": _FIGURE, "game_points": _POINTS}


def _hand(record: dict[str, Any]) -> None:
    """Winds and the way of winning may be told by the table, so they need not stand there."""
    if check_partial(record):
        raise ValueError(record)


def _puzzle(record: dict[str, Any]) -> None:
    question_of(record, "")


_RECORD: Final = Anything("object", _hand, _UNREADABLE, about="A hand, as docs/transcript.md has it.")
WRITTEN: Final[dict[str, Shape]] = {
    "tournament.Tournament.rules_snapshot": Anything(
        "object", Rules.from_json, _UNREADABLE, "The rules as they were when the event was made."
    ),
    "tournament.EmaColumns.columns": ListOf(
        Record({"heading": Text(80), "field": Text(40), "text": Text(200)})
    ),
    "tournament.Totals.points": MapOf(_POINTS, _DIGITS),
    "tournament.Totals.payments": MapOf(_POINTS, _DIGITS),
    "tournament.Totals.wins": OrNull(MapOf(OrNull(_NUMBER), _DIGITS)),
    "tournament.Totals.deal_ins": OrNull(MapOf(OrNull(_NUMBER), _DIGITS)),
    "tournament.Totals.best": OrNull(Record({"player": _NUMBER, "points": _POINTS})),
    "tournament.EventPage.description": _TEXTS,
    "tournament.EventPage.fee": _TEXTS,
    "tournament.EventPage.rules_note": _TEXTS,
    "tournament.Question.text": _TEXTS,
    "tournament.Question.choices": ListOf(_TEXTS),
    "tournament.Registration.answers": MapOf(Anything(), _DIGITS),
    "tournament.Session.pauses": ListOf(
        Record({"since": Moment, "until": OrNull(Moment), "reason": Text(300)})
    ),
    "tournament.Final.groups": ListOf(_NUMBERS),
    "tournament.Hand.tiles": _RECORD,
    "tournament.Hand.announced": Record({}, {"points": OrNull(_NUMBER), "fans": OrNull(_FANS)}),
    "tournament.Hand.claimants": _NUMBERS,
    "tournament.Hand.absent": _NUMBERS,
    "tournament.Hand.fans": ListOf(Record({"key": Text(40), "points": _NUMBER, "count": _NUMBER})),
    "tournament.Hand.payments": MapOf(_POINTS, _DIGITS),
    "penalties.Penalty.facts": Record({}, {name: Anything() for name in DETAILS}),
    "penalties.Penalty.sanction": Anything("object", Sanction.from_json, _UNREADABLE),
    "penalties.Penalty.proposed": Anything("object", Sanction.from_json, _UNREADABLE),
    "penalties.Penalty.effects": MapOf(Anything(), _DIGITS),
    "tournament.Signature.sheet": MapOf(ListOf(Anything(), 2, 2), _DIGITS),
    "tournament.Screen.turns": ListOf(
        Record({"kind": OneOf(tuple(kind.value for kind in Kind)), "seconds": _NUMBER})
    ),
    "tournament.Announcement.translations": _TEXTS,
    "tournament.Announcement.tables": _NUMBERS,
    "tournament.Publication.rows": ListOf(Record({"number": _NUMBER, **_STANDS})),
    "tournament.Ceremony.lines": ListOf(
        Record(
            {
                "name": Text(300),
                "country": Text(80),
                "about": Text(300),
                **{name: OrNull(shape) for name, shape in _STANDS.items()},
            }
        )
    ),
    "tournament.Puzzle.record": Anything(
        "object", _puzzle, _UNREADABLE, "What is asked: a hand, whole or one tile short."
    ),
    "tournament.LogEntry.data": Anything("object"),
    "tournament.LogEntry.texts": MapOf(
        Record({"sha": Text(64, 64), "value": Anything()}, {"salt": Text(64)})
    ),
    "tournament.Extension.data": Anything(),
}
"""Model and field → shape. A field that may be empty in the database may be null."""
