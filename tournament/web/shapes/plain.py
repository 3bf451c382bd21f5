"""Shapes of values that hold no others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final, Protocol
from uuid import UUID

from scoring.engine.problems import Problem

Schema = dict[str, Any]
_NO_TEXT: Final = re.compile("[\0\ud800-\udfff]")
"""What no database keeps."""
_AMOUNT: Final = "^-?[0-9]{1,7}\\.[0-9]{2}$"
_BASE64: Final = "^[A-Za-z0-9+/]*={0,2}$"


class Shape(Protocol):
    def schema(self) -> Schema: ...

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        """Everything in which the value at that place is otherwise."""
        ...


def inside(at: str, name: str | int) -> str:
    """The pointer of what is in a value, by its name or its index."""
    return f"{at}/{str(name).replace('~', '~0').replace('/', '~1')}"


def fault(code: str, at: str, **params: str | int) -> Problem:
    """`field`: the name that sentences say."""
    name = at.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    return Problem(code, at, {"field": name[:80]} | params)


@dataclass(frozen=True)
class Text:
    most: int = 100_000
    least: int = 0
    pattern: str = ""

    def schema(self) -> Schema:
        said: Schema = {"type": "string", "maxLength": self.most}
        said |= {"minLength": self.least} if self.least else {}
        return said | ({"pattern": self.pattern} if self.pattern else {})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or _NO_TEXT.search(value):
            yield fault("field_not_text", at)
        elif len(value) > self.most:
            yield fault("field_too_long", at, most=self.most)
        elif len(value) < self.least or (self.pattern and not re.fullmatch(self.pattern, value)):
            yield fault("field_not_allowed", at)


@dataclass(frozen=True)
class Whole:
    least: int = 0
    most: int = 2**31 - 1

    def schema(self) -> Schema:
        return {"type": "integer", "minimum": self.least, "maximum": self.most}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if type(value) is not int:
            yield fault("field_not_a_number", at)
        elif not self.least <= value <= self.most:
            yield fault("field_out_of_range", at, least=self.least, most=self.most)


@dataclass(frozen=True)
class YesNo:
    def schema(self) -> Schema:
        return {"type": "boolean"}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, bool):
            yield fault("field_not_yes_or_no", at)


@dataclass(frozen=True)
class OneOf:
    values: tuple[str, ...]

    def schema(self) -> Schema:
        return {"enum": list(self.values)}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or value not in self.values:
            yield fault("field_not_allowed", at)


@dataclass(frozen=True)
class Exactly:
    """One value and no other."""

    value: str | int

    def schema(self) -> Schema:
        return {"const": self.value}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if type(value) is not type(self.value) or value != self.value:
            yield fault("field_not_allowed", at)


@dataclass(frozen=True)
class _Written:
    """A text that a reader understands."""

    otherwise: str
    """The code of what is wrong where it does not."""
    said: tuple[tuple[str, str], ...]
    read: Callable[[str], object]

    def schema(self) -> Schema:
        return {"type": "string", **dict(self.said)}

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        try:
            if isinstance(value, str) and len(value) <= 60 and value.isascii():
                self.read(value)
                return
        except (ValueError, OverflowError):
            pass
        yield fault(self.otherwise, at)


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


Moment: Final = _Written("field_not_a_moment", (("format", "date-time"),), _moment)
Day: Final = _Written("field_not_a_day", (("format", "date"),), _day)
Hour: Final = _Written(
    "field_not_an_hour", (("pattern", "^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?$"),), _hour
)
Amount: Final = _Written("field_not_an_amount", (("pattern", _AMOUNT),), _amount)
Uuid: Final = _Written("field_not_a_uuid", (("format", "uuid"),), UUID)


@dataclass(frozen=True)
class Base64:
    """The content of a file, of at most so many bytes."""

    most: int

    def schema(self) -> Schema:
        return {
            "type": "string",
            "contentEncoding": "base64",
            "pattern": _BASE64,
            "maxLength": self.most // 3 * 4 + 4,
        }

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, str) or len(value) % 4 or not re.fullmatch(_BASE64, value):
            yield fault("field_not_base64", at)
        elif len(value) // 4 * 3 - value[-2:].count("=") > self.most:
            yield fault("file_too_large", at, most=self.most // 1024 // 1024)
