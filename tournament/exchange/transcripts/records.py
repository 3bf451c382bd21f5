"""A JSON record read field by field: each has its type and range, and a fault names its place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, TypeVar, overload

from scoring.engine.problems import Problem

T = TypeVar("T")

MOST: Final = 32_767
"""The largest whole number a transcript needs, and the database's small integers hold."""


class TranscriptError(Exception):
    """Where the transcript is wrong ("session 4, table 2, hand 7") and the first fault there."""

    def __init__(self, where: str, problem: Problem) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{where}: {problem.code}")


@dataclass(frozen=True)
class Record:
    """A JSON object and its place in the transcript; raises `TranscriptError` for what is not as it has to."""

    fields: Mapping[str, Any]
    where: str

    def has(self, name: str) -> bool:
        return self.fields.get(name) is not None

    def text(self, name: str, most: int, *, optional: bool = False, breaks: str = "") -> str:
        """A text of at most so many characters; a missing optional one is ''. `breaks`: the controls it may hold."""
        value = self._of(name, str, "" if optional else None)
        if len(value) > most:
            raise self.fault("field_too_long", name, most=most)
        if any(unicodedata.category(char) in ("Cc", "Cs") and char not in breaks for char in value):
            raise self.fault("field_not_text", name)
        return value

    def whole(self, name: str, least: int = 0, most: int = MOST) -> int:
        """A whole number in a range."""
        value = self._of(name, int)
        if not least <= value <= most:
            raise self.fault("field_out_of_range", name, least=least, most=most)
        return value

    def whole_if_given(self, name: str, least: int = 0, most: int = MOST) -> int | None:
        return self.whole(name, least, most) if self.has(name) else None

    def wholes(self, name: str) -> list[int]:
        """A list of whole numbers; a missing one is empty."""
        values = self._of(name, list, [])
        self._check_whole(values, name)
        return values

    def lists_of_wholes(self, name: str) -> list[list[int]]:
        values = self._of(name, list)
        if not all(isinstance(value, list) for value in values):
            raise self.fault("field_not_a_list", name)
        for numbers in values:
            self._check_whole(numbers, name)
        return values

    def _check_whole(self, values: list[Any], name: str) -> None:
        if not all(isinstance(value, int) and not isinstance(value, bool) for value in values):
            raise self.fault("field_not_a_number", name)
        if not all(0 <= value <= MOST for value in values):
            raise self.fault("field_out_of_range", name, least=0, most=MOST)

    def yes_or_no(self, name: str) -> bool:
        return self._of(name, bool)

    def yes_or_no_if_given(self, name: str) -> bool | None:
        return self.yes_or_no(name) if self.has(name) else None

    def day(self, name: str) -> date:
        """A day as ISO 8601 writes it: 2026-11-14."""
        try:
            return date.fromisoformat(self._of(name, str))
        except ValueError:
            raise self.fault("field_not_a_day", name) from None

    def record(self, name: str, where: str) -> Record:
        return Record(self._of(name, dict), where)

    def records(self, name: str, label: str, *, optional: bool = False) -> Iterator[Record]:
        """The objects of a list, each under the place "<here>, <label> <n>", n from 1; a missing optional one is
        empty."""
        for n, value in enumerate(self._of(name, list, [] if optional else None), 1):
            where = ", ".join(part for part in (self.where, f"{label} {n}") if part)
            if not isinstance(value, dict):
                raise TranscriptError(where, Problem("not_an_object"))
            yield Record(value, where)

    def numbered(self, name: str, label: str) -> Iterator[Record]:
        """The objects of a list whose own numbers must run 1, 2, 3…"""
        for n, record in enumerate(self.records(name, label), 1):
            if (given := record.whole("number")) != n:
                raise record.fault("out_of_order", "number", given=given, next=n)
            yield record

    @overload
    def _of(self, name: str, kind: type[T]) -> T: ...
    @overload
    def _of(self, name: str, kind: type[T], default: T | None) -> T: ...
    def _of(self, name: str, kind: type[T], default: T | None = None) -> T:
        value = self.fields.get(name, default)
        if value is None:
            raise self.fault("field_missing", name)
        # JSON's true and false are no numbers, though Python's bool is an int.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.fault(_WRONG_KIND[kind], name)
        return value

    def fault(self, code: str, name: str, **params: str | int) -> TranscriptError:
        return TranscriptError(self.where or "transcript", Problem(code, name, {"field": name} | params))


_WRONG_KIND: Final[Mapping[type, str]] = {
    str: "field_not_text",
    int: "field_not_a_number",
    bool: "field_not_yes_or_no",
    dict: "field_not_an_object",
    list: "field_not_a_list",
}
