"""Entering a list of players, new or the event's own, and taking the newest one back.

Send it, look at every problem, mend, and only then enter. Nothing is kept between the steps on the server: the page
carries the list and what was said of it, and every step reads and checks it anew."""

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
from tournament.base.countries import country_name
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.players.exports.player_import import ListImport, Wish
from tournament.players.exports.player_lists import Difference, Row
from tournament.players.forms import PlayerListForm
from tournament.players.selectors.players import ListStep, Written, list_step
from tournament.players.services.players import CHANGED_SINCE, Entered, enter_list, undo_list
from tournament.web.exports.headings import FIELDS, is_shouted, likely_way, split_name
from tournament.web.forms import add_problems
from tournament.web.texts.log import sentences
from tournament.web.views import UNPROCESSABLE, actor_of, organiser_page, show

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
    return _take_in(request, tournament, updates=False)


@_kept_by_browsers
@organiser_page
def update_players(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The same with the event's own list, edited: rows are known by number and EMA number."""
    return _take_in(request, tournament, updates=True)


def _take_in(request: HttpRequest, tournament: Tournament, *, updates: bool) -> HttpResponse:
    if request.method != "POST":
        return _form_page(request, tournament, PlayerListForm(), updates, 200)
    if "list" in request.POST:
        return _take_preview(request, tournament, updates)
    form = PlayerListForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            return _preview_page(request, ListImport(tournament, replace(form.wish(), updates=updates)))
        except Refused as refused:
            add_problems(form, [p.at("file") for p in refused.problems])
    return _form_page(request, tournament, form, updates)


def _form_page(
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
        "problems": [{"text": sentence(problem)} for problem in problems],
    }
    return show(request, "players/import", tournament, "players", context, status=status)


def _take_preview(request: HttpRequest, tournament: Tournament, updates: bool) -> HttpResponse:
    try:
        sent = replace(Wish.from_json(str(request.POST["list"])), updates=updates)
        shown = ListImport(tournament, sent)
        answered = ListImport(tournament, read_preview(shown, request.POST))
    except Refused as refused:
        return _form_page(request, tournament, PlayerListForm(), updates, problems=refused.problems)
    if "back" in request.POST:
        return _form_page(request, tournament, PlayerListForm.of(answered.wish), updates, 200)
    try:
        answered.listed  # noqa: B018
    except Refused as refused:
        # Another sheet or row of headings under which nobody stands: back to those that were looked at.
        return _preview_page(request, shown, refused.problems)
    if "enter" not in request.POST or answered.problems:
        return _preview_page(request, answered)
    if gone := _outdated(shown, request):
        return _preview_page(request, answered, gone)
    if not (answered.does_something and _was_shown(shown, answered, request)):
        return _preview_page(request, answered)
    leaving = [absent.player.number for absent in answered.leaving]
    try:
        entered = enter_list(tournament, actor_of(request), answered.entrants, answered.taken, leaving)
    except Refused as refused:
        # Somebody entered or changed one of these people a moment ago: checked again, the list says whom.
        return _preview_page(request, ListImport(tournament, answered.wish), refused.problems)
    messages.success(request, _summary(entered))
    return redirect("organiser_players", tournament.slug)


def _outdated(shown: ListImport, request: HttpRequest) -> list[Problem]:
    """What was offered and is no difference by now: somebody changed these players while the page was looked at."""
    now = set(shown.keys)
    taken = [key for key in request.POST.getlist("take") if key not in now]
    numbers = dict.fromkeys(key.partition(".")[0] for key in taken)
    return [CHANGED_SINCE(player=number) for number in numbers if number.isdecimal()]


def _was_shown(shown: ListImport, answered: ListImport, request: HttpRequest) -> bool:
    """Whether the page showed what would be written: the same rows read the same way, and every difference."""
    offered = request.POST.get("offered", "").split()
    is_same = answered.listed == shown.listed and all(
        getattr(answered.wish, name) == getattr(shown.wish, name) for name in ("soften", "zeros")
    )
    keys = [difference.key for difference in answered.taken]
    keys += [absent.key for absent in answered.leaving]
    return is_same and all(key in offered for key in keys)


def read_preview(shown: ListImport, data: QueryDict) -> Wish:
    """What a page sent back of the list it showed: mended cells, chosen columns, answers; another sheet last."""
    sent, listed = shown.wish, shown.listed
    columns = tuple(data.get(f"column-{index}", name) for index, name in enumerate(listed.columns))
    leave = _numbers(data.getlist("leave"))
    offered, taken = set(data.get("offered", "").split()), set(data.getlist("take"))
    reading = replace(
        sent.reading,
        columns=columns if columns != listed.columns else sent.reading.columns,
        cells=_mended_cells(shown, data),
        left_out=leave - listed.notes,
        kept=listed.notes - leave,
        apart=_numbers(data.getlist("apart")),
        refused=(sent.reading.refused - offered) | (offered - taken),
        chosen=(sent.reading.chosen - offered) | (offered & taken),
    )
    for heading in _numbers([data.get("heading", "")]) - {listed.heading}:
        reading = replace(reading, heading=heading, columns=None)
    sent = replace(
        sent,
        sheet=listed.sheet,
        reading=reading,
        split=data.get("split", ""),
        soften="soften" in data,
        zeros="zeros" in data,
    )
    sheet = data.get("sheet", listed.sheet)
    return sent.of_sheet(sheet) if sheet != listed.sheet and sheet in listed.sheets else sent


def _mended_cells(shown: ListImport, data: QueryDict) -> dict[tuple[int, str], str]:
    """The cells mended so far, and those that are now."""
    cells = dict(shown.wish.reading.cells)
    for line in shown.listed.lines:
        texts = shown.listed.cells(line)
        for name in FIELDS:
            if (text := data.get(f"cell-{line.number}-{name}")) not in (None, texts[name]):
                cells[line.number, name] = str(text)
    return cells


def _numbers(texts: Sequence[str]) -> frozenset[int]:
    return frozenset(int(text) for text in texts if text.isdecimal() and len(text) < 10)


def _summary(entered: Entered) -> str:
    new, changed, left = len(entered.new), len(entered.changed), len(entered.left)
    parts = []
    if new:
        parts.append(ngettext("%(n)s player entered.", "%(n)s players entered.", new) % {"n": new})
    if changed:
        parts.append(ngettext("%(n)s player changed.", "%(n)s players changed.", changed) % {"n": changed})
    if left:
        parts.append(ngettext("%(n)s player withdrawn.", "%(n)s players withdrawn.", left) % {"n": left})
    return sentences(*parts)


def _preview_page(
    request: HttpRequest, list_import: ListImport, also: Sequence[Problem] = ()
) -> HttpResponse:
    context: dict[str, Any] = preview_context(list_import, also)
    wrong = "list" in request.POST and (context["problems"] or context["questions"])
    status = UNPROCESSABLE if wrong else 200
    return show(request, "players/import_preview", list_import.tournament, "players", context, status=status)


# --- What the preview shows ---


def preview_context(list_import: ListImport, also: Sequence[Problem] = ()) -> dict[str, Any]:
    """The context of the preview. `also`: what was wrong with the last request, beside what is wrong with the list."""
    faulty = list_import.faulty
    mended = {row.number for row in faulty[:MOST_MENDED] if row.problems}
    shown = [(name, FIELD_NAMES[name]) for name in list_import.listed.fields]
    rows = [] if list_import.listed.problems() else list_import.rows
    return {
        "asked": list_import,
        "list": list_import.wish.to_json(),
        "rows": [_row_context(row, row.number in mended, shown, list_import) for row in list_import.rows],
        "shown": shown,
        "problems": [
            *({"text": sentence(problem)} for problem in also),
            *_problem_lines(list_import, faulty[:MOST_MENDED]),
        ],
        "questions": [row for row in rows if row.question],
        "more": max(0, len(faulty) - MOST_MENDED),
        "columns": list(_column_contexts(list_import)),
        "fields": FIELD_NAMES.items(),
        "beginnings": [
            (line.number, " · ".join(filter(None, line.cells))) for line in list_import.listed.begin
        ],
        "ways": _name_ways(list_import),
        "zeros": _lost_zeros(list_import),
        "changes": [
            {
                "row": row,
                "differences": [_difference_context(difference, row) for difference in row.differences],
            }
            for row in list_import.changed
        ],
        "absent": [
            {
                "key": absent.key,
                "player": absent.player,
                "is_taken": absent.key in list_import.wish.reading.chosen,
            }
            for absent in list_import.absent
        ],
        "has_emptied": list_import.wish.updates
        and any(difference.empties for difference in list_import.differences),
        "offered": " ".join(list_import.keys),
        "has_capitals": list_import.wish.soften
        or any(is_shouted(row.cells["last_name"]) for row in list_import.wanted),
    }


def _row_context(
    row: Row, is_mended: bool, shown: Sequence[tuple[str, Any]], list_import: ListImport
) -> dict[str, Any]:
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
        "is_apart": row.number in list_import.wish.reading.apart,
        "is_note": row.number in list_import.listed.notes,
    }


