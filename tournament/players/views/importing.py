"""Entering a list of players: looked at, entered, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.exports.player_import import ListImport, Wish
from tournament.players.exports.player_lists import Difference, Row
from tournament.players.forms import PlayerListForm
from tournament.players.selectors.players import ListStep, Written, list_step
from tournament.players.services.players import Entered, enter_list, undo_list
from tournament.web.exports.headings import FIELDS, is_shouted, likely_way, split_name
from tournament.web.forms import add_problems
from tournament.web.texts.log import sentences
from tournament.web.texts.problems import sentence
from tournament.web.texts.words import country_name
from tournament.web.views.frame import UNPROCESSABLE, actor_of, organiser_page, show

# --- Import preview ---
# What the page shows of a list on its way in: how it is read, what is wrong, who is known, and every row.


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


# --- Importing ---
# Entering a list of players, new or the event's own: send it, look at every problem, mend, and only then enter.
#
# Nothing is kept between the steps on the server: the page carries the list and what was said of it, and every step
# reads and checks it anew.


def _kept_by_browsers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The empty form may be kept, so that going back finds in it what was pasted: it says nothing of anybody."""

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        response = view(request, slug)
        if request.method == "GET" and response.status_code == 200:
            response["Cache-Control"] = "private, no-cache"
            del response["Expires"]
        return response

    return answer


@_kept_by_browsers
@organiser_page
def import_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: where to put the list. POST of a list: its preview. POST of a preview: checked again, or entered."""
    return _taken_in(request, tournament, updates=False)


@_kept_by_browsers
@organiser_page
def update_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The same with the event's own list, edited: rows are known by number and EMA number."""
    return _taken_in(request, tournament, updates=True)


def _taken_in(request: HttpRequest, tournament: Tournament, *, updates: bool) -> HttpResponse:
    if request.method != "POST":
        return _ask(request, tournament, PlayerListForm(), updates, 200)
    if "list" in request.POST:
        return _preview_sent(request, tournament, updates)
    form = PlayerListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            return _show(request, ListImport(tournament, replace(form.wish(), updates=updates)))
        except Refused as refused:
            add_problems(form, [Problem(p.code, "file", p.params) for p in refused.problems])
    return _ask(request, tournament, form, updates)


def _ask(
    request: HttpRequest,
    tournament: Tournament,
    form: PlayerListForm,
    updates: bool,
    status: int = UNPROCESSABLE,
    problems: Sequence[Problem] = (),
) -> HttpResponse:
    context = {
        "form": form,
        "updates": updates,
        "problems": [{"text": sentence(one)} for one in problems],
    }
    return show(request, "players/import", tournament, "players", context, status=status)


def _preview_sent(request: HttpRequest, tournament: Tournament, updates: bool) -> HttpResponse:
    try:
        wish = replace(Wish.from_json(str(request.POST["list"])), updates=updates)
        seen = ListImport(tournament, wish)
        asked = ListImport(tournament, said_of(seen, request.POST))
    except Refused as refused:
        return _ask(request, tournament, PlayerListForm(), updates, problems=refused.problems)
    if "back" in request.POST:
        return _ask(request, tournament, PlayerListForm.of(asked.wish), updates, 200)
    try:
        asked.listed  # noqa: B018
    except Refused as refused:
        # Another sheet or row of headings under which nobody stands: back to those that were looked at.
        return _show(request, seen, refused.problems)
    if "enter" not in request.POST or asked.problems:
        return _show(request, asked)
    if gone := _gone(seen, request):
        return _show(request, asked, gone)
    if not (asked.does_something and _was_shown(seen, asked, request)):
        return _show(request, asked)
    leaving = [one.player.number for one in asked.leaving]
    try:
        entered = enter_list(tournament, actor_of(request), asked.entrants, asked.taken, leaving)
    except Refused as refused:
        # Somebody entered or changed one of these people a moment ago: checked again, the list says whom.
        return _show(request, ListImport(tournament, asked.wish), refused.problems)
    messages.success(request, _done(entered))
    return redirect("organiser_players", tournament.slug)


def _gone(seen: ListImport, request: HttpRequest) -> list[Problem]:
    """What was offered and is no difference by now: somebody changed these players while the page was looked at."""
    now = set(seen.keys)
    taken = [key for key in request.POST.getlist("take") if key not in now]
    numbers = dict.fromkeys(key.partition(".")[0] for key in taken)
    return [Problem("changed_since", "", {"player": number}) for number in numbers if number.isdecimal()]


