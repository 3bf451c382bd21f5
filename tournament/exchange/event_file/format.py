"""The file itself: written section by section, and read from anybody's hand."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db.models import Model, QuerySet, UniqueConstraint

from scoring.engine.problems import Problem, problem_code
from tournament.base.database import read_snapshot
from tournament.base.errors import Refused
from tournament.base.models.play import Wind
from tournament.base.models.tournament import Tournament
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.columns import (
    EVENT,
    FORMAT,
    NOT_A_TOURNAMENT_FILE,
    NOT_BOUND,
    SCHEMA,
    VERSION,
    Column,
    Staff,
    brought_up,
    check_version,
    columns,
    digest,
    digests_of,
    model_of,
    plain,
)
from tournament.exchange.event_file.columns import SECTION as STAFF
from tournament.exchange.event_file.columns import SHAPE as STAFF_SHAPE
from tournament.messages.mail.models import Mail
from tournament.privacy.retention import RETENTION_RULES, Until
from tournament.seating.engine.plans import SEATS_NOT_FOUR_WINDS
from tournament.web import shapes
from tournament.web.shapes import FIELD_MISSING, OrNull, Record, Shape, child_pointer, fault

TOURNAMENT_FILE_CUT = problem_code(
    "tournament_file_cut", "This file cannot be read from line {line} on. Perhaps it did not come whole."
)
TOURNAMENT_FILE_TOO_LARGE = problem_code(
    "tournament_file_too_large", "This file has more than {most} MB. No file of a tournament is that large."
)
TOURNAMENT_FILE_TOO_MANY = problem_code(
    "tournament_file_too_many",
    "This file holds more than {most} values. No file of a tournament has so many.",
)
SECTION_CHANGED = problem_code(
    "section_changed", "The section “{section}” has been altered: its digest does not match."
)
POINTS_NOWHERE = problem_code(
    "points_nowhere", "the field “{field}” names something that is not in the file."
)
SAID_TWICE = problem_code("said_twice", "the field “{field}” is the same as in a row before.")

# --- Writing ---


Row = dict[str, Any]
UNDER_WAY: Final = {Mail.State.WAITING: Mail.State.NOT_SENT, Mail.State.SENDING: Mail.State.UNCLEAR}
"""A letter on its way is not sent again wherever the file goes: as far as the file knows, this became of it."""


def data_of(tournament: Tournament, *, contacts: bool = True, beside: Mapping[str, Any]) -> dict[str, Any]:
    """Give the file as plain data: every section as `exchange.carried` says, its rows in the order they were made.

    `contacts`: with what people can be reached by, and what they wrote; `beside`: sections that others make.
    """
    with read_snapshot():
        tournament.refresh_from_db()
        data = {"contact_data": contacts, **_Writer(tournament, contacts).sections(), **beside}
    return {"format": FORMAT, "version": VERSION, "digests": digests_of(data), **data}


class _Writer:
    def __init__(self, tournament: Tournament, contacts: bool) -> None:
        self._tournament = tournament
        self._contacts = contacts
        self._staff = Staff(tournament)
        self._keys: defaultdict[type[Model], dict[Any, Any]] = defaultdict(dict)
        """Model → primary key → what the row is called in the file."""

    def sections(self) -> dict[str, Any]:
        sections: dict[str, Any] = {"tournament": self._row(EVENT, self._tournament, {})}
        for carried in CARRIED:
            rows = list(self._rows(carried))
            sections[carried.section] = (rows[0] if rows else None) if carried.single else rows
        return sections | {"staff": self._staff.rows()}

    def _rows(self, carried: Carried) -> Iterator[Row]:
        if not self._contacts and _is_all_contact(carried.label):
            return
        many = {
            column.name: self._many(carried, column) for column in columns(carried.label) if column.is_many
        }
        for number, row in enumerate(rows_of(carried, self._tournament).iterator(chunk_size=2000), 1):
            if self._staff.leaves_out(row):
                continue
            values = self._row(carried, row, many)
            self._keys[model_of(carried)][row.pk] = key_of(carried, values, number)
            yield values

    def _row(self, carried: Carried, row: Model, many: Mapping[str, Mapping[Any, list[Any]]]) -> Row:
        values = {}
        for column in columns(carried.label):
            if column.is_many:
                value = sorted(many[column.name].get(row.pk, ()))
            elif column.target:
                value = self._named(column.target, getattr(row, column.field.attname))
            elif not self._contacts and column.field.name in contact_fields(carried.label):
                value = column.field.get_default()
            else:
                value = plain(column, getattr(row, column.field.attname))
            values[column.name] = value
        return self._keyed(carried, values) if carried.keyed else _settled(row, values)

    def _many(self, carried: Carried, column: Column) -> dict[Any, list[Any]]:
        """Primary key → what it is tied to, by name."""
        through, names = column.field.remote_field.through, defaultdict(list)
        mine, other = column.field.m2m_column_name(), column.field.m2m_reverse_name()
        rows = through._default_manager.filter(
            **{f"{column.field.m2m_field_name()}__in": rows_of(carried, self._tournament)}
        )
        assert column.target is not None
        for key, named in rows.values_list(mine, other):
            names[key].append(self._named(column.target, named))
        return names

    def _named(self, target: type[Model], key: Any) -> Any:
        if key is None:
            return None
        return self._staff.uuid(key) if target is Staff.MODEL else self._keys[target][key]

    def _keyed(self, carried: Carried, values: Row) -> Row:
        """What is asked no more has no name, so nobody could read an answer to it."""
        for name, label in carried.keyed.items():
            keys = {str(pk): str(key) for pk, key in self._keys[model_of(OF_LABEL[label])].items()}
            values[name] = {keys[key]: value for key, value in values[name].items() if key in keys}
        return values


def rows_of(carried: Carried, tournament: Tournament) -> QuerySet[Any]:
    rows = model_of(carried)._default_manager.filter(**{carried.of: tournament.pk}).order_by("pk")
    return rows if carried.of == "tournament" else rows.distinct()


def key_of(carried: Carried, values: Mapping[str, Any], number: int) -> Any:
    """What a row is called in the file: its place, from 1, where nothing else names it."""
    if not carried.key:
        return number
    parts = [values[carried.names.get(name, name)] for name in carried.key]
    return parts[0] if len(parts) == 1 else "/".join(map(str, parts))


def contact_fields(label: str) -> frozenset[str]:
    """What people can be reached by, and what they wrote: what is deleted some days after the event."""
    rows = (row for row in RETENTION_RULES.get(label, ()) if row.until is Until.CONTACT)
    return frozenset(name for row in rows for name in row.fields)


def _is_all_contact(label: str) -> bool:
    """Letters are nothing else."""
    return "to" in contact_fields(label)


def _settled(row: Model, values: Row) -> Row:
    if isinstance(row, Mail):
        values["state"] = UNDER_WAY.get(Mail.State(row.state), row.state)
    return values


# --- Reading ---


MOST_BYTES: Final = 64 * 1024 * 1024
"""An event of 400 players and twelve sessions has about forty."""
MOST_VALUES: Final = 6_000_000
"""So many commas and brackets: what is read takes some fifty bytes for each."""
MOST_TOLD: Final = 20
"""So many faults are told at once."""
EXTENSIONS: Final = 100


def read(content: bytes) -> dict[str, Any]:
    """Give the data of a file, as this version has it, every value of the right shape and every tie to something.

    Nothing in a file from anybody's hand is believed until all of it has been looked at. Raises Refused: faults are
    named by their place, a JSON pointer, and as many as fit on a page are told at once.
    """
    data = parsed(content)
    check_version(data)
    changed = list(islice(_changed_sections(data), MOST_TOLD))
    data = brought_up(data)
    problems = [*changed, *islice(SHAPE().faults(data, ""), MOST_TOLD)]
    if not problems:
        problems = list(islice(untied(data), MOST_TOLD))
    if problems:
        raise Refused(problems[:MOST_TOLD])
    return data


def parsed(content: bytes) -> dict[str, Any]:
    """The JSON of a file of any version."""
    if len(content) > MOST_BYTES:
        raise Refused(TOURNAMENT_FILE_TOO_LARGE(most=MOST_BYTES // 1024 // 1024))
    if sum(map(content.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise Refused(TOURNAMENT_FILE_TOO_MANY(most=MOST_VALUES))
    try:
        data = json.loads(content.decode("utf-8-sig"), parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise Refused(TOURNAMENT_FILE_CUT(line=error.lineno)) from None
    except (RecursionError, ValueError):  # not UTF-8, nested thousands deep, a number of thousands of digits
        raise Refused(NOT_A_TOURNAMENT_FILE()) from None
    if not isinstance(data, dict):
        raise Refused(NOT_A_TOURNAMENT_FILE())
    return data


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise ValueError(text)
    return number


def _changed_sections(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Sections that are not as they were written."""
    digests = data.get("digests")
    if not isinstance(digests, dict):
        yield shapes.fault(FIELD_MISSING, "/digests")
        return
    for name, value in data.items():
        if name not in NOT_BOUND and digests.get(name) != digest(value):
            yield SECTION_CHANGED(child_pointer("", name), section=name[:40])


