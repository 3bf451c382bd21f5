"""Shapes of JSON values in files: their validation and JSON schema."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Any, Final, Protocol
from uuid import UUID

from scoring.engine.problems import Problem, ProblemCode, problem_code
from tournament.base.problems import NOT_UNDERSTOOD

FILE_TOO_LARGE = problem_code("file_too_large", "The file is larger than {maximum} MB.", also=("field",))
FIELD_UNKNOWN = problem_code("field_unknown", "there is no field “{field}”.")
FIELD_NOT_ALLOWED = problem_code("field_not_allowed", "the field “{field}” has a value that is not allowed.")
FIELD_NOT_A_MOMENT = problem_code(
    "field_not_a_moment", "the field “{field}” is not a time written like 2026-11-14T09:00:00+00:00."
)
FIELD_NOT_AN_HOUR = problem_code(
    "field_not_an_hour", "the field “{field}” is not a time of day written like 09:00:00."
)
FIELD_NOT_AN_AMOUNT = problem_code(
    "field_not_an_amount", "the field “{field}” is not an amount written like 12.50."
)
FIELD_NOT_A_UUID = problem_code("field_not_a_uuid", "the field “{field}” is not a UUID.")
FIELD_NOT_BASE64 = problem_code("field_not_base64", "the field “{field}” is not a file in Base64.")
FIELD_TOO_DEEP = problem_code("field_too_deep", "the field “{field}” is nested more than {maximum} deep.")
FIELD_MISSING = problem_code("field_missing", "the field “{field}” is missing.")
FIELD_NOT_TEXT = problem_code("field_not_text", "the field “{field}” is not a text.")
FIELD_TOO_LONG = problem_code(
    "field_too_long",
    "the field “{field}” has more than {maximum} character.",
    "the field “{field}” has more than {maximum} characters.",
    by="maximum",
)
FIELD_NOT_A_NUMBER = problem_code("field_not_a_number", "the field “{field}” is not a whole number.")
FIELD_OUT_OF_RANGE = problem_code(
    "field_out_of_range", "the field “{field}” is not between {minimum} and {maximum}."
)
FIELD_NOT_YES_OR_NO = problem_code("field_not_yes_or_no", "the field “{field}” is neither true nor false.")
FIELD_NOT_A_DAY = problem_code("field_not_a_day", "the field “{field}” is not a day written like 2026-11-14.")
FIELD_NOT_AN_OBJECT = problem_code("field_not_an_object", "the field “{field}” is not an object ({{…}}).")
FIELD_NOT_A_LIST = problem_code("field_not_a_list", "the field “{field}” is not a list ([…]).")

Schema = dict[str, Any]
_UNSTORABLE_CHARACTERS: Final = re.compile("[\0\ud800-\udfff]")
"""Rejected by databases."""
_AMOUNT: Final = "^-?[0-9]{1,7}\\.[0-9]{2}$"
_BASE64: Final = "^[A-Za-z0-9+/]*={0,2}$"


class Shape(Protocol):
    def schema(self) -> Schema: ...

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        """Yield every problem of a value; `at` is its JSON pointer."""
        ...


def child_pointer(at: str, name: str | int) -> str:
    """Return the JSON pointer of a member, by name or index."""
    return f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"


def fault(code: ProblemCode, at: str, **params: str | int) -> Problem:
    """Return a problem at a pointer, with the member's name as `field`."""
    name = at.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    return code(at, field=name[:80], **params)


@dataclass(frozen=True)
class Text:
    maximum: int = 100_000
    minimum: int = 0
    pattern: str = ""

    def schema(self) -> Schema:
        schema: Schema = {"type": "string", "maxLength": self.maximum}
        schema |= {"minLength": self.minimum} if self.minimum else {}
        return schema | ({"pattern": self.pattern} if self.pattern else {})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or _UNSTORABLE_CHARACTERS.search(value):
            yield fault(FIELD_NOT_TEXT, at)
        elif len(value) > self.maximum:
            yield fault(FIELD_TOO_LONG, at, maximum=self.maximum)
        elif len(value) < self.minimum or (self.pattern and not re.fullmatch(self.pattern, value)):
            yield fault(FIELD_NOT_ALLOWED, at)


