"""Shapes of values that hold others."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scoring.engine.problems import Problem
from tournament.web.shapes.plain import Schema, Shape, Text, fault, inside

DEEPEST: Final = 24
"""So deep may be nested what has no shape of its own; rules, the deepest there is, have nine."""
LARGEST: Final = 2**53 - 1
"""The whole numbers that every program reads as they are."""
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
    most: int | None = None
    least: int = 0

    def schema(self) -> Schema:
        said: Schema = {"type": "array", "items": self.shape.schema()}
        said |= {"minItems": self.least} if self.least else {}
        return said | ({} if self.most is None else {"maxItems": self.most})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield fault("field_not_a_list", at)
        elif len(value) < self.least or (self.most is not None and len(value) > self.most):
            yield fault("field_not_allowed", at)
        else:
            for index, one in enumerate(value):
                yield from self.shape.faults(one, inside(at, index))


@dataclass(frozen=True)
class MapOf:
    """An object whose names are data: languages, players."""

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
            yield fault("field_not_an_object", at)
            return
        for name, one in value.items():
            if not re.fullmatch(self.names, name) or any(_ANY_TEXT.faults(name, at)):
                yield fault("field_unknown", inside(at, name))
            else:
                yield from self.shape.faults(one, inside(at, name))


@dataclass(frozen=True)
class Record:
    """An object with these names and no others."""

    wanted: Mapping[str, Shape]
    optional: Mapping[str, Shape] = field(default_factory=dict)

    def schema(self) -> Schema:
        shapes = {**self.wanted, **self.optional}
        return {
            "type": "object",
            "properties": {name: shape.schema() for name, shape in shapes.items()},
            "required": list(self.wanted),
            "additionalProperties": False,
        }

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield fault("field_not_an_object", at)
            return
        for name in self.wanted.keys() - value.keys():
            yield fault("field_missing", inside(at, name))
        for name, one in value.items():
            shape = self.wanted.get(name) or self.optional.get(name)
            if shape is None:
                yield fault("field_unknown", inside(at, name))
            else:
                yield from shape.faults(one, inside(at, name))


@dataclass(frozen=True)
class Anything:
    """Whatever is JSON and can be kept: of this kind, if one is named; an object as `read` understands it.

    `read` raises one of `unreadable` for what it does not understand.
    """

    kind: str = ""
    read: Callable[[Any], object] | None = None
    unreadable: tuple[type[Exception], ...] = ()
    about: str = ""

    def schema(self) -> Schema:
        said: Schema = {"type": self.kind} if self.kind else {}
        return said | ({"description": self.about} if self.about else {})

    def faults(self, value: Any, at: str) -> Iterator[Problem]:
        if self.kind == "object" and not isinstance(value, dict):
            yield fault("field_not_an_object", at)
            return
        found = list(_unkept(value, at, DEEPEST))
        yield from found
        if self.read is None or found:
            return
        try:
            self.read(value)
        except self.unreadable:
            yield fault("not_understood", at)


def _unkept(value: Any, at: str, deep: int) -> Iterator[Problem]:
    """What no database keeps, or no other program reads as it is."""
    if deep == 0:
        yield fault("field_too_deep", at, most=DEEPEST)
    elif isinstance(value, str):
        yield from _ANY_TEXT.faults(value, at)
    elif isinstance(value, int) and abs(value) > LARGEST:
        yield fault("field_out_of_range", at, least=-LARGEST, most=LARGEST)
    elif isinstance(value, float) and not math.isfinite(value):
        yield fault("field_not_a_number", at)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from _unkept(one, inside(at, index), deep - 1)
    elif isinstance(value, dict):
        for name, one in value.items():
            if any(_ANY_TEXT.faults(name, at)):
                yield fault("field_not_text", at)
            else:
                yield from _unkept(one, inside(at, name), deep - 1)
