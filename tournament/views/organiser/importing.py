"""Entering a list of players: send it, look at every problem, mend, and only then enter.

Nothing is kept between the steps on the server: the page carries the list, and every step reads and checks it anew.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.engine.problems import Problem
from tournament.errors import Refused
from tournament.exchange.capitals import is_shouted
from tournament.exchange.headings import FIELDS
from tournament.exchange.players_check import Row, check
from tournament.exchange.players_csv import PlayerList, read_list
from tournament.forms.players import ListForm
from tournament.forms.problems import add_problems
from tournament.models import Tournament
from tournament.services.players import add_players
from tournament.texts import sentence
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show

FIELD_NAMES = {
    "number": gettext_lazy("Number"),
    "last_name": gettext_lazy("Last name"),
    "first_name": gettext_lazy("First name"),
    "country": gettext_lazy("Country"),
    "ema_number": gettext_lazy("EMA number"),
    "team": gettext_lazy("Team"),
    "club": gettext_lazy("Club"),
}
MOST_MENDED = 100
"""Rows that can be mended on one page; those after them are told and come next."""


@organiser_page
def import_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the list. POST of a list: its preview. POST of a preview: checked again, or entered."""
    if request.method != "POST":
        return show(request, "import", tournament, "players", {"form": ListForm()})
    if "list" in request.POST:
        return _preview_sent(request, tournament)
    form = ListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            return _show(request, tournament, Preview(tournament, read_list(form.content())))
        except Refused as refused:
            add_problems(form, [Problem(p.code, "file", p.params) for p in refused.problems])
    return show(request, "import", tournament, "players", {"form": form}, status=UNPROCESSABLE)


@dataclass(frozen=True)
class Preview:
    """A list on its way in, with what the organiser has said of it so far."""

    tournament: Tournament
    listed: PlayerList
    left_out: frozenset[int] = frozenset()
    soften: bool = False

    @classmethod
    def sent(cls, tournament: Tournament, data: QueryDict) -> Preview:
        """The preview as a page sent it back, with its mended cells and chosen columns; refused when torn."""
        listed = PlayerList.from_json(str(data["list"]))
        # The cells were mended under the columns as they stood; only then are the columns read anew.
        columns = [data.get(f"column-{index}", name) for index, name in enumerate(listed.columns)]
        for line in listed.lines:
            for name in FIELDS:
                if (text := data.get(f"cell-{line.number}-{name}")) not in (None, listed.cell(line, name)):
                    listed = listed.with_cell(line.number, name, text)
        listed = listed.with_columns([*columns, *listed.columns[len(columns) :]])
        left_out = frozenset(int(number) for number in data.getlist("leave") if number.isdecimal())
        return cls(tournament, listed, left_out, "soften" in data)

    @cached_property
    def rows(self) -> list[Row]:
        return check(self.listed, self.tournament, left_out=self.left_out, soften=self.soften)

    @property
    def wanted(self) -> list[Row]:
        return [row for row in self.rows if not row.left_out]

    @property
    def faulty(self) -> list[Row]:
        """The rows to mend; none as long as it is not clear what the columns are."""
        return [] if self.listed.problems() else [row for row in self.rows if row.problems]

    @property
    def is_clean(self) -> bool:
        return not self.faulty and not self.listed.problems() and bool(self.wanted)

    @property
    def has_capitals(self) -> bool:
        return any(is_shouted(row.cells["last_name"]) for row in self.rows)


def _preview_sent(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        preview = Preview.sent(tournament, request.POST)
    except Refused as refused:
        torn = {"form": ListForm(), "problems": [{"text": sentence(problem)} for problem in refused.problems]}
        return show(request, "import", tournament, "players", torn, status=UNPROCESSABLE)
    if "enter" not in request.POST or not preview.is_clean:
        return _show(request, tournament, preview)
    try:
        entered = add_players(tournament, actor_of(request), [row.entrant for row in preview.wanted])
    except Refused:
        # Somebody entered one of these people a moment ago: checked again, the list says whom.
        return _show(request, tournament, replace(preview))
    n = len(entered)
    messages.success(request, ngettext("%(n)s player entered.", "%(n)s players entered.", n) % {"n": n})
    return redirect("organiser_players", tournament.slug)


def _show(request: HttpRequest, tournament: Tournament, preview: Preview) -> HttpResponse:
    faulty = preview.faulty
    mended = {row.number for row in faulty[:MOST_MENDED]}
    shown = [name for name in FIELDS if name in preview.listed.columns or name == "last_name"]
    context = {
        "preview": preview,
        "rows": [_drawn(row, row.number in mended, shown) for row in preview.rows],
        "shown": [(name, FIELD_NAMES[name]) for name in shown],
        "problems": _column_problems(preview) + _row_problems(faulty[:MOST_MENDED]),
        "more": max(0, len(faulty) - MOST_MENDED),
        "columns": _columns(preview),
        "fields": FIELD_NAMES.items(),
    }
    status = UNPROCESSABLE if "list" in request.POST and not preview.is_clean else 200
    return show(request, "import_preview", tournament, "players", context, status=status)


def _drawn(row: Row, is_mended: bool, shown: list[str]) -> dict[str, Any]:
    """A row for the page: its cells, each with its sentences."""
    cells = [
        {
            "name": name,
            "label": FIELD_NAMES[name],
            "text": row.cells[name],
            "errors": [sentence(problem) for problem in row.problems if problem.where == name],
        }
        for name in shown
    ]
    return {"row": row, "cells": cells, "is_mended": is_mended}


def _column_problems(preview: Preview) -> list[dict[str, str]]:
    return [
        {"text": sentence(problem), "url": f"#{problem.where or 'column.0'}".replace(".", "-")}
        for problem in preview.listed.problems()
    ]


def _row_problems(faulty: list[Row]) -> list[dict[str, str]]:
    text = _("Row %(row)s, %(column)s: %(sentence)s")
    return [
        {
            "text": text
            % {"row": row.number, "column": FIELD_NAMES[problem.where], "sentence": sentence(problem)},
            "url": f"#cell-{row.number}-{problem.where}",
        }
        for row in faulty
        for problem in row.problems
    ]


def _columns(preview: Preview) -> list[dict[str, Any]]:
    """Each column of the file, with what it is read as and what it says first."""
    listed = preview.listed
    return [
        {
            "index": index,
            "heading": listed.headings[index] if index < len(listed.headings) else "",
            "field": name,
            "sample": next(
                (line.cells[index] for line in listed.lines if index < len(line.cells) and line.cells[index]),
                "",
            ),
            "errors": [
                sentence(problem) for problem in listed.problems() if problem.where == f"column.{index}"
            ],
        }
        for index, name in enumerate(listed.columns)
    ]
