"""The sections of a tournament file (docs/api/tournament-file.md), and the models and fields it leaves out.

Each section contains the rows of one model. Its columns are read from the model's fields, so that a new field is
exported unless it is omitted here with a reason. `tests/house/test_sections.py` fails for a model that is neither in
`SECTIONS` nor in `EXCLUDED_MODELS`, and for a JSON field without a shape.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.apps import apps
from django.db.models import Model, QuerySet

from penalties.engine.facts import DETAILS
from penalties.engine.sanctions import PARSE_ERRORS, Sanction
from scoring.engine import InvalidHand
from scoring.engine.problems import check_partial
from scoring.quiz.questions import question_from_record
from tournament.base.engine.rules import Rules
from tournament.base.models.tournament import Tournament
from tournament.screens.engine import Kind
from tournament.web.shapes import (
    Anything,
    ListOf,
    MapOf,
    Moment,
    OneOf,
    OrNull,
    Record,
    Shape,
    Text,
    Whole,
    child_pointer,
)


@dataclass(frozen=True)
class Section:
    """The rows of one model, in the order they were created."""

    label: str
    """Label of the model."""
    name: str
    """Name of the section in the file."""
    path: str = "tournament"
    """Lookup from a row to its tournament."""
    key: tuple[str, ...] = ()
    """Fields by which other rows refer to a row; without any, its position in the section, from 1."""
    single: bool = False
    """Whether an event has at most one row: the section is then an object or null, and references to it are implied."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Field → its name in the file, if that differs."""
    omitted: Mapping[str, str] = field(default_factory=dict)
    """Field that is not in the file → the reason."""
    json_keys: Mapping[str, str] = field(default_factory=dict)
    """JSON field → label of the model whose rows its keys refer to."""

    @property
    def model(self) -> type[Model]:
        return apps.get_model(self.label)

    def rows_of(self, tournament: Tournament) -> QuerySet[Any]:
        """Return the stored rows of a tournament, in the order they were created."""
        rows = self.model._default_manager.filter(**{self.path: tournament.pk}).order_by("pk")
        return rows if self.path == "tournament" else rows.distinct()

    def rows_in(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of the section in a file."""
        content: Any = data[self.name]
        if self.single:
            return [] if content is None else [content]
        return list(content)

    def key_of(self, values: Mapping[str, Any], number: int) -> Any:
        """Return the key of the row with these values, which is the `number`th of the section, from 1."""
        if not self.key:
            return number
        parts = [values[self.renamed.get(name, name)] for name in self.key]
        return parts[0] if len(parts) == 1 else "/".join(map(str, parts))

    def row_pointer(self, index: int) -> str:
        """Return the JSON pointer of a row, by its index from 0."""
        pointer = child_pointer("", self.name)
        return pointer if self.single else child_pointer(pointer, index)


_AT_TABLE: Final = "table__session__tournament"
_FOLLOWS: Final = "follows from the rest"

SECTIONS: Final[tuple[Section, ...]] = (
    Section(
        "tournament.Person",
        "persons",
        path="players__tournament",
        omitted={
            "key": _FOLLOWS,
            "merged_into": "a person who was merged has no players",
            "made_at": "when the row was created in one installation",
        },
    ),
    Section(
        "tournament.PersonName", "person_names", path="person__players__tournament", omitted={"key": _FOLLOWS}
    ),
    Section(
        "tournament.Player",
        "players",
        key=("number",),
        omitted={"excluded_as": _FOLLOWS, "excluded_at": _FOLLOWS, "has_namesake": _FOLLOWS},
    ),
    Section("tournament.EventPage", "event_page", single=True),
    Section("tournament.PrizePlan", "prize_plan", single=True),
    Section("tournament.Prize", "prizes"),
    Section("tournament.EmaCertification", "ema_certification", single=True),
    Section("tournament.EmaColumns", "ema_columns", single=True),
    Section("tournament.CertificateDesign", "certificates", single=True),
    Section("tournament.EventDocument", "event_documents", key=("uuid",), omitted={"size": _FOLLOWS}),
    Section("tournament.TimetableItem", "timetable", key=("uuid",)),
    Section("tournament.CheckIn", "check_in", single=True),
    Section("tournament.PrivacyPlan", "privacy", single=True),
    Section("tournament.RegistrationPlan", "registration_plan", single=True),
    Section("tournament.PlaceReservation", "place_reservations", path="plan__tournament"),
    Section("tournament.Question", "questions", path="plan__tournament"),
    Section(
        "tournament.Registration",
        "registrations",
        key=("number",),
        json_keys={"answers": "tournament.Question"},
    ),
    Section("tournament.LetterText", "letter_texts"),
    Section(
        "tournament.Mail",
        "letters",
        key=("key",),
        omitted={"try_at": "imported mail is not sent again"},
    ),
    Section("tournament.TournamentAccount", "account", single=True),
    Section("tournament.Fee", "fees"),
    Section("tournament.Due", "dues"),
    Section("tournament.Payment", "payments", path="due__tournament", key=("uuid",)),
    Section("tournament.Session", "sessions", key=("number",)),
    Section("tournament.Table", "tables", path="session__tournament", key=("session", "number")),
    Section("tournament.Seat", "seats", path=_AT_TABLE),
    Section("tournament.Final", "finals"),
    Section("tournament.Hand", "hands", path=_AT_TABLE, key=("uuid",)),
    Section("tournament.Totals", "totals", path=_AT_TABLE, key=("uuid",)),
    Section("penalties.Penalty", "penalties", key=("uuid",)),
    Section("tournament.Absence", "absences", path=_AT_TABLE, key=("uuid",)),
    Section("tournament.Appeal", "appeals", path=_AT_TABLE, key=("uuid",)),
    Section("tournament.Signature", "signatures", path=_AT_TABLE),
    Section("tournament.Call", "calls", path=_AT_TABLE),
    Section("tournament.Membership", "memberships"),
    Section("tournament.Watch", "rota", path="membership__tournament"),
    Section("tournament.Screen", "screens", key=("name",)),
    Section("tournament.Announcement", "announcements", key=("uuid",)),
    Section("tournament.Publication", "publications", key=("version",)),
    Section("tournament.Ceremony", "ceremonies"),
    Section("tournament.Puzzle", "puzzles", key=("uuid",)),
    Section("tournament.LogEntry", "log", key=("seq",)),
    Section(
        "tournament.Extension", "extensions", key=("name",), renamed={"name": "id", "spec_url": "specUrl"}
    ),
)
"""All sections, each after those it refers to: the order in which they are stored."""

TOURNAMENT_SECTION: Final = Section(
    "tournament.Tournament",
    "tournament",
    path="pk",
    single=True,
    omitted={
        "id": "a number of one installation",
        "created_at": "when the row was created in one installation; the first log entry has when the event was",
    },
)
"""The tournament itself, to which all other sections belong."""

SECTION_OF: Final[dict[str, Section]] = {section.label: section for section in SECTIONS}
"""Label of a model → its section."""

SECRET: Final = "gives access, or reaches somebody's phone or chat, in one installation"

PRIVATE: Final = "may show people, and is only for the umpires and organisers of one installation"

DERIVED: Final = "generated from other rows on demand"

CROSS_EVENT: Final = "about a person across the events of one installation"

EXCLUDED_MODELS: Final[dict[str, str]] = {
    "tournament.Tournament": "the section `tournament`",
    "tournament.Arrival": "how the event was imported into one installation",
    "tournament.FormerAccount": "in the section `staff`, with every account that is referred to",
    "tournament.HandPhoto": PRIVATE,
    "tournament.DocumentJob": DERIVED,
    "tournament.TrialJob": DERIVED,
    "tournament.Invitation": SECRET,
    "tournament.Pass": SECRET,
    "tournament.Phone": SECRET,
    "tournament.Webhook": SECRET,
    "tournament.Delivery": SECRET,
    "tournament.Visit": SECRET,
    "tournament.ApiToken": SECRET,
    "tournament.PersonChange": CROSS_EVENT,
    "tournament.RejectedPerson": CROSS_EVENT,
}
"""Label of a model that is not exported → the reason."""

_TEXTS: Final = MapOf(Text(20_000), "^[A-Za-z-]{1,16}$")
"""Language → text."""
_NUMBER: Final = Whole(0, 32_767)
_NUMBERS: Final = ListOf(_NUMBER)
_POINTS: Final = Whole(-(2**31), 2**31 - 1)
_DIGITS: Final = "^[0-9]{1,6}$"
_FIGURE: Final = Text(40, pattern="^-?[0-9]+([./][0-9]+)?$")
_UNREADABLE: Final = (*PARSE_ERRORS, InvalidHand, LookupError, ZeroDivisionError, RecursionError)
_FANS: Final = MapOf(Whole(0, 1000), "^[a-z0-9_]{1,40}$")
_STANDING: Final[dict[str, Shape]] = {
    "rank": Whole(1, 32_767),
    "table_points": _FIGURE,
    "game_points": _POINTS,
}


def _check_hand(record: dict[str, Any]) -> None:
    """Raise ValueError for a record that is not a hand.

    Winds and the way of winning may be missing: they may follow from the table.
    """
    if check_partial(record):
        raise ValueError(record)


def _check_puzzle(record: dict[str, Any]) -> None:
    question_from_record(record, "")


_HAND_RECORD: Final = Anything(
    "object", _check_hand, _UNREADABLE, about="A hand, as docs/api/transcript.md has it."
)
JSON_SHAPES: Final[dict[str, Shape]] = {
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
    "tournament.EventPage.rules_note": _TEXTS,
    "tournament.Question.text": _TEXTS,
    "tournament.Question.choices": ListOf(_TEXTS),
    "tournament.Registration.answers": MapOf(Anything(), _DIGITS),
    "tournament.Registration.changed_from": MapOf(Text(80), "^(country|club)$"),
    "tournament.Session.pauses": ListOf(
        Record({"since": Moment, "until": OrNull(Moment), "reason": Text(300)})
    ),
    "tournament.Final.groups": ListOf(_NUMBERS),
    "tournament.Final.confirmed": ListOf(_NUMBERS),
    "tournament.Hand.tiles": _HAND_RECORD,
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
    "tournament.Publication.rows": ListOf(Record({"number": _NUMBER, **_STANDING})),
    "tournament.Ceremony.lines": ListOf(
        Record(
            {
                "name": Text(300),
                "country": Text(80),
                "about": Text(300),
                **{name: OrNull(shape) for name, shape in _STANDING.items()},
            },
            {"prize": Text(4000)},
        )
    ),
    "tournament.Puzzle.record": Anything(
        "object", _check_puzzle, _UNREADABLE, "What is asked: a hand, whole or one tile short."
    ),
    "tournament.LogEntry.data": Anything("object"),
    "tournament.LogEntry.texts": MapOf(
        Record({"sha": Text(64, 64), "value": Anything()}, {"salt": Text(64)})
    ),
    "tournament.Extension.data": Anything(),
}
"""Model and JSON field → shape. A field that is nullable in the database may also be null."""
