"""Import a list of people, new ones or the event's own list, and undo the newest import.

The server stores nothing between upload, preview and import: the page carries the list and the choices about it, and
every step reads and checks it again.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from scoring.engine.problems import Problem
from tournament.base.access import Right, may
from tournament.base.countries import country_name
from tournament.base.engine.text import number_in, numbers_in
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.players.selectors.players import ListChange, ListStep, list_step
from tournament.players.services.players import CHANGED_SINCE, ListResult, undo_list
from tournament.roster.engine import EnterAs
from tournament.roster.exports.list_import import ListImport, ListInput
from tournament.roster.exports.matching import Difference, Row
from tournament.roster.forms.importing import PlayerListForm
from tournament.roster.selectors.people import usual_target
from tournament.roster.services.importing import REGISTRATION_CHANGED_SINCE, enter_people
from tournament.web.exports.encodings import ENCODINGS
from tournament.web.exports.headings import FIELDS
from tournament.web.exports.whole_names import WHOLE, SplitName, is_in_capitals, split_name
from tournament.web.forms import add_problems
from tournament.web.texts.log import sentences
from tournament.web.views import UNPROCESSABLE, actor_of, desk_page, organiser_page, render_page

FIELD_NAMES = {
    "number": gettext_lazy("Number"),
    "last_name": gettext_lazy("Last name"),
    "first_name": gettext_lazy("First name"),
    "whole_name": gettext_lazy("Full name"),
    "prefix": gettext_lazy("Prefix of the last name"),
    "second_name": gettext_lazy("Second name"),
    "country": gettext_lazy("Country"),
    "ema_number": gettext_lazy("EMA number"),
    "team": gettext_lazy("Team"),
    "club": gettext_lazy("Club"),
    "email": gettext_lazy("E-mail"),
    "message": gettext_lazy("Message"),
}
WAYS = {
    "": gettext_lazy("As each name shows it"),
    "last_first": gettext_lazy("Family name first"),
    "first_last": gettext_lazy("Family name last"),
    WHOLE: gettext_lazy("Do not split"),
}
"""Commas, capitals and scripts decide first, whatever the order."""
TARGETS = {
    EnterAs.PLAYERS: gettext_lazy("players"),
    EnterAs.REGISTRATIONS: gettext_lazy("registrations, as if they had filled in the form"),
}
MAX_SAMPLES = 3
MAX_EDITABLE_ROWS = 100
"""Faulty rows that can be edited on one page; later ones are counted."""


def _cacheable_form(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Let browsers cache the empty form, so that going back finds the pasted text in it."""

    @wraps(view)
    def answer(request: HttpRequest, slug: str) -> HttpResponse:
        response = view(request, slug)
        if request.method == "GET" and response.status_code == 200:
            response["Cache-Control"] = "private, no-cache"
            del response["Expires"]
        return response

    return answer