def _problem_lines(list_import: ListImport, faulty: Sequence[Row]) -> list[dict[str, str]]:
    """All that is wrong, each with the place where it is mended."""
    text = _("Row %(row)s, %(column)s: %(sentence)s")
    of_columns = [
        {"text": sentence(problem), "url": f"#{problem.where or 'column.0'}".replace(".", "-")}
        for problem in list_import.listed.problems()
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


def _column_contexts(list_import: ListImport) -> Iterator[dict[str, Any]]:
    """Each column of the file that says anything, with what it is read as and what it says first."""
    listed = list_import.listed
    for index, name in enumerate(listed.columns):
        texts = (
            line.cells[index]
            for line in listed.lines
            if index < len(line.cells) and line.number not in listed.notes
        )
        heading = listed.headings[index] if index < len(listed.headings) else ""
        sample = next(filter(None, texts), "")
        if not (heading or sample or name):
            continue
        errors = [sentence(problem) for problem in listed.problems() if problem.where == f"column.{index}"]
        yield {"index": index, "heading": heading, "field": name, "sample": sample, "errors": errors}


def _name_ways(list_import: ListImport) -> list[dict[str, Any]]:
    """How whole names can be parted, each way with the first names so parted; none where names are parted already."""
    names = list_import.listed.whole_names
    if not names:
        return []
    likely = likely_way(names)
    return [
        {
            "way": way,
            "label": label,
            "samples": [split_name(name, way) if way else (name, "") for name in names[:SAMPLES]],
            "is_likely": bool(way) and way == likely,
            "is_chosen": way == list_import.listed.split,
        }
        for way, label in WAYS.items()
        if way != "comma" or any("," in name for name in names)
    ]


def _lost_zeros(list_import: ListImport) -> list[Row]:
    """Rows whose EMA number lost its zero and is not known with it."""
    return [
        row
        for row in list_import.wanted
        if row.lost_zero and not (row.player and row.player.ema_number == row.lost_zero)
    ]


def _difference_context(difference: Difference, row: Row) -> dict[str, Any]:
    before, after = (_shown_value(difference.field, value) for value in (difference.before, difference.after))
    return {
        "key": difference.key,
        "label": FIELD_NAMES[difference.field],
        "before": before,
        "after": pgettext("a field", "empty") if difference.empties else after,
        "is_taken": row.takes(difference),
    }


def _shown_value(field: str, value: Any) -> Any:
    return country_name(str(value)) if field == "country" and value else value


# --- Taking the newest list back ---


LONGEST = 9
"""Figures of a number that is taken for one."""


@organiser_page
def list_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """GET: what would be put back, and who has changed since. POST puts it back, but for these."""
    if request.method != "POST":
        return show(request, "players/list_undo", tournament, "players", _undo_context(list_step(tournament)))
    without = [number for text in request.POST.getlist("without") if (number := _number(text))]
    try:
        people = undo_list(tournament, actor_of(request), _number(request.POST.get("step", "")), without)
    except Refused as refused:
        context = _undo_context(list_step(tournament))
        context["problems"] = [{"text": sentence(problem)} for problem in refused.problems]
        return show(request, "players/list_undo", tournament, "players", context, status=UNPROCESSABLE)
    n = len(people)
    done = ngettext("%(n)s player is as before.", "%(n)s players are as before.", n)
    messages.success(request, done % {"n": n})
    return redirect("organiser_players", tournament.slug)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) <= LONGEST else 0


def _undo_context(step: ListStep | None) -> dict[str, Any]:
    return {
        "step": step,
        "changes": [(written, _changed_fields(written)) for written in step.standing] if step else [],
        "moved_on": [(written, sentence(written.problem)) for written in step.moved_on if written.problem]
        if step
        else [],
    }


def _changed_fields(written: Written) -> list[tuple[Any, Any, Any]]:
    return [
        (FIELD_NAMES[name], _shown_value(name, written.after[name]), _shown_value(name, before))
        for name, before in written.before.items()
        if name in FIELD_NAMES
    ]
