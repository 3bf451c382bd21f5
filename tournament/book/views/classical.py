"""An evening of the classical game for four. The page carries the whole evening and the server keeps nothing of it."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scoring.classical.evening import Evening
from scoring.classical.records import MOST_HANDS, InvalidEvening, read_evening
from scoring.engine import InvalidHand
from tournament.book.forms.classical import AgreedForm, HandForm
from tournament.book.texts import classical

LONGEST_EVENING = 300_000
"""Characters of an evening as text."""


@require_http_methods(["GET", "HEAD", "POST"])
def evening(request: HttpRequest) -> HttpResponse:
    """A new evening, and with a POST the one that is carried, after a step: start, open, hand, undo, agree."""
    if request.method != "POST":
        return _start(request, AgreedForm())
    step = request.POST.get("step", "")
    if step == "start":
        form = AgreedForm(request.POST)
        return _show(request, form.evening()) if form.is_valid() else _start(request, form)
    try:
        carried = _carried(request.POST.get("evening", ""))
    except InvalidEvening as refused:
        return _start(request, AgreedForm(), classical.unreadable(refused.place), status=400)
    return STEPS.get(step, _show)(request, carried)


def _carried(text: str) -> Evening:
    try:
        return read_evening(json.loads(text[:LONGEST_EVENING]))
    except (ValueError, RecursionError) as refused:
        raise refused if isinstance(refused, InvalidEvening) else InvalidEvening() from refused


def _hand(request: HttpRequest, carried: Evening) -> HttpResponse:
    """The hand that was entered, settled, or what is wrong with it."""
    form = HandForm(carried, request.POST)
    if carried.turn.is_over or len(carried.entries) >= MOST_HANDS or not form.is_valid():
        return _show(request, carried, form)
    try:
        return _show(request, carried.with_hand(form.entry()))
    except InvalidHand as refused:
        form.say(refused.problems)
        return _show(request, carried, form)


def _undo(request: HttpRequest, carried: Evening) -> HttpResponse:
    return _show(request, carried.without_last())


def _agree(request: HttpRequest, carried: Evening) -> HttpResponse:
    """Other names or rules; every hand is settled anew by them."""
    form = AgreedForm(request.POST)
    if form.is_valid():
        return _show(request, form.evening(carried.entries))
    return _show(request, carried, agreed=form)


STEPS = {"hand": _hand, "undo": _undo, "agree": _agree}


def _start(request: HttpRequest, form: AgreedForm, refused: str = "", status: int = 200) -> HttpResponse:
    context = {"form": form, "refused": refused}
    return render(request, "book/classical/start.html", context, status=status)


def _show(
    request: HttpRequest, carried: Evening, form: HandForm | None = None, agreed: AgreedForm | None = None
) -> HttpResponse:
    turn = carried.turn
    context: dict[str, Any] = {
        "evening": carried,
        "carried": json.dumps(carried.to_json(), ensure_ascii=False, separators=(",", ":")),
        "turn": turn,
        "number": len(carried.entries) + 1,
        "is_full": len(carried.entries) >= MOST_HANDS,
        "headline": _("The four rounds are played") if turn.is_over else classical.headline(carried),
        "next": classical.next_sentence(carried),
        "seats": classical.seats(carried),
        "last": classical.last_hand(carried),
        "sheet": classical.sheet(carried),
        "form": form or HandForm(carried),
        "agreed": agreed or AgreedForm(evening=carried),
    }
    return render(request, "book/classical/evening.html", context)