@dataclass(frozen=True)
class Whole:
    minimum: int = 0
    maximum: int = 2**31 - 1

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if type(value) is not int:
            yield fault(FIELD_NOT_A_NUMBER, at)
        elif not self.minimum <= value <= self.maximum:
            yield fault(FIELD_OUT_OF_RANGE, at, minimum=self.minimum, maximum=self.maximum)


@dataclass(frozen=True)
class YesNo:
    def schema(self) -> Schema:
        return {"type": "boolean"}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, bool):
            yield fault(FIELD_NOT_YES_OR_NO, at)


@dataclass(frozen=True)
class OneOf:
    values: tuple[str, ...]

    def schema(self) -> Schema:
        return {"enum": list(self.values)}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or value not in self.values:
            yield fault(FIELD_NOT_ALLOWED, at)


@dataclass(frozen=True)
class Constant:
    """A constant."""

    value: str | int

    def schema(self) -> Schema:
        return {"const": self.value}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if type(value) is not type(self.value) or value != self.value:
            yield fault(FIELD_NOT_ALLOWED, at)


@dataclass(frozen=True)
class _ParsedText:
    """A text that a parser accepts."""

    problem: ProblemCode
    """Raised for other texts."""
    keywords: tuple[tuple[str, str], ...]
    """Of the JSON schema."""
    read: Callable[[str], object]

    def schema(self) -> Schema:
        return {"type": "string", **dict(self.keywords)}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        try:
            if isinstance(value, str) and len(value) <= 60 and value.isascii():
                self.read(value)
                return
        except (ValueError, OverflowError):
            pass
        yield fault(self.problem, at)


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or not 1900 < moment.year < 9999:
        raise ValueError(text)
    return moment.astimezone(UTC)


def _day(text: str) -> date:
    if len(text) != len("2026-11-14"):
        raise ValueError(text)
    return date.fromisoformat(text)


def _hour(text: str) -> time:
    hour = time.fromisoformat(text)
    if hour.tzinfo is not None:
        raise ValueError(text)
    return hour


def _amount(text: str) -> None:
    if not re.fullmatch(_AMOUNT, text):
        raise ValueError(text)


Moment: Final = _ParsedText(FIELD_NOT_A_MOMENT, (("format", "date-time"),), _moment)
Day: Final = _ParsedText(FIELD_NOT_A_DAY, (("format", "date"),), _day)
TimeOfDay: Final = _ParsedText(
    FIELD_NOT_AN_HOUR, (("pattern", "^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?$"),), _hour
)
Amount: Final = _ParsedText(FIELD_NOT_AN_AMOUNT, (("pattern", _AMOUNT),), _amount)
Uuid: Final = _ParsedText(FIELD_NOT_A_UUID, (("format", "uuid"),), UUID)


