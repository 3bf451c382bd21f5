"""A list of players as it was sent, and what has been said of it so far, as plain data for a page to carry."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tournament.base.errors import refuse


@dataclass(frozen=True)
class Reading:
    """What somebody said of one sheet. None: as Hule finds it.

    `cells`: (row, field) → what it should say. `left_out` and `kept`: rows that are not wanted, and that are although
    they look like nobody. `apart`, `refused` and `chosen` as in `Said`.
    """

    heading: int | None = None
    columns: tuple[str, ...] | None = None
    cells: Mapping[tuple[int, str], str] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()
    kept: frozenset[int] = frozenset()
    apart: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()

    def to_json(self) -> dict[str, Any]:
        return {
            "heading": self.heading,
            "columns": self.columns,
            "cells": [[row, name, text] for (row, name), text in self.cells.items()],
            "left_out": sorted(self.left_out),
            "kept": sorted(self.kept),
            "apart": sorted(self.apart),
            "refused": sorted(self.refused),
            "chosen": sorted(self.chosen),
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Reading:
        return cls(
            heading=None if said["heading"] is None else int(said["heading"]),
            columns=None if said["columns"] is None else tuple(map(str, said["columns"])),
            cells={(int(row), str(name)): str(text) for row, name, text in said["cells"]},
            left_out=frozenset(map(int, said["left_out"])),
            kept=frozenset(map(int, said["kept"])),
            apart=frozenset(map(int, said["apart"])),
            refused=frozenset(map(str, said["refused"])),
            chosen=frozenset(map(str, said["chosen"])),
        )


@dataclass(frozen=True)
class Wish:
    """A list as it was sent, and how it is to be read. `name`: the file's, "" for a text that was pasted.

    `updates`: it is the event's own list, edited: rows are known by their keys, and what it lacks can be chosen.
    `reading` is about `sheet`; what was said of other sheets waits in `others` until they are chosen again.
    """

    data: bytes
    name: str = ""
    sheet: str | None = None
    split: str = ""
    soften: bool = False
    zeros: bool = False
    reading: Reading = Reading()
    others: Mapping[str, Reading] = field(default_factory=dict)
    updates: bool = False

    def of_sheet(self, sheet: str) -> Wish:
        """The same list, read from another of its sheets."""
        others = {**self.others, self.sheet or "": self.reading}
        return replace(self, sheet=sheet, reading=others.pop(sheet, Reading()), others=others)

    def to_json(self) -> str:
        """Everything, on one line, for a page to send back."""
        said = {
            "data": b64encode(self.data).decode(),
            "name": self.name,
            "sheet": self.sheet,
            "split": self.split,
            "soften": self.soften,
            "zeros": self.zeros,
            "updates": self.updates,
            "reading": self.reading.to_json(),
            "others": {name: reading.to_json() for name, reading in self.others.items()},
        }
        return json.dumps(said, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Wish:
        """What a page sent back; refused when it did not come back whole."""
        try:
            said = json.loads(text)
            return cls(
                data=b64decode(said["data"], validate=True),
                name=str(said["name"]),
                sheet=None if said["sheet"] is None else str(said["sheet"]),
                split=str(said["split"]),
                soften=bool(said["soften"]),
                zeros=bool(said["zeros"]),
                updates=bool(said["updates"]),
                reading=Reading.from_json(said["reading"]),
                others={str(name): Reading.from_json(one) for name, one in said["others"].items()},
            )
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise refuse("list_lost") from None
