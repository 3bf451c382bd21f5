"""How a line says what of a model a tournament's file carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Carried:
    """One model, in a section of the file; its rows stand there in the order they were made.

    `of`: the way from a row to its tournament. `key`: the fields by which other rows name one of these; without any it
    is its place in the section, from 1. `single`: there is one in an event or none, so the section is an object and
    nothing names it. `left`: fields that the file does not say, with the reason. `keyed`: JSON objects whose names are
    keys of rows of another model.
    """

    label: str
    section: str
    of: str = "tournament"
    key: tuple[str, ...] = ()
    single: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """What fields are called in the file, where that is otherwise."""
    left: Mapping[str, str] = field(default_factory=dict)
    keyed: Mapping[str, str] = field(default_factory=dict)
