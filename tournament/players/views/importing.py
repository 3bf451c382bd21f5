"""Entering a list of players, new or the event's own: send it, look at every problem, mend, and only then enter.

Nothing is kept between the steps on the server: the page carries the list and what was said of it, and every step reads
and checks it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import ngettext

from scoring.engine.problems import Problem
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.exports.players_import import ListImport
from tournament.players.exports.players_wish import Wish
from tournament.players.forms.player_lists import PlayerListForm
from tournament.players.services.player_lists import Entered, enter_list
from tournament.players.views.import_preview import drawn
from tournament.web.exports.headings import FIELDS
from tournament.web.forms.problems import add_problems
from tournament.web.texts.places import sentences
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


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
