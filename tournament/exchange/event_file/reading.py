"""Reading the file from anybody's hand: nothing in it is believed until all of it has been looked at.

Faults are named by their place, a JSON pointer, and as many as fit on a page are told at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Final

from scoring.engine.problems import Problem
from tournament.base.errors import Refused, refuse
from tournament.exchange.carried import CARRIED
from tournament.exchange.event_file.canonical import NOT_BOUND, digest
from tournament.exchange.event_file.columns import EVENT, columns
from tournament.exchange.event_file.staff import SECTION as STAFF
from tournament.exchange.event_file.staff import SHAPE as STAFF_SHAPE
from tournament.exchange.event_file.ties import untied
from tournament.exchange.event_file.versions import FORMAT, VERSION, brought_up, check_version
from tournament.web import shapes
from tournament.web.shapes import OrNull, Record, Shape, inside

MOST_BYTES: Final = 64 * 1024 * 1024
"""An event of 400 players and twelve sessions has about forty."""
MOST_VALUES: Final = 6_000_000
"""So many commas and brackets: what is read takes some fifty bytes for each."""
MOST_TOLD: Final = 20
"""So many faults are told at once."""
EXTENSIONS: Final = 100


def read(content: bytes) -> dict[str, Any]:
    """The data of a file, as this version has it, every value of the right shape and every tie to something.

    Raises Refused.
    """
    data = parsed(content)
    check_version(data)
    changed = list(islice(_changed(data), MOST_TOLD))
    data = brought_up(data)
    found = [*changed, *islice(SHAPE().faults(data, ""), MOST_TOLD)]
    if not found:
        found = list(islice(untied(data), MOST_TOLD))
    if found:
        raise Refused(found[:MOST_TOLD])
    return data


def parsed(content: bytes) -> dict[str, Any]:
    """The JSON of a file of any version."""
    if len(content) > MOST_BYTES:
        raise refuse("tournament_file_too_large", most=MOST_BYTES // 1024 // 1024)
    if sum(map(content.count, (b"[", b"{", b","))) > MOST_VALUES:
        raise refuse("tournament_file_too_many", most=MOST_VALUES)
    try:
        data = json.loads(content.decode("utf-8-sig"), parse_float=_finite, parse_constant=_finite)
    except json.JSONDecodeError as error:
        raise refuse("tournament_file_cut", line=error.lineno) from None
    except (RecursionError, ValueError):  # not UTF-8, nested thousands deep, a number of thousands of digits
        raise refuse("not_a_tournament_file") from None
    if not isinstance(data, dict):
        raise refuse("not_a_tournament_file")
    return data


def _finite(text: str) -> float:
    number = float(text)
    if number - number != 0:
        raise ValueError(text)
    return number


def _changed(data: Mapping[str, Any]) -> Iterator[Problem]:
    """Sections that are not as they were written."""
    said = data.get("digests")
    if not isinstance(said, dict):
        yield shapes.fault("field_missing", "/digests")
        return
    for name, value in data.items():
        if name not in NOT_BOUND and said.get(name) != digest(value):
            yield Problem("section_changed", inside("", name), {"section": name[:40]})


@cache
def SHAPE() -> Shape:  # noqa: N802  (a constant, made when the models are there)
    """The whole file."""
    wanted: dict[str, Shape] = {
        "format": shapes.Exactly(FORMAT),
        "version": shapes.Exactly(VERSION),
        "digests": shapes.MapOf(shapes.Text(64, 64, "^[0-9a-f]+$")),
        "contact_data": shapes.YesNo(),
        EVENT.section: row_shape(EVENT.label),
        STAFF: STAFF_SHAPE,
        **{one.section: _section(one.label, one.single) for one in CARRIED},
        "transcript": OrNull(shapes.Anything("object", about="As docs/transcript.md has it.")),
    }
    wanted["extensions"] = shapes.ListOf(row_shape("tournament.Extension"), EXTENSIONS)
    return Record(wanted, {"$schema": shapes.Text(500)})


def row_shape(label: str) -> Shape:
    return Record({column.name: column.shape for column in columns(label)})


def _section(label: str, single: bool) -> Shape:
    return OrNull(row_shape(label)) if single else shapes.ListOf(row_shape(label))
