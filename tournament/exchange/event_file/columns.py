"""The columns of a section's rows: their shapes, and their values in the file and in the database."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Model

from tournament.base.models.tournament import Tournament
from tournament.exchange.event_file.sections import JSON_SHAPES, SECTION_OF, TOURNAMENT_SECTION, Section
from tournament.web import shapes
from tournament.web.shapes import OrNull, Shape

MAX_TEXT_LENGTH: Final = 100_000
"""Characters in a field without a limit in the database."""
MAX_FILE_BYTES: Final = 3 * 1024 * 1024
"""The limit of an uploaded file, as in `events.services`."""
_WEB_ADDRESS: Final = 'https?://[^\\s<>"]+'
"""Excludes addresses that run a script, such as javascript:."""


@dataclass(frozen=True)
class Column:
    """A field of a model, and its name and shape in the file.

    The value of a relation is the key of the other row: a player's number, "3/2" for table 2 of session 3, the UUID of
    a hand or of an account.
    """

    field: Any
    name: str
    shape: Shape
    target: type[Model] | None = None
    """The related model."""
    is_many: bool = False
    """Whether the relation is many-to-many."""

    @property
    def is_file(self) -> bool:
        return isinstance(self.field, models.FileField)

    def to_json(self, value: Any) -> Any:
        """Return a value of the model as it is in the file."""
        match value:
            case None | bool() | int() | str() | list():
                return value
            case dict():
                return dict(value)
            case datetime():
                return value.astimezone(UTC).isoformat()
        if self.is_file:
            return base64.b64encode(_file_content(value)).decode()
        if isinstance(self.field, models.DecimalField):
            return f"{value:.{self.field.decimal_places}f}"
        return value.isoformat() if hasattr(value, "isoformat") else str(value)

    def from_json(self, value: Any) -> Any:
        """Return a value of the file, whose shape has been checked, as a value of the model."""
        if value is None or isinstance(self.field, models.JSONField):
            return value
        return base64.b64decode(value) if self.is_file else self.field.to_python(value)


def _file_content(file: Any) -> bytes:
    if not file:
        return b""
    with file.open("rb") as stream:
        return bytes(stream.read())


@cache
def columns(label: str) -> tuple[Column, ...]:
    """Return the columns of a model, sorted by name."""
    section = TOURNAMENT_SECTION if label == TOURNAMENT_SECTION.label else SECTION_OF[label]
    return tuple(sorted(_columns(section), key=lambda column: column.name))


def _columns(section: Section) -> Iterator[Column]:
    for field in (*section.model._meta.concrete_fields, *section.model._meta.many_to_many):
        target: Any = field.related_model
        if field.primary_key or field.name in section.omitted or _is_implied(target):
            continue
        shape = reference_shape(target) if target else field_shape(field)
        if field.many_to_many:
            shape = shapes.ListOf(shape)
        elif field.null:
            shape = OrNull(shape)
        yield Column(
            field, section.renamed.get(field.name, field.name), shape, target, bool(field.many_to_many)
        )


def _is_implied(target: type[Model] | None) -> bool:
    """Return whether a relation is not in the file: its target is the tournament, or the only row of its section."""
    if target is None or target is User:
        return False
    return target is Tournament or SECTION_OF[target._meta.label].single


def reference_shape(target: type[Model]) -> Shape:
    """Return the shape of a reference to a row of a model."""
    if target is User:
        return shapes.Uuid
    key = SECTION_OF[target._meta.label].key
    if not key:
        return shapes.Whole(1)
    if len(key) > 1:
        return shapes.Text(80, pattern="^[0-9]+(/[0-9]+)+$")
    return field_shape(target._meta.get_field(key[0]))


def field_shape(field: Any) -> Shape:
    """Return the shape of a field that is no relation, by its type, length and range."""
    match field:
        case models.JSONField():
            return JSON_SHAPES[f"{field.model._meta.label}.{field.name}"]
        case models.FileField():
            return shapes.Base64(MAX_FILE_BYTES)
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
            return shapes.TimeOfDay
        case models.UUIDField():
            return shapes.Uuid
    return _text(field)


_RANGES: Final[dict[type[models.IntegerField[Any, Any]], tuple[int, int]]] = {
    models.PositiveSmallIntegerField: (0, 2**15 - 1),
    models.SmallIntegerField: (-(2**15), 2**15 - 1),
    models.PositiveIntegerField: (0, 2**31 - 1),
}
"""Least and greatest value in any supported database; SQLite alone would allow more."""


def _whole(field: Any) -> Shape:
    minimum, maximum = _RANGES.get(type(field), (-(2**31), 2**31 - 1))
    for validator in field.validators:
        if isinstance(validator, MinValueValidator):
            minimum = max(minimum, int(validator.limit_value))
        elif isinstance(validator, MaxValueValidator):
            maximum = min(maximum, int(validator.limit_value))
    return shapes.Whole(minimum, maximum)


def _text(field: Any) -> Shape:
    if field.choices:
        values = tuple(str(value) for value, _ in field.flatchoices)
        return shapes.OneOf((*values, "") if field.blank and "" not in values else values)
    if isinstance(field, models.SlugField) and not getattr(field, "allow_unicode", False):
        return shapes.Text(field.max_length or 0, 1, "^[A-Za-z0-9_-]+$")
    if isinstance(field, models.URLField):
        pattern = f"({_WEB_ADDRESS})?" if field.blank else _WEB_ADDRESS
        return shapes.Text(field.max_length or 0, pattern=pattern)
    return shapes.Text(MAX_TEXT_LENGTH if isinstance(field, models.TextField) else field.max_length)