@dataclass(frozen=True)
class Base64:
    """A file's content, of at most so many bytes."""

    maximum: int

    def schema(self) -> Schema:
        return {
            "type": "string",
            "contentEncoding": "base64",
            "pattern": _BASE64,
            "maxLength": self.maximum // 3 * 4 + 4,
        }

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or len(value) % 4 or not re.fullmatch(_BASE64, value):
            yield fault(FIELD_NOT_BASE64, at)
        elif len(value) // 4 * 3 - value[-2:].count("=") > self.maximum:
            yield fault(FILE_TOO_LARGE, at, maximum=self.maximum // 1024 // 1024)


MAX_DEPTH: Final = 24
"""Nesting limit for values without a shape; rules, the deepest, have nine levels."""
MAX_SAFE_INTEGER: Final = 2**53 - 1
"""Larger integers are not exact in every program."""
_ANY_TEXT: Final = Text()


@dataclass(frozen=True)
class OrNull:
    shape: Shape

    def schema(self) -> Schema:
        return {"anyOf": [self.shape.schema(), {"type": "null"}]}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if value is not None:
            yield from self.shape.faults(value, at)


@dataclass(frozen=True)
class ListOf:
    shape: Shape
    maximum: int | None = None
    minimum: int = 0

    def schema(self) -> Schema:
        schema: Schema = {"type": "array", "items": self.shape.schema()}
        schema |= {"minItems": self.minimum} if self.minimum else {}
        return schema | ({} if self.maximum is None else {"maxItems": self.maximum})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield fault(FIELD_NOT_A_LIST, at)
        elif len(value) < self.minimum or (self.maximum is not None and len(value) > self.maximum):
            yield fault(FIELD_NOT_ALLOWED, at)
        else:
            for index, part in enumerate(value):
                yield from self.shape.faults(part, child_pointer(at, index))


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are data: languages, players."""

    shape: Shape
    names: str = "^.{1,80}$"

    def schema(self) -> Schema:
        return {
            "type": "object",
            "propertyNames": {"pattern": self.names},
            "additionalProperties": self.shape.schema(),
        }

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(FIELD_NOT_AN_OBJECT, at)
            return
        for name, part in value.items():
            if not re.fullmatch(self.names, name) or any(_ANY_TEXT.faults(name, at)):
                yield fault(FIELD_UNKNOWN, child_pointer(at, name))
            else:
                yield from self.shape.faults(part, child_pointer(at, name))


@dataclass(frozen=True)
class Record:
    """An object with these keys. `is_open`: others are allowed, and not checked."""

    required: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)
    is_open: bool = False

    def schema(self) -> Schema:
        shapes = {**self.required, **self.optional}
        return {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in shapes.items()},
            "required": list(self.required),
            "additionalProperties": self.is_open,
        }

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault(FIELD_NOT_AN_OBJECT, at)
            return
        for name in (name for name in self.required if name not in value):
            yield fault(FIELD_MISSING, child_pointer(at, name))
        for name, part in value.items():
            shape = self.required.get(name) or self.optional.get(name)
            if shape is not None:
                yield from shape.faults(part, child_pointer(at, name))
            elif not self.is_open:
                yield fault(FIELD_UNKNOWN, child_pointer(at, name))


@dataclass(frozen=True)
class Anything:
    """Any storable JSON value, optionally of a JSON type, or one that `read` accepts.

    `read` raises one of `unreadable` for other values.
    """

    kind: str = ""
    read: Callable[[Any], object] | None = None
    unreadable: tuple[type[Exception], ...] = ()
    about: str = ""

    def schema(self) -> Schema:
        schema: Schema = {"type": self.kind} if self.kind else {}
        return schema | ({"description": self.about} if self.about else {})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if self.kind == "object" and not isinstance(value, dict):
            yield fault(FIELD_NOT_AN_OBJECT, at)
            return
        unstorable = list(_unstorable(value, at, MAX_DEPTH))
        yield from unstorable
        if self.read is None or unstorable:
            return
        try:
            self.read(value)
        except self.unreadable:
            yield fault(NOT_UNDERSTOOD, at)


def _unstorable(value: Any, at: str, levels: int) -> Iterator[Problem]:
    """Yield problems of what databases reject or other programs cannot read exactly."""
    if levels == 0:
        yield fault(FIELD_TOO_DEEP, at, maximum=MAX_DEPTH)
    elif isinstance(value, str):
        yield from _ANY_TEXT.faults(value, at)
    elif isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER:
        yield fault(FIELD_OUT_OF_RANGE, at, minimum=-MAX_SAFE_INTEGER, maximum=MAX_SAFE_INTEGER)
    elif isinstance(value, float) and not math.isfinite(value):
        yield fault(FIELD_NOT_A_NUMBER, at)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _unstorable(part, child_pointer(at, index), levels - 1)
    elif isinstance(value, dict):
        for name, part in value.items():
            if any(_ANY_TEXT.faults(name, at)):
                yield fault(FIELD_NOT_TEXT, at)
            else:
                yield from _unstorable(part, child_pointer(at, name), levels - 1)
