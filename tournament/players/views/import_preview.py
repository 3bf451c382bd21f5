"""What the page shows of a list on its way in: how it is read, what is wrong, who is known, and every row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.engine.problems import Problem
from tournament.players.exports.players_import import ListImport
from tournament.players.exports.players_known import Difference
from tournament.players.exports.players_rows import Row
from tournament.web.exports.capitals import is_shouted
from tournament.web.exports.whole_names import likely_way, split_name
from tournament.web.texts.countries import country_name
from tournament.web.texts.problems import sentence

FIELD_NAMES = {
    "number": gettext_lazy("Number"),
    "last_name": gettext_lazy("Last name"),
    "first_name": gettext_lazy("First name"),
    "country": gettext_lazy("Country"),
    "ema_number": gettext_lazy("EMA number"),
    "team": gettext_lazy("Team"),
    "club": gettext_lazy("Club"),
}
WAYS = {
    "": gettext_lazy("As they are, whole"),
    "last_first": gettext_lazy("The family name stands first"),
    "first_last": gettext_lazy("The family name stands last"),
    "capitals": gettext_lazy("The family name is in capitals"),
    "comma": gettext_lazy("A comma stands behind the family name"),
}
SAMPLES = 3
MOST_MENDED = 100
"""Rows that can be mended on one page; those after them are told and come next."""


def drawn(asked: ListImport, also: Sequence[Problem] = ()) -> dict[str, Any]:
    """The context of the preview. `also`: what was wrong with the last wish, beside what is wrong with the list."""
    faulty = asked.faulty
    mended = {row.number for row in faulty[:MOST_MENDED] if row.problems}
    shown = [(name, FIELD_NAMES[name]) for name in asked.listed.fields]
    rows = [] if asked.listed.problems() else asked.rows
    return {
        "asked": asked,
        "list": asked.wish.to_json(),
        "rows": [_row(row, row.number in mended, shown, asked) for row in asked.rows],
        "shown": shown,
        "problems": [{"text": sentence(one)} for one in also] + _problems(asked, faulty[:MOST_MENDED]),
        "questions": [row for row in rows if row.question],
        "more": max(0, len(faulty) - MOST_MENDED),
        "columns": list(_columns(asked)),
        "fields": FIELD_NAMES.items(),
        "beginnings": [(line.number, " · ".join(filter(None, line.cells))) for line in asked.listed.begin],
        "ways": _ways(asked),
        "zeros": _zeros(asked),
        "changes": [
            {"row": row, "differences": [_difference(one, row) for one in row.differences]}
            for row in asked.changed
        ],
        "absent": [
            {"key": one.key, "player": one.player, "is_taken": one.key in asked.wish.reading.chosen}
            for one in asked.absent
        ],
        "has_emptied": asked.wish.updates and any(one.empties for one in asked.differences),
        "offered": " ".join(asked.keys),
        "has_capitals": asked.wish.soften or any(is_shouted(row.cells["last_name"]) for row in asked.wanted),
    }


def _row(row: Row, is_mended: bool, shown: Sequence[tuple[str, Any]], asked: ListImport) -> dict[str, Any]:
    """A row for the page: its cells, each with its sentences."""
    cells = [
        {
            "name": name,
            "label": label,
            "text": row.entrant.ema_number if name == "ema_number" and not is_mended else row.cells[name],
            "errors": [sentence(problem) for problem in row.problems if problem.where == name],
        }
        for name, label in shown
    ]
    return {
        "row": row,
        "cells": cells,
        "is_mended": is_mended,
        "question": sentence(row.question) if row.question else "",
        "is_apart": row.number in asked.wish.reading.apart,
        "is_note": row.number in asked.listed.notes,
    }


def _problems(asked: ListImport, faulty: Sequence[Row]) -> list[dict[str, str]]:
    """All that is wrong, each with the place where it is mended."""
    text = _("Row %(row)s, %(column)s: %(sentence)s")
    of_columns = [
        {"text": sentence(problem), "url": f"#{problem.where or 'column.0'}".replace(".", "-")}
        for problem in asked.listed.problems()
    ]
    return of_columns + [
        {
            "text": text
            % {"row": row.number, "column": FIELD_NAMES[problem.where], "sentence": sentence(problem)},
            "url": f"#cell-{row.number}-{problem.where}",
        }
        for row in faulty
        for problem in row.problems
    ]


def _columns(asked: ListImport) -> Iterator[dict[str, Any]]:
    """Each column of the file that says anything, with what it is read as and what it says first."""
    listed = asked.listed
    for index, name in enumerate(listed.columns):
        said = (
            line.cells[index]
            for line in listed.lines
            if index < len(line.cells) and line.number not in listed.notes
        )
        heading = listed.headings[index] if index < len(listed.headings) else ""
        sample = next(filter(None, said), "")
        if not (heading or sample or name):
            continue
        errors = [sentence(one) for one in listed.problems() if one.where == f"column.{index}"]
        yield {"index": index, "heading": heading, "field": name, "sample": sample, "errors": errors}


def _ways(asked: ListImport) -> list[dict[str, Any]]:
    """How whole names can be parted, each way with the first names so parted; none where names are parted already."""
    names = asked.listed.whole_names
    if not names:
        return []
    likely = likely_way(names)
    return [
        {
            "way": way,
            "label": label,
            "samples": [split_name(name, way) if way else (name, "") for name in names[:SAMPLES]],
            "is_likely": bool(way) and way == likely,
            "is_chosen": way == asked.listed.split,
        }
        for way, label in WAYS.items()
        if way != "comma" or any("," in name for name in names)
    ]


def _zeros(asked: ListImport) -> list[Row]:
    """Rows whose EMA number lost its zero and is not known with it."""
    return [
        row
        for row in asked.wanted
        if row.lost_zero and not (row.player and row.player.ema_number == row.lost_zero)
    ]


def _difference(one: Difference, row: Row) -> dict[str, Any]:
    before, after = (
        (country_name(str(value)) if one.field == "country" and value else value)
        for value in (one.before, one.after)
    )
    return {
        "key": one.key,
        "label": FIELD_NAMES[one.field],
        "before": before,
        "after": pgettext("a field", "empty") if one.empties else after,
        "is_taken": row.takes(one),
    }
