"""What ties the rows of a file together: everything that is named is there, and nothing is there twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.db.models import Model, UniqueConstraint

from scoring.engine.problems import Problem
from tournament.base.models.play import Wind
from tournament.exchange.carried import CARRIED, OF_LABEL, Carried
from tournament.exchange.event_file.columns import Column, columns, model_of
from tournament.exchange.event_file.staff import SECTION as STAFF
from tournament.exchange.event_file.staff import Staff
from tournament.exchange.event_file.writing import key_of
from tournament.web.shapes import fault, inside

Data = Mapping[str, Any]


def untied(data: Data) -> Iterator[Problem]:
    """Rows that name what is not there, and rows that cannot be there beside each other."""
    known = _known(data)
    for one in CARRIED:
        for names in uniques(one):
            yield from _twice(one, names, data)
        ties = [column for column in columns(one.label) if column.target]
        for index, row in enumerate(rows_in(data, one)):
            at = place(one, index)
            for column in ties:
                yield from _nowhere(column, row[column.name], known, inside(at, column.name))
            for name, label in one.keyed.items():
                keys = {str(key) for key in known[model_of(OF_LABEL[label])]}
                for gone in row[name].keys() - keys:
                    yield fault("points_nowhere", inside(inside(at, name), gone))
    yield from _twice_in_staff(data)
    seated = Counter(seat["table"] for seat in data["seats"])
    for index, row in enumerate(data["tables"]):
        if seated[f"{row['session']}/{row['number']}"] != len(Wind):
            yield fault("seats_not_four_winds", inside("/tables", index))


def rows_in(data: Data, one: Carried) -> list[dict[str, Any]]:
    """The rows of a section."""
    found: Any = data[one.section]
    if one.single:
        return [] if found is None else [found]
    return list(found)


def place(one: Carried, index: int) -> str:
    at = inside("", one.section)
    return at if one.single else inside(at, index)


def uniques(one: Carried) -> Iterator[tuple[str, ...]]:
    """The columns of which no two rows of an event have the same; a condition is the database's to look at."""
    said = {column.field.name: column.name for column in columns(one.label)}
    model = model_of(one)
    fields = [
        (field.name,) for field in model._meta.concrete_fields if field.unique and not field.primary_key
    ]
    constraints = [
        tuple(names.fields)
        for names in model._meta.constraints
        if isinstance(names, UniqueConstraint) and names.condition is None
    ]
    for names in (*fields, *constraints):
        if found := tuple(said[name] for name in names if name in said):
            yield found


def _known(data: Data) -> dict[type[Model], set[Any]]:
    """Model → what its rows are called."""
    known: dict[type[Model], set[Any]] = {
        model_of(one): {key_of(one, row, n) for n, row in enumerate(rows_in(data, one), 1)} for one in CARRIED
    }
    return known | {Staff.MODEL: {row["uuid"] for row in data[STAFF]}}


def _nowhere(column: Column, value: Any, known: Mapping[type[Model], set[Any]], at: str) -> Iterator[Problem]:
    assert column.target is not None
    for named in value if column.is_many else [value]:
        if named is not None and named not in known[column.target]:
            yield fault("points_nowhere", at)


def _twice(one: Carried, names: tuple[str, ...], data: Data) -> Iterator[Problem]:
    seen: set[tuple[Any, ...]] = set()
    for index, row in enumerate(rows_in(data, one)):
        values = tuple(row[name] for name in names)
        if None not in values and values in seen:
            yield fault("said_twice", inside(place(one, index), names[-1]))
        seen.add(values)


def _twice_in_staff(data: Data) -> Iterator[Problem]:
    for names in (("uuid",), ("account", "until")):
        seen: set[tuple[Any, ...]] = set()
        for index, row in enumerate(data[STAFF]):
            values = tuple(row[name] for name in names)
            if values in seen:
                yield fault("said_twice", inside(inside(inside("", STAFF), index), names[0]))
            seen.add(values)