@cache
def SHAPE() -> Shape:  # noqa: N802  (a constant, made when the models are there)
    """The whole file."""
    fields: dict[str, Shape] = {
        "format": shapes.Constant(FORMAT),
        "version": shapes.Constant(VERSION),
        "digests": shapes.MapOf(shapes.Text(64, 64, "^[0-9a-f]+$")),
        "contact_data": shapes.YesNo(),
        EVENT.section: row_shape(EVENT.label),
        STAFF: STAFF_SHAPE,
        **{
            carried.section: (OrNull if carried.single else shapes.ListOf)(row_shape(carried.label))
            for carried in CARRIED
        },
        "transcript": OrNull(shapes.Anything("object", about="As docs/api/transcript.md has it.")),
    }
    fields["extensions"] = shapes.ListOf(row_shape("tournament.Extension"), EXTENSIONS)
    return Record(fields, {"$schema": shapes.Text(500)})


def row_shape(label: str) -> Shape:
    return Record({column.name: column.shape for column in columns(label)})


# --- Ties between rows ---


Data = Mapping[str, Any]


def untied(data: Data) -> Iterator[Problem]:
    """Rows that name what is not there, and rows that cannot be there beside each other."""
    known = _keys_in(data)
    for carried in CARRIED:
        for names in uniques(carried):
            yield from _repeated(carried, names, data)
        ties = [column for column in columns(carried.label) if column.target]
        for index, row in enumerate(rows_in(data, carried)):
            at = place(carried, index)
            for column in ties:
                named = row[column.name] if column.is_many else [row[column.name]]
                if {*named} - {None} - known[column.target]:  # type: ignore[index]  # what ties has a target
                    yield fault(POINTS_NOWHERE, child_pointer(at, column.name))
            for name, label in carried.keyed.items():
                keys = {str(key) for key in known[model_of(OF_LABEL[label])]}
                for gone in row[name].keys() - keys:
                    yield fault(POINTS_NOWHERE, child_pointer(child_pointer(at, name), gone))
    for names in (("uuid",), ("until", "account")):
        yield from _repeated(Carried("auth.User", STAFF), names, data)
    seated = Counter(seat["table"] for seat in data["seats"])
    for index, row in enumerate(data["tables"]):
        if seated[f"{row['session']}/{row['number']}"] != len(Wind):
            yield fault(SEATS_NOT_FOUR_WINDS, child_pointer("/tables", index))


