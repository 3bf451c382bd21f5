"""The shape of transcripts (`hule-transcript`, version 1; docs/api/transcript.md), and its validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise
from typing import Any, Final

from penalties.engine import Names, Sanction
from penalties.engine.facts import DETAILS, FactKind
from penalties.engine.rules import rule_from_json
from penalties.engine.sanctions import PARSE_ERRORS
from penalties.models import Penalty
from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.finals import Carry
from tournament.base.engine.rules import WINDS, Attendance, PlaySettings, rules_named
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Appeal, Hand, Seat
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NOT_UNDERSTOOD
from tournament.play.engine.statements import MAX_TOTAL
from tournament.web.shapes import (
    FIELD_NOT_AN_OBJECT,
    Anything,
    Constant,
    Day,
    ListOf,
    MapOf,
    OneOf,
    OrNull,
    Record,
    Shape,
    Text,
    Whole,
    YesNo,
    child_pointer,
    fault,
)

FILE_NOT_AN_OBJECT = problem_code(
    "file_not_an_object", "this is not an object ({{…}}), as the format asks for."
)
OUT_OF_ORDER = problem_code("out_of_order", "found number {given}, expected {next}.", also=("field",))
PLAYED_ALL_THE_SAME = problem_code("played_all_the_same", "nobody played here, and there are hands.")

FORMAT: Final = "hule-transcript"
VERSION: Final = 1


class SeatEventKind(StrEnum):
    """What happens to a seat during a session."""

    ABSENT = "absent"
    """Its player is absent from the start of the session."""
    OTHERS_BEGIN = "others_begin"
    """The umpire lets the others begin earlier than the foul book does."""
    ARRIVED = "arrived"
    STAND_IN = "stand_in"
    """A stand-in plays in it."""
    BACK = "back"
    """Its player plays in it again."""
    WITHDRAWN = "withdrawn"
    """Its player withdraws from the tournament, and a stand-in plays on."""
    READMITTED = "readmitted"


# --- Shapes ---


class _OneOf(OneOf):
    """`OneOf` with the same problem for every other value."""

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if value not in self.values:
            yield fault(NOT_UNDERSTOOD, at)


class _Numbered(ListOf):
    """A list whose records are numbered 1, 2, 3 …"""

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        faults = list(super().faults(value, at))
        yield from faults
        for index, record in enumerate(() if faults else value):
            if record["number"] != index + 1:
                pointer = child_pointer(child_pointer(at, index), "number")
                yield fault(OUT_OF_ORDER, pointer, given=record["number"], next=index + 1)


class _Table(Record):
    """A table. In each of its lists `after` never decreases; without it, all hands were recorded before."""

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        faults = list(super().faults(value, at))
        yield from faults
        if faults:
            return
        hands, penalty_number = len(value["hands"]), Whole(1, len(value["penalties"]))
        shapes_by_list = {
            "penalties": {},
            "presence": {"after_penalties": penalty_number},
            "appeals": {"penalty": penalty_number},
        }
        for name, shapes in shapes_by_list.items():
            minimum = 0
            for index, record in enumerate(value.get(name) or ()):
                for field, shape in {"after": Whole(minimum, hands), **shapes}.items():
                    pointer = child_pointer(child_pointer(child_pointer(at, name), index), field)
                    yield from OrNull(shape).faults(record.get(field), pointer)
                minimum = hands if record.get("after") is None else record["after"]
        if value.get("unplayed") and (hands or value.get("totals")):
            yield PLAYED_ALL_THE_SAME(at)


def _record(
    required: Mapping[str, Shape], optional: Mapping[str, Shape] | None = None, kind: type[Record] = Record
) -> Record:
    """Return the shape of a record. An optional field may be null; unknown fields are ignored."""
    return kind(required, {name: OrNull(shape) for name, shape in (optional or {}).items()}, is_open=True)


_CONTROLS: Final = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_WORD: Final = Text(40, pattern=rf"^[^{_CONTROLS}\t\n\r]*$")
"""A key of a rulebook, a foul or an outcome."""
_LINES: Final = Text(pattern=rf"^[^{_CONTROLS}]*$")
_NUMBER: Final = Whole(0, 32_767)
"""The range of a small integer field."""
_COUNT: Final = Whole(1, _NUMBER.maximum)
_NUMBERS: Final = ListOf(_NUMBER)


def _line(model: Any, field: str, kind: Text = _WORD) -> Text:
    """Return a text with the maximum length of a model's field, on one line unless `kind` is another text."""
    return replace(kind, maximum=model._meta.get_field(field).max_length)


