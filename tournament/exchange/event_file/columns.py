"""The columns of the file: a model's fields as they stand in a row, with their shapes and the way in and out.

What ties rows together names the other row by its key: a player by number, a table as "3/2" for session 3, table 2, a
hand by its UUID, somebody of the staff by theirs.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Model

from tournament.base.models.tournament import Tournament
from tournament.exchange.carried import OF_LABEL, WRITTEN, Carried
from tournament.exchange.carried.rows import OF_TOURNAMENT_LEFT
from tournament.web import shapes
from tournament.web.shapes import OrNull, Shape

LONGEST_TEXT: Final = 100_000
"""Characters of what has no limit in the database."""
MOST_FILE: Final = 3 * 1024 * 1024
"""Bytes, as `events.services.event_page` lets in."""
_WEB: Final = 'https?://[^\\s<>"]+'
"""No address that runs a script in whoever follows it."""
EVENT: Final = Carried("tournament.Tournament", "tournament", of="pk", single=True, left=OF_TOURNAMENT_LEFT)
"""The section of which all the others are."""


@dataclass(frozen=True)
class Column:
    """One field in a row. `target`: of what ties rows together, the other's model; `is_many`: several of them."""

    field: Any
    name: str
    shape: Shape
    target: type[Model] | None = None
    is_many: bool = False

    @property
    def is_file(self) -> bool:
        return isinstance(self.field, models.FileField)


def model_of(one: Carried) -> type[Model]:
    return apps.get_model(one.label)


@cache
def columns(label: str) -> tuple[Column, ...]:
    """The columns of a model, by name."""
    one = EVENT if label == EVENT.label else OF_LABEL[label]
    return tuple(sorted(_columns(one), key=lambda column: column.name))


def _columns(one: Carried) -> Iterator[Column]:
    for field in (*model_of(one)._meta.concrete_fields, *model_of(one)._meta.many_to_many):
        target: Any = field.related_model
        if field.primary_key or field.name in one.left or _is_understood(target):
            continue
        shape = reference(target) if target else shape_of(field)
        if field.many_to_many:
            shape = shapes.ListOf(shape)
        elif field.null:
            shape = OrNull(shape)
        yield Column(field, one.names.get(field.name, field.name), shape, target, bool(field.many_to_many))


def _is_understood(target: type[Model] | None) -> bool:
    """Of the one event that the file is about, and of what it has once, nothing needs to be said."""
    if target is None or target is User:
        return False
    return target is Tournament or OF_LABEL[target._meta.label].single


def reference(target: type[Model]) -> Shape:
    """How a row of a model is named."""
    if target is User:
        return shapes.Uuid
    key = OF_LABEL[target._meta.label].key
    if not key:
        return shapes.Whole(1)
    if len(key) > 1:
        return shapes.Text(80, pattern="^[0-9]+(/[0-9]+)+$")
    return shape_of(target._meta.get_field(key[0]))


def shape_of(field: Any) -> Shape:
    """By the field's kind, its length and its range."""
    match field:
        case models.JSONField():
            return WRITTEN[f"{field.model._meta.label}.{field.name}"]
        case models.FileField():
            return shapes.Base64(MOST_FILE)
        case models.BooleanField():
            return shapes.YesNo()
        case models.IntegerField():
            return _whole(field)
        case models.DecimalField():
            return shapes.Amount
        case models.DateTimeField():
            return shapes.Moment
        case models.DateField():
            return shapes.Day
        case models.TimeField():
            return shapes.Hour
        case models.UUIDField():
            return shapes.Uuid
    return _text(field)


_RANGES: Final[dict[type[models.IntegerField[Any, Any]], tuple[int, int]]] = {
    models.PositiveSmallIntegerField: (0, 2**15 - 1),
    models.SmallIntegerField: (-(2**15), 2**15 - 1),
    models.PositiveIntegerField: (0, 2**31 - 1),
}
"""What every database can hold; SQLite's own limits are wider, and a file is for all of them."""


def _whole(field: Any) -> Shape:
    least, most = _RANGES.get(type(field), (-(2**31), 2**31 - 1))
    for validator in field.validators:
        if isinstance(validator, MinValueValidator):
            least = max(least, int(validator.limit_value))
        elif isinstance(validator, MaxValueValidator):
            most = min(most, int(validator.limit_value))
    return shapes.Whole(least, most)


def _text(field: Any) -> Shape:
    if field.choices:
        values = tuple(str(value) for value, _ in field.flatchoices)
        return shapes.OneOf((*values, "") if field.blank and "" not in values else values)
    if isinstance(field, models.SlugField) and not getattr(field, "allow_unicode", False):
        return shapes.Text(field.max_length or 0, 1, "^[A-Za-z0-9_-]+$")
    if isinstance(field, models.URLField):
        return shapes.Text(field.max_length or 0, 0, _WEB if not field.blank else f"({_WEB})?")
    return shapes.Text(field.max_length or LONGEST_TEXT)


def plain(column: Column, value: Any) -> Any:
    """A value as it stands in the file."""
    match value:
        case None | bool() | int() | str() | list():
            return value
        case dict():
            return dict(value)
        case datetime():
            return value.astimezone(UTC).isoformat()
    if isinstance(column.field, models.FileField):
        return base64.b64encode(_content(value)).decode()
    if isinstance(column.field, models.DecimalField):
        return f"{value:.{column.field.decimal_places}f}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _content(file: Any) -> bytes:
    if not file:
        return b""
    with file.open("rb") as opened:
        return bytes(opened.read())


def stored(column: Column, value: Any) -> Any:
    """A value of the file, once its shape is known to be right, as the model has it."""
    if value is None or isinstance(column.field, models.JSONField):
        return value
    if isinstance(column.field, models.FileField):
        return base64.b64decode(value)
    return column.field.to_python(value)