def _was_shown(seen: ListImport, asked: ListImport, request: HttpRequest) -> bool:
    """Whether the page showed what would be written: the same rows read the same way, and every difference."""
    offered = request.POST.get("offered", "").split()
    is_same = asked.listed == seen.listed and all(
        getattr(asked.wish, name) == getattr(seen.wish, name) for name in ("soften", "zeros")
    )
    keys = [*(one.key for one in asked.taken), *(one.key for one in asked.leaving)]
    return is_same and all(key in offered for key in keys)


def said_of(seen: ListImport, data: QueryDict) -> Wish:
    """What a page sent back of the list it showed: mended cells, chosen columns, answers; another sheet last."""
    wish, listed = seen.wish, seen.listed
    columns = tuple(data.get(f"column-{index}", name) for index, name in enumerate(listed.columns))
    leave = _numbers(data.getlist("leave"))
    offered, taken = set(data.get("offered", "").split()), set(data.getlist("take"))
    reading = replace(
        wish.reading,
        columns=columns if columns != listed.columns else wish.reading.columns,
        cells=_cells(seen, data),
        left_out=leave - listed.notes,
        kept=listed.notes - leave,
        apart=_numbers(data.getlist("apart")),
        refused=(wish.reading.refused - offered) | (offered - taken),
        chosen=(wish.reading.chosen - offered) | (offered & taken),
    )
    for heading in _numbers([data.get("heading", "")]) - {listed.heading}:
        reading = replace(reading, heading=heading, columns=None)
    wish = replace(
        wish,
        sheet=listed.sheet,
        reading=reading,
        split=data.get("split", ""),
        soften="soften" in data,
        zeros="zeros" in data,
    )
    sheet = data.get("sheet", listed.sheet)
    return wish.of_sheet(sheet) if sheet != listed.sheet and sheet in listed.sheets else wish


def _cells(seen: ListImport, data: QueryDict) -> dict[tuple[int, str], str]:
    """The cells mended so far, and those that are now."""
    found = dict(seen.wish.reading.cells)
    for line in seen.listed.lines:
        said = seen.listed.cells(line)
        for name in FIELDS:
            if (text := data.get(f"cell-{line.number}-{name}")) not in (None, said[name]):
                found[line.number, name] = str(text)
    return found


def _numbers(texts: Sequence[str]) -> frozenset[int]:
    return frozenset(int(text) for text in texts if text.isdecimal() and len(text) < 10)


def _done(entered: Entered) -> str:
    new, changed, left = len(entered.new), len(entered.changed), len(entered.left)
    said = []
    if new:
        said.append(ngettext("%(n)s player entered.", "%(n)s players entered.", new) % {"n": new})
    if changed:
        said.append(ngettext("%(n)s player changed.", "%(n)s players changed.", changed) % {"n": changed})
    if left:
        said.append(ngettext("%(n)s player withdrawn.", "%(n)s players withdrawn.", left) % {"n": left})
    return sentences(*said)


def _show(request: HttpRequest, asked: ListImport, also: Sequence[Problem] = ()) -> HttpResponse:
    context: dict[str, Any] = drawn(asked, also)
    wrong = "list" in request.POST and (context["problems"] or context["questions"])
    status = UNPROCESSABLE if wrong else 200
    return show(request, "players/import_preview", asked.tournament, "players", context, status=status)


# --- The list of players that was entered last, taken back: shown first, with who has changed since ---


LONGEST = 9
"""Figures of a number that is taken for one."""


@organiser_page
def list_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: what would be put back, and who has changed since. POST puts it back, but for these."""
    if request.method != "POST":
        return show(request, "players/list_undo", tournament, "players", _drawn(list_step(tournament)))
    without = [number for text in request.POST.getlist("without") if (number := _number(text))]
    try:
        people = undo_list(tournament, actor_of(request), _number(request.POST.get("step", "")), without)
    except Refused as refused:
        told = {"problems": [{"text": sentence(one)} for one in refused.problems]}
        context = _drawn(list_step(tournament)) | told
        return show(request, "players/list_undo", tournament, "players", context, status=UNPROCESSABLE)
    n = len(people)
    done = ngettext("%(n)s player is as before.", "%(n)s players are as before.", n)
    messages.success(request, done % {"n": n})
    return redirect("organiser_players", tournament.slug)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= LONGEST else 0


def _drawn(step: ListStep | None) -> dict[str, Any]:
    return {
        "step": step,
        "changes": [(one, _lines(one)) for one in step.standing] if step else [],
        "moved_on": [(one, sentence(one.problem)) for one in step.moved_on if one.problem] if step else [],
    }


def _lines(one: Written) -> list[tuple[Any, Any, Any]]:
    return [
        (FIELD_NAMES[name], _said(name, one.after[name]), _said(name, before))
        for name, before in one.before.items()
        if name in FIELD_NAMES
    ]


def _said(name: str, value: Any) -> Any:
    return country_name(value) if name == "country" and value else value
