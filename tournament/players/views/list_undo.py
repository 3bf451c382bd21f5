"""The list of players that was entered last, taken back: shown first, with who has changed since."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.list_steps import ListStep, Written, list_step
from tournament.players.services.player_lists import undo_list
from tournament.players.views.import_preview import FIELD_NAMES
from tournament.web.texts.countries import country_name
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show

LONGEST = 9
"""Figures of a number that is taken for one."""


@organiser_page
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
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