def _repeated(carried: Carried, names: tuple[str, ...], data: Data) -> Iterator[Problem]:
    seen: set[tuple[Any, ...]] = set()
    for index, row in enumerate(rows_in(data, carried)):
        values = tuple(row[name] for name in names)
        if None not in values and values in seen:
            yield fault(SAID_TWICE, child_pointer(place(carried, index), names[-1]))
        seen.add(values)


def _keys_in(data: Data) -> dict[type[Model], set[Any]]:
    """Model → what its rows are called."""
    known: dict[type[Model], set[Any]] = {
        model_of(carried): {key_of(carried, row, n) for n, row in enumerate(rows_in(data, carried), 1)}
        for carried in CARRIED
    }
    return known | {Staff.MODEL: {row["uuid"] for row in data[STAFF]}}


def rows_in(data: Data, carried: Carried) -> list[dict[str, Any]]:
    """The rows of a section."""
    section: Any = data[carried.section]
    if carried.single:
        return [] if section is None else [section]
    return list(section)


def place(carried: Carried, index: int) -> str:
    at = child_pointer("", carried.section)
    return at if carried.single else child_pointer(at, index)


def uniques(carried: Carried) -> Iterator[tuple[str, ...]]:
    """The columns of which no two rows of an event have the same; a condition is the database's to look at."""
    column_of = {column.field.name: column.name for column in columns(carried.label)}
    model = model_of(carried)
    fields = [
        (field.name,) for field in model._meta.concrete_fields if field.unique and not field.primary_key
    ]
    constraints = [
        tuple(names.fields)
        for names in model._meta.constraints
        if isinstance(names, UniqueConstraint) and names.condition is None
    ]
    for names in (*fields, *constraints):
        if names_in_file := tuple(column_of[name] for name in names if name in column_of):
            yield names_in_file


# --- The published schema ---


DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """Make the JSON Schema of the file out of what it is read by. Every site has it at `/formats/…`."""
    return {
        "$schema": DIALECT,
        "title": f"{FORMAT}, version {VERSION}",
        "description": "A whole tournament. The sections, keys and digests: docs/api/tournament-file.md.",
        **SHAPE().schema(),
    }


def schema_text() -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def published() -> Path:
    """Where the schema lies in the sources."""
    return Path(settings.BASE_DIR) / "docs" / "api" / SCHEMA