def _lines(model: Any, *fields: str) -> dict[str, Shape]:
    return {field: _line(model, field) for field in fields}


def _object(read: Any = None) -> Anything:
    return Anything("object", read, PARSE_ERRORS)


PLAY: Final = rules_named("mcr").play.to_json()
"""Name of a play setting → its value in the rulebook `mcr`."""


def _play_setting(name: str) -> Anything:
    def read(value: object) -> None:
        PlaySettings.from_json(PLAY | {name: value})

    return Anything("", read, (*PARSE_ERRORS, ArithmeticError))


_FOUL: Final = _record(
    {"key": _WORD, "rule": _object(rule_from_json)},
    {"names": _object(Names.from_json), "description": _object(Names.from_json)},
)
_TOURNAMENT: Final = _record(
    {
        "name": _line(Tournament, "name"),
        "starts_on": Day,
        "ends_on": Day,
        "rulebook": _WORD,
        "sessions": _COUNT,
        "minutes": _COUNT,
    },
    {
        **_lines(Tournament, "venue", "time_zone"),
        "foul_book": _WORD,
        "appeal_minutes": _NUMBER,
        "appeal_deposit": _line(Tournament, "appeal_deposit"),
        "public": YesNo(),
        "penalties_public": YesNo(),
        **{name: _play_setting(name) for name in PLAY},
        "held_out_waits": YesNo(),
        "fouls": ListOf(_FOUL),
        "attendance": _object(Attendance.from_json),
    },
)
_PLAYER: Final = _record(
    {"number": _NUMBER, "last_name": _line(Player, "last_name")},
    {
        **_lines(Player, "first_name", "country", "ema_number", "team", "club"),
        "substitute": YesNo(),
        "withdrawn": YesNo(),
    },
)
_PLAYED: Final[Mapping[str, Shape]] = {
    "winner": _NUMBER,
    "discarder": _NUMBER,
    "claimants": _NUMBERS,
    "absent": _NUMBERS,
    "hand": _object(),
    "fans": MapOf(_COUNT),
    "points": _NUMBER,
    "override": _line(Hand, "overridden_because"),
    "dispute": _line(Hand, "dispute", _LINES),
}
_FACTS: Final[Mapping[FactKind, Shape]] = {
    FactKind.WHOLE: _NUMBER,
    FactKind.YES_NO: YesNo(),
    FactKind.CHOICE: _WORD,
}
_PENALTY: Final = _record(
    {"player": _NUMBER, "foul": _WORD},
    {
        "hand": _NUMBER,
        "after": _NUMBER,
        "victim": _NUMBER,
        **{name: _FACTS[kind] for name, kind in DETAILS.items()},
        "sanction": _object(Sanction.from_json),
        "because": _line(Penalty, "because"),
        "cancelled": _line(Penalty, "cancelled_because"),
    },
)
_SEAT_EVENT: Final = _record(
    {"what": _OneOf(tuple(SeatEventKind)), "player": _NUMBER},
    {
        "after": _NUMBER,
        "minutes": _COUNT,
        "name": _line(Seat, "stand_in"),
        "because": _line(Absence, "begun_because"),
        "after_penalties": _NUMBER,
    },
)
_APPEAL: Final = _record(
    {"player": _NUMBER, "text": _line(Appeal, "text", _LINES)},
    {
        "hand": _NUMBER,
        "penalty": _NUMBER,
        "after": _NUMBER,
        "granted": YesNo(),
        "ruling": _line(Appeal, "ruling", _LINES),
        "carried_out": YesNo(),
        "waived": _line(Appeal, "settled_because"),
        "was": _record({"outcome": _WORD}, _PLAYED),
    },
)
_POINTS: Final[Mapping[str, Shape]] = {"player": _NUMBER, "points": Whole(-MAX_TOTAL, MAX_TOTAL)}
_TOTALS: Final = _record(
    {"figures": ListOf(_record(_POINTS, {"wins": _NUMBER, "deal_ins": _NUMBER}))},
    {"hands": _NUMBER, "best": _record({"player": _NUMBER, "points": _NUMBER})},
)
_TABLE: Final = _record(
    {
        "number": _NUMBER,
        "seats": _record(dict.fromkeys(WINDS, _NUMBER)),
        "hands": _Numbered(_record({"number": _NUMBER, "outcome": _WORD}, _PLAYED)),
        "penalties": ListOf(_PENALTY),
    },
    {
        "unplayed": YesNo(),
        "extra_minutes": _NUMBER,
        "totals": _TOTALS,
        "presence": ListOf(_SEAT_EVENT),
        "appeals": ListOf(_APPEAL),
        "signed": _NUMBERS,
        "disagreed": _NUMBERS,
    },
    _Table,
)
_SESSION: Final = _record(
    {"number": _NUMBER, "tables": _Numbered(_TABLE)},
    {
        "final": _record({"carry": _OneOf(tuple(Carry)), "groups": ListOf(_NUMBERS)}),
        "without": _NUMBERS,
        "withdrawn": _NUMBERS,
        "readmitted": _NUMBERS,
        "extra_minutes": _NUMBER,
        "pauses": ListOf(
            _record({"at": _NUMBER, "because": _line(Penalty, "because")}, {"seconds": _NUMBER})
        ),
    },
)
TRANSCRIPT: Final = _record(
    {
        "format": Constant(FORMAT),
        "version": Constant(VERSION),
        "tournament": _TOURNAMENT,
        "players": ListOf(_PLAYER),
        "sessions": _Numbered(_SESSION),
    }
)