@_cacheable_form
@desk_page
def import_people(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the form (GET), preview a list (POST), check the preview again or enter it (POST with `list`).

    The button `another` enters it like `enter`, and leads back to the form.
    """
    if request.method != "POST":
        return _form_page(request, tournament, PlayerListForm(), 200)
    if "list" in request.POST:
        return _handle_preview(request, tournament)
    form = PlayerListForm(request.POST, request.FILES)
    if form.is_valid():
        source = form.to_input()
        if not form.is_previous:
            source = replace(source, enter_as=usual_target(tournament, actor_of(request)))
        try:
            return _preview_page(request, ListImport(tournament, source))
        except Refused as refused:
            add_problems(form, [p.at("file") for p in refused.problems])
    return _form_page(request, tournament, form)


def _form_page(
    request: HttpRequest,
    tournament: Tournament,
    form: PlayerListForm,
    status: int = UNPROCESSABLE,
    problems: Sequence[Problem] = (),
) -> HttpResponse:
    context = {
        "form": form,
        "has_players": tournament.players.exists(),
        "problems": [{"text": sentence(problem)} for problem in problems],
    }
    return render_page(request, "roster/import", tournament, "people", context, status=status)


def _handle_preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    try:
        source = ListInput.from_json(str(request.POST["list"]))
        original = ListImport(tournament, source)
        edited = ListImport(tournament, read_preview(original, request.POST))
    except Refused as refused:
        return _form_page(request, tournament, PlayerListForm(), problems=refused.problems)
    if "back" in request.POST:
        return _form_page(request, tournament, PlayerListForm.of(edited.source), 200)
    try:
        edited.player_list  # noqa: B018
    except Refused as refused:
        # The chosen sheet or row of headings has no players: show the previous ones.
        return _preview_page(request, original, refused.problems)
    if request.POST.keys().isdisjoint(("enter", "another")) or edited.problems:
        return _preview_page(request, edited)
    if outdated := _outdated(original, request):
        return _preview_page(request, edited, outdated)
    if not (edited.has_effect and _showed_everything(original, edited, request)):
        return _preview_page(request, edited)
    registrations = edited.registrations
    try:
        entered = enter_people(
            tournament,
            actor_of(request),
            entrants=edited.entrants,
            registrations=registrations,
            changes=edited.changes,
            registration_changes=edited.registration_changes,
            leaving=[absent.player.number for absent in edited.leaving],
        )
    except Refused as refused:
        # Somebody changed these players at the same time: check the list again.
        return _preview_page(request, ListImport(tournament, edited.source), refused.problems)
    n_changed = len({change.player for change in edited.registration_changes})
    messages.success(request, _summary(entered, len(registrations), n_changed))
    page = "organiser_import" if "another" in request.POST else "organiser_people"
    return redirect(page, tournament.slug)


def _outdated(original: ListImport, request: HttpRequest) -> list[Problem]:
    """Return problems of taken differences that no longer exist, because the people were changed meanwhile."""
    current = set(original.keys)
    outdated = [key for key in request.POST.getlist("take") if key not in current]
    owners = dict.fromkeys(key.partition(".")[0] for key in outdated)
    return [
        CHANGED_SINCE(player=number) if owner == number else REGISTRATION_CHANGED_SINCE(registration=number)
        for owner in owners
        if (number := owner.removeprefix("r")).isdecimal()
    ]


def _showed_everything(original: ListImport, edited: ListImport, request: HttpRequest) -> bool:
    """Whether the page showed exactly what would be stored: the same rows and every difference."""
    offered = request.POST.get("offered", "").split()
    is_same = edited.player_list == original.player_list and all(
        getattr(edited.source, name) == getattr(original.source, name)
        for name in ("soften", "zeros", "enter_as")
    )
    keys = [difference.key for difference in edited.taken]
    keys += [absent.key for absent in edited.leaving]
    return is_same and all(key in offered for key in keys)


def read_preview(original: ListImport, data: QueryDict) -> ListInput:
    """Return the list with the choices that the preview sent back."""
    source, player_list = original.source, original.player_list
    columns = tuple(data.get(f"column-{index}", name) for index, name in enumerate(player_list.columns))
    if (ignored := number_in(data.get("ignore", ""))) is not None:
        columns = tuple("" if index == ignored else name for index, name in enumerate(columns))
    swapped = source.reading.swapped
    if "swap" in data:
        rows = player_list.doubtful_names if data["swap"] == "all" else numbers_in([str(data["swap"])])
        swapped = swapped.symmetric_difference(rows)
    leave = frozenset(numbers_in(data.getlist("leave")))
    offered, taken = set(data.get("offered", "").split()), set(data.getlist("take"))
    reading = replace(
        source.reading,
        columns=columns if columns != player_list.columns else source.reading.columns,
        cells=_edited_cells(original, data),
        left_out=leave - player_list.notes,
        included=player_list.notes - leave,
        apart=frozenset(numbers_in(data.getlist("apart"))),
        swapped=swapped,
        refused=(source.reading.refused - offered) | (offered - taken),
        chosen=(source.reading.chosen - offered) | (offered & taken),
    )
    heading = number_in(data.get("first_row") or data.get("heading", ""))
    if heading not in (None, player_list.heading):
        reading = replace(reading, heading=heading, columns=None)
    source = replace(
        source,
        sheet=player_list.sheet,
        reading=reading,
        encoding=data.get("encoding", source.encoding),
        split=data.get("split", source.split),
        updates="updates" in data,
        enter_as=EnterAs(chosen)
        if (chosen := str(data.get("enter_as"))) in list(EnterAs)
        else source.enter_as,
        soften="soften" in data,
        zeros="zeros" in data,
    )
    sheet = data.get("sheet", player_list.sheet)
    return source.of_sheet(sheet) if sheet != player_list.sheet and sheet in player_list.sheets else source


def _edited_cells(original: ListImport, data: QueryDict) -> dict[tuple[int, str], str]:
    """Return the cells that were corrected, before and now."""
    cells = dict(original.source.reading.cells)
    for line in original.player_list.lines:
        texts = original.player_list.cells(line)
        for name in FIELDS:
            if (text := data.get(f"cell-{line.number}-{name}")) not in (None, texts[name]):
                cells[line.number, name] = str(text)
    return cells


def _summary(entered: ListResult, registered: int, changed_registrations: int) -> str:
    new, changed, withdrawn = len(entered.new), len(entered.changed), len(entered.left)
    parts = []
    if registered:
        text = ngettext("%(n)s person is registered.", "%(n)s people are registered.", registered)
        parts.append(text % {"n": registered})
    if n := changed_registrations:
        parts.append(ngettext("%(n)s registration changed.", "%(n)s registrations changed.", n) % {"n": n})
    if new:
        parts.append(ngettext("%(n)s player entered.", "%(n)s players entered.", new) % {"n": new})
    if changed:
        parts.append(ngettext("%(n)s player changed.", "%(n)s players changed.", changed) % {"n": changed})
    if withdrawn:
        parts.append(
            ngettext("%(n)s player withdrawn.", "%(n)s players withdrawn.", withdrawn) % {"n": withdrawn}
        )
    return sentences(*parts)


def _preview_page(
    request: HttpRequest, list_import: ListImport, request_problems: Sequence[Problem] = ()
) -> HttpResponse:
    context: dict[str, Any] = preview_context(
        list_import,
        request_problems,
        can_organise=may(actor_of(request), list_import.tournament, Right.ORGANISE),
        editing=numbers_in(request.POST.getlist("edit")),
    )
    wrong = "list" in request.POST and (context["problems"] or context["questions"])
    status = UNPROCESSABLE if wrong else 200
    return render_page(
        request, "roster/import_preview", list_import.tournament, "people", context, status=status
    )


# --- What the preview shows ---


def preview_context(
    list_import: ListImport,
    request_problems: Sequence[Problem] = (),
    *,
    can_organise: bool = True,
    editing: Collection[int] = (),
) -> dict[str, Any]:
    """Return the context of the preview.

    `request_problems`: those of the last request, besides the list's. `editing`: rows that somebody wants to edit.
    Without the right to organise, people can only be registered and players are not changed.
    """
    faulty = list_import.faulty
    editable = {row.number for row in faulty[:MAX_EDITABLE_ROWS] if row.problems} | {*editing}
    fields = [(name, FIELD_NAMES[name]) for name in list_import.player_list.fields]
    rows = [] if list_import.player_list.problems() else list_import.rows
    return {
        "list_import": list_import,
        "list": list_import.source.to_json(),
        "rows": [_row_context(row, row.number in editable, fields, list_import) for row in list_import.rows],
        "shown": fields,
        "problems": [
            *({"text": sentence(problem)} for problem in request_problems),
            *_problem_lines(list_import, faulty[:MAX_EDITABLE_ROWS]),
        ],
        "questions": [row for row in rows if row.question],
        "more": max(0, len(faulty) - MAX_EDITABLE_ROWS),
        "columns": list(_column_contexts(list_import)),
        "fields": FIELD_NAMES.items(),
        "beginnings": [
            (line.number, " · ".join(filter(None, line.cells)))
            for line in list_import.player_list.first_lines
        ],
        "encodings": ENCODINGS.items() if list_import.player_list.encoding else (),
        "encoding_name": ENCODINGS.get(list_import.player_list.encoding, ""),
        "unread": [
            heading or _("Column %(n)s") % {"n": index + 1}
            for index, heading in list_import.player_list.unread
        ],
        "doubtful_names": _rows_with_doubtful_names(list_import),
        "number_column": list_import.player_list.columns.index("number")
        if "number" in list_import.player_list.columns and list_import.source.enter_as is EnterAs.PLAYERS
        else None,
        "ways": _name_order_choices(list_import),
        "zeros": _rows_without_zero(list_import),
        "targets": TARGETS.items() if can_organise else (),
        "may_update": can_organise,
        "changes": [
            {
                "row": row,
                "differences": [_difference_context(difference, row) for difference in row.differences],
            }
            for row in list_import.changed
            if can_organise or row.registration
        ],
        "absent": [
            {
                "key": absent.key,
                "player": absent.player,
                "is_taken": absent.key in list_import.source.reading.chosen,
            }
            for absent in (list_import.absent if can_organise else ())
        ],
        "has_emptied": list_import.is_update
        and any(difference.empties for difference in list_import.differences),
        "offered": " ".join(list_import.keys),
        "has_capitals": list_import.source.soften
        or any(is_in_capitals(row.cells["last_name"]) for row in list_import.included_rows),
    }


def _row_context(
    row: Row, is_editable: bool, fields: Sequence[tuple[str, Any]], list_import: ListImport
) -> dict[str, Any]:
    """Return a row with its cells and their errors."""
    cells = [
        {
            "name": name,
            "label": label,
            "text": row.entrant.ema_number if name == "ema_number" and not is_editable else row.cells[name],
            "errors": [sentence(problem) for problem in row.problems if problem.where == name],
        }
        for name, label in fields
    ]
    return {
        "row": row,
        "cells": cells,
        "is_name_doubtful": row.is_new and row.number in list_import.player_list.doubtful_names,
        "is_swapped": row.number in list_import.source.reading.swapped,
        "is_editable": is_editable and not row.left_out,
        "is_edited": is_editable and not row.problems,
        "question": sentence(row.question) if row.question else "",
        "is_apart": row.number in list_import.source.reading.apart,
        "is_note": row.number in list_import.player_list.notes,
    }


def _problem_lines(list_import: ListImport, faulty: Sequence[Row]) -> list[dict[str, str]]:
    text = _("Row %(row)s, %(column)s: %(sentence)s")
    of_columns = [
        {"text": sentence(problem), "url": f"#{problem.where or 'column.0'}".replace(".", "-")}
        for problem in list_import.player_list.problems()
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
    """Yield the columns that are not empty, with their fields and samples."""
    player_list = list_import.player_list
    for index, name in enumerate(player_list.columns):
        texts = (
            line.cells[index]
            for line in player_list.lines
            if index < len(line.cells) and line.number not in player_list.notes
        )
        heading = player_list.headings[index] if index < len(player_list.headings) else ""
        sample = next(filter(None, texts), "")
        if not (heading or sample or name):
            continue
        errors = [
            sentence(problem) for problem in player_list.problems() if problem.where == f"column.{index}"
        ]
        yield {"index": index, "heading": heading, "field": name, "sample": sample, "errors": errors}


def _name_order_choices(list_import: ListImport) -> list[dict[str, Any]]:
    """Return how whole names can be split, with samples; empty if names are split already."""
    names = [*list_import.player_list.whole_names.values()]
    if not names:
        return []
    return [
        {
            "value": order,
            "label": label,
            "samples": [
                SplitName(name) if order == WHOLE else split_name(name, order) for name in names[:MAX_SAMPLES]
            ],
            "is_chosen": order == list_import.player_list.split,
        }
        for order, label in WAYS.items()
    ]


def _rows_with_doubtful_names(list_import: ListImport) -> list[Row]:
    """Return the new people whose names may be in the wrong order: others are known in any order."""
    doubtful = {*list_import.player_list.doubtful_names}
    return [row for row in list_import.new if row.number in doubtful]


def _rows_without_zero(list_import: ListImport) -> list[Row]:
    """Return rows whose EMA number lost its zero, except those of players who have that number."""
    return [
        row
        for row in list_import.included_rows
        if row.lost_zero and not (row.player and row.player.ema_number == row.lost_zero)
    ]


def _difference_context(difference: Difference, row: Row) -> dict[str, Any]:
    before, after = (_shown_value(difference.field, value) for value in (difference.before, difference.after))
    return {
        "key": difference.key,
        "label": FIELD_NAMES[difference.field],
        "old": before,
        "new": pgettext("a field", "empty") if difference.empties else after,
        "is_taken": row.takes(difference),
    }


def _shown_value(field: str, value: Any) -> Any:
    return country_name(str(value)) if field == "country" and value else value


# --- Undoing the newest list ---


@organiser_page
def list_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what can be undone, and who has changed since (GET); undo it except for the latter (POST)."""
    if request.method != "POST":
        return render_page(
            request, "roster/list_undo", tournament, "people", _undo_context(list_step(tournament))
        )
    without, step = numbers_in(request.POST.getlist("without")), number_in(request.POST.get("step", ""))
    try:
        people = undo_list(tournament, actor_of(request), step or 0, without)
    except Refused as refused:
        context = _undo_context(list_step(tournament))
        context["problems"] = [{"text": sentence(problem)} for problem in refused.problems]
        return render_page(request, "roster/list_undo", tournament, "people", context, status=UNPROCESSABLE)
    n = len(people)
    done = ngettext("The import was undone for %(n)s player.", "The import was undone for %(n)s players.", n)
    messages.success(request, done % {"n": n})
    return redirect("organiser_people", tournament.slug)


def _undo_context(step: ListStep | None) -> dict[str, Any]:
    return {
        "step": step,
        "changes": [(change, _changed_fields(change)) for change in step.undoable] if step else [],
        "blocked": [(change, sentence(change.problem)) for change in step.blocked if change.problem]
        if step
        else [],
    }


def _changed_fields(change: ListChange) -> list[tuple[Any, Any, Any]]:
    return [
        (FIELD_NAMES[name], _shown_value(name, change.after[name]), _shown_value(name, before))
        for name, before in change.before.items()
        if name in FIELD_NAMES
    ]
