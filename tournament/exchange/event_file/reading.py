"""Read the data of a tournament file, which may come from anybody, and publish its JSON Schema."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db.models import Model, UniqueConstraint

from scoring.engine.problems import Problem, problem_code
from tournament.base.errors import Refused
from tournament.base.models.play import Wind
from tournament.exchange.event_file.columns import columns
from tournament.exchange.event_file.encoding import (
    FORMAT,
    NOT_A_TOURNAMENT_FILE,
    NOT_DIGESTED,
    SCHEMA,
    VERSION,
    check_version,
    digest,
    upgrade,
)
from tournament.exchange.event_file.sections import SECTION_OF, SECTIONS, TOURNAMENT_SECTION, Section
from tournament.exchange.event_file.staff import STAFF_SECTION, STAFF_SHAPE, Staff
from tournament.seating.engine.plans import SEATS_NOT_FOUR_WINDS
from tournament.web import shapes
from tournament.web.shapes import FIELD_MISSING, OrNull, Record, Shape, child_pointer, fault

TOURNAMENT_FILE_CUT = problem_code(
    "tournament_file_cut", "This file cannot be read from line {line} on. It may be incomplete."
)
TOURNAMENT_FILE_TOO_LARGE = problem_code(
    "tournament_file_too_large",
    "This file has more than {maximum} MB. No file of a tournament is that large.",
)
TOURNAMENT_FILE_TOO_MANY = problem_code(
    "tournament_file_too_many",
    "This file holds more than {maximum} values. No file of a tournament has so many.",
)
SECTION_CHANGED = problem_code(
    "section_changed", "The section “{section}” has been altered: its digest does not match."
)
UNKNOWN_REFERENCE = problem_code(
    "unknown_reference", "the field “{field}” names something that is not in the file."
)
DUPLICATE_VALUE = problem_code("duplicate_value", "the field “{field}” is the same as in a row before.")

Data = Mapping[str, Any]
MAX_BYTES: Final = 64 * 1024 * 1024
"""An event of 400 players and twelve sessions has about 40 MB."""
MAX_VALUES: Final = 6_000_000
"""Commas and opening brackets: each takes about fifty bytes of memory when the file is parsed."""
MAX_PROBLEMS: Final = 20
"""Problems reported at once."""
MAX_EXTENSIONS: Final = 100


def parse_file(content: bytes) -> dict[str, Any]:
    """Return the data of a file of any version as data of the current version, completely validated.

    Every value has the right shape and every reference leads to a row. Raises Refused with up to `MAX_PROBLEMS`
    problems, each with the JSON pointer of its place.
    """
    data = parse_json(content)
    check_version(data)
    problems = [*islice(_digest_problems(data), MAX_PROBLEMS)]
    data = upgrade(data)
    problems += islice(file_shape().faults(data, ""), MAX_PROBLEMS)
    if not problems:
        problems = [*islice(_row_problems(data), MAX_PROBLEMS)]
    if problems:
        raise Refused(problems[:MAX_PROBLEMS])
    return data


def parse_json(content: bytes) -> dict[str, Any]:
    """Return the JSON object in a file. Raises Refused if it is too large or not an object."""
    if len(content) > MAX_BYTES:
        raise Refused(TOURNAMENT_FILE_TOO_LARGE(maximum=MAX_BYTES // 1024 // 1024))
    if sum(map(content.count, (b"[", b"{", b","))) > MAX_VALUES:
        raise Refused(TOURNAMENT_FILE_TOO_MANY(maximum=MAX_VALUES))
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


def _digest_problems(data: Data) -> Iterator[Problem]:
    digests = data.get("digests")
    if not isinstance(digests, dict):
        yield shapes.fault(FIELD_MISSING, "/digests")
        return
    for name, value in data.items():
        if name not in NOT_DIGESTED and digests.get(name) != digest(value):
            yield SECTION_CHANGED(child_pointer("", name), section=name[:40])


@cache
def file_shape() -> Shape:
    """Return the shape of the whole file."""
    fields: dict[str, Shape] = {
        "format": shapes.Constant(FORMAT),
        "version": shapes.Constant(VERSION),
        "digests": shapes.MapOf(shapes.Text(64, 64, "^[0-9a-f]+$")),
        "contact_data": shapes.YesNo(),
        TOURNAMENT_SECTION.name: _row_shape(TOURNAMENT_SECTION.label),
        STAFF_SECTION: STAFF_SHAPE,
        **{
            section.name: (OrNull if section.single else shapes.ListOf)(_row_shape(section.label))
            for section in SECTIONS
        },
        "transcript": OrNull(shapes.Anything("object", about="As docs/api/transcript.md has it.")),
    }
    fields["extensions"] = shapes.ListOf(_row_shape("tournament.Extension"), MAX_EXTENSIONS)
    return Record(fields, {"$schema": shapes.Text(500)})


def _row_shape(label: str) -> Shape:
    return Record({column.name: column.shape for column in columns(label)})


# --- Relations between rows ---


def _row_problems(data: Data) -> Iterator[Problem]:
    """Yield problems of references without a row, of rows that are not unique, and of tables without four seats."""
    keys_of: dict[type[Model], set[Any]] = {
        section.model: {section.key_of(row, n) for n, row in enumerate(section.rows_in(data), 1)}
        for section in SECTIONS
    }
    keys_of[Staff.MODEL] = {row["uuid"] for row in data[STAFF_SECTION]}
    for section in SECTIONS:
        for names in _unique_columns(section):
            yield from _duplicates(section, names, data)
        relations = [(column, column.target) for column in columns(section.label) if column.target]
        for index, row in enumerate(section.rows_in(data)):
            pointer = section.row_pointer(index)
            for column, target in relations:
                keys = row[column.name] if column.is_many else [row[column.name]]
                if {*keys} - {None} - keys_of[target]:
                    yield fault(UNKNOWN_REFERENCE, child_pointer(pointer, column.name))
            for name, label in section.json_keys.items():
                for key in row[name].keys() - {str(key) for key in keys_of[SECTION_OF[label].model]}:
                    yield fault(UNKNOWN_REFERENCE, child_pointer(child_pointer(pointer, name), key))
    for names in (("uuid",), ("until", "account")):
        yield from _duplicates(Section("auth.User", STAFF_SECTION), names, data)
    seats = Counter(seat["table"] for seat in data["seats"])
    for index, table in enumerate(data["tables"]):
        if seats[f"{table['session']}/{table['number']}"] != len(Wind):
            yield fault(SEATS_NOT_FOUR_WINDS, child_pointer("/tables", index))


def _unique_columns(section: Section) -> Iterator[tuple[str, ...]]:
    """Yield the names of columns whose values are unique in an event, except under a condition."""
    name_of = {column.field.name: column.name for column in columns(section.label)}
    meta = section.model._meta
    fields = [(field.name,) for field in meta.concrete_fields if field.unique and not field.primary_key]
    constraints = [
        tuple(constraint.fields)
        for constraint in meta.constraints
        if isinstance(constraint, UniqueConstraint) and constraint.condition is None
    ]
    for field_names in (*fields, *constraints):
        if names := tuple(name_of[name] for name in field_names if name in name_of):
            yield names


def _duplicates(section: Section, names: tuple[str, ...], data: Data) -> Iterator[Problem]:
    seen: set[tuple[Any, ...]] = set()
    for index, row in enumerate(section.rows_in(data)):
        values = tuple(row[name] for name in names)
        if None not in values and values in seen:
            yield fault(DUPLICATE_VALUE, child_pointer(section.row_pointer(index), names[-1]))
        seen.add(values)


# --- The published schema ---


SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the file, from the shape that validates it. Every site serves it at `/formats/…`."""
    return {
        "$schema": SCHEMA_DIALECT,
        "title": f"{FORMAT}, version {VERSION}",
        "description": "A whole tournament. The sections, keys and digests: docs/api/tournament-file.md.",
        **file_shape().schema(),
    }


def schema_text() -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def published_schema() -> Path:
    """Return the path of the schema in the source tree."""
    return Path(settings.BASE_DIR) / "docs" / "api" / SCHEMA
