"""What the file of a tournament carries (docs/api/tournament-file.md), and what stays where it is, and why.

Every model of an event is one line here. Its fields, their kinds and their ranges are read from the model, so a field
that is added is carried by itself, unless it is said here why not. A model that is neither carried nor left behind
fails `tests/house/test_carried.py`, and so does a JSON field without a shape.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from penalties.engine.facts import DETAILS
from penalties.engine.sanctions import UNREADABLE, Sanction
from scoring.engine import InvalidHand
from scoring.engine.problems import check_partial
from scoring.quiz.questions import question_from_record
from tournament.base.engine.rules import Rules
from tournament.screens.engine import Kind
from tournament.web.shapes import Anything, ListOf, MapOf, Moment, OneOf, OrNull, Record, Shape, Text, Whole


@dataclass(frozen=True)
class Carried:
    """One model, in a section of the file; its rows stand there in the order they were made.

    `of`: the way from a row to its tournament. `key`: the fields by which other rows name one of these; without any it
    is its place in the section, from 1. `single`: there is one in an event or none, so the section is an object and
    nothing names it. `left`: fields that the file does not say, with the reason. `keyed`: JSON objects whose names are
    keys of rows of another model.
    """

    label: str
    section: str
    of: str = "tournament"
    key: tuple[str, ...] = ()
    single: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """What fields are called in the file, where that is otherwise."""
    left: Mapping[str, str] = field(default_factory=dict)
    keyed: Mapping[str, str] = field(default_factory=dict)


_AT_TABLE: Final = "table__session__tournament"
_FOLLOWS: Final = "follows from the rest"

CARRIED: Final[tuple[Carried, ...]] = (
    Carried(
        "tournament.Person",
        "persons",
        of="players__tournament",
        left={
            "key": _FOLLOWS,
            "merged_into": "somebody who was merged is nobody's player",
            "made_at": "when the row was made in one installation",
        },
    ),
    Carried(
        "tournament.PersonName", "person_names", of="person__players__tournament", left={"key": _FOLLOWS}
    ),
    Carried(
        "tournament.Player",
        "players",
        key=("number",),
        left={"excluded_as": _FOLLOWS, "excluded_at": _FOLLOWS},
    ),
    Carried("tournament.EventPage", "event_page", single=True),
    Carried("tournament.EmaColumns", "ema_columns", single=True),
    Carried("tournament.CertificateDesign", "certificates", single=True),
    Carried("tournament.EventDocument", "event_documents", key=("uuid",), left={"size": _FOLLOWS}),
    Carried("tournament.TimetableItem", "timetable", key=("uuid",)),
    Carried("tournament.CheckIn", "check_in", single=True),
    Carried("tournament.PrivacyPlan", "privacy", single=True),
    Carried("tournament.RegistrationPlan", "registration_plan", single=True),
    Carried("tournament.KeptPlaces", "kept_places", of="plan__tournament"),
    Carried("tournament.Question", "questions", of="plan__tournament"),
    Carried(
        "tournament.Registration",
        "registrations",
        key=("number",),
        keyed={"answers": "tournament.Question"},
    ),
    Carried("tournament.LetterText", "letter_texts"),
    Carried(
        "tournament.Mail",
        "letters",
        key=("key",),
        left={"try_at": "a letter that came with a file is not tried again"},
    ),
    Carried("tournament.TournamentAccount", "account", single=True),
    Carried("tournament.Fee", "fees"),
    Carried("tournament.Due", "dues"),
    Carried("tournament.Payment", "payments", of="due__tournament", key=("uuid",)),
    Carried("tournament.Session", "sessions", key=("number",)),
    Carried("tournament.Table", "tables", of="session__tournament", key=("session", "number")),
    Carried("tournament.Seat", "seats", of=_AT_TABLE),
    Carried("tournament.Final", "finals"),
    Carried("tournament.Hand", "hands", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Totals", "totals", of=_AT_TABLE, key=("uuid",)),
    Carried("penalties.Penalty", "penalties", key=("uuid",)),
    Carried("tournament.Absence", "absences", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Appeal", "appeals", of=_AT_TABLE, key=("uuid",)),
    Carried("tournament.Signature", "signatures", of=_AT_TABLE),
    Carried("tournament.Call", "calls", of=_AT_TABLE),
    Carried("tournament.Membership", "memberships"),
    Carried("tournament.Watch", "rota", of="membership__tournament"),
    Carried("tournament.Screen", "screens", key=("name",)),
    Carried("tournament.Announcement", "announcements", key=("uuid",)),
    Carried("tournament.Publication", "publications", key=("version",)),
    Carried("tournament.Ceremony", "ceremonies"),
    Carried("tournament.Puzzle", "puzzles", key=("uuid",)),
    Carried("tournament.LogEntry", "log", key=("seq",)),
    Carried("tournament.Extension", "extensions", key=("name",), names={"name": "id", "spec_url": "specUrl"}),
)
"""Every model of an event that its file carries, each after those that it names: the order in which they are stored."""

OF_LABEL: Final[dict[str, Carried]] = {carried.label: carried for carried in CARRIED}
"""Model → its line."""

OF_TOURNAMENT_LEFT: Final[dict[str, str]] = {
    "id": "a number of one installation",
    "created_at": "when the row was made in one installation; the first entry of the log says when the event was",
}
"""Fields of the tournament itself that its file does not say."""

SECRET: Final = "lets somebody in, or writes to somebody's phone or chat: it is for one installation alone"

MADE_ANEW: Final = "made of the rest whenever it is asked for"

OF_ALL_EVENTS: Final = "of a person beyond any one event, in one installation"

LEFT_BEHIND: Final[dict[str, str]] = {
    "tournament.Tournament": "the section `tournament`, of which the others are",
    "tournament.Arrival": "how it came into one installation",
    "tournament.FormerAccount": "the section `staff`, made of everybody who is named",
    "tournament.DocumentJob": MADE_ANEW,
    "tournament.TrialJob": MADE_ANEW,
    "tournament.Invitation": SECRET,
    "tournament.Pass": SECRET,
    "tournament.Phone": SECRET,
    "tournament.Webhook": SECRET,
    "tournament.Delivery": SECRET,
    "tournament.Visit": SECRET,
    "tournament.ApiToken": SECRET,
    "tournament.PersonChange": OF_ALL_EVENTS,
    "tournament.NotThem": OF_ALL_EVENTS,
}
"""Models of an event that stay where they are when it leaves, and why."""

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
    """Refuse what is no hand.

    Winds and the way of winning may be told by the table, so they need not stand there.
    """
    if check_partial(record):
        raise ValueError(record)


def _puzzle(record: dict[str, Any]) -> None:
    question_from_record(record, "")


_RECORD: Final = Anything("object", _hand, _UNREADABLE, about="A hand, as docs/api/transcript.md has it.")
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
    "tournament.Registration.changed_from": MapOf(Text(80), "^(country|club)$"),
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