# --- Faults ---


class TranscriptError(Exception):
    """The place of a problem in a transcript ("session 4, table 2, hand 7"), and the problem."""

    def __init__(self, where: str, problem: Problem) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{where}: {problem.code}")


_RECORD_WORDS: Final = {
    "fouls": "foul",
    "players": "player",
    "sessions": "session",
    "pauses": "pause",
    "tables": "table",
    "figures": "figures",
    "hands": "hand",
    "penalties": "penalty",
    "presence": "presence",
    "appeals": "appeal",
}
"""Name of a list → the word for one of its records in a place."""


def check_format(data: Mapping[str, Any]) -> None:
    """Raise TranscriptError with the first value that does not have its shape."""
    for problem in TRANSCRIPT.faults(data, ""):
        raise _transcript_error(problem)


def _transcript_error(problem: Problem) -> TranscriptError:
    """Return the error of a problem with a pointer: "/sessions/3/tables/1/…" becomes "session 4, table 2"."""
    parts = problem.where.split("/")[1:]
    places = [
        f"{_RECORD_WORDS[name]} {int(index) + 1}"
        for name, index in pairwise(parts)
        if name in _RECORD_WORDS and index.isdigit()
    ]
    if parts[0] == "tournament":
        places.insert(0, "tournament")
    where = ", ".join(places) or "transcript"
    if problem.code == FIELD_NOT_AN_OBJECT.code and parts[-1].isdigit():
        return TranscriptError(where, FILE_NOT_AN_OBJECT())
    field = next(part for part in reversed(parts) if not part.isdigit())
    params = {**problem.params, "field": field} if "field" in problem.params else problem.params
    return TranscriptError(where, replace(problem, where=field, params=params))
