"""The timetable: made in one step, and all its lines changed at once."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.events.engine import TimetableWish
from tournament.events.forms.timetable import FillForm, TimetableForm
from tournament.events.selectors.timetable import fingerprint
from tournament.events.selectors.timetable_lines import TimetableLine, filled, lines_of
from tournament.events.services.timetable import set_timetable
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?first=&pause=&lunch_at=&lunch=` shows a timetable made so; a POST of the lines saves them.

    Where nothing is planned yet, a usual timetable stands there to be saved.
    """
    if request.method == "POST":
        return _sent(request, tournament)
    planned = list(tournament.timetable.all())
    asked = "first" in request.GET
    fill = FillForm(request.GET if asked else None, initial=FillForm.usual())
    lines = _filled(tournament, fill) if asked else lines_of(tournament) if planned else _usual(tournament)
    form = TimetableForm.of(tournament, lines or lines_of(tournament), fingerprint(planned))
    is_proposed = lines is not None and (asked or not planned)
    context = {"form": form, "fill": fill, "is_proposed": is_proposed, "is_planned": bool(planned)}
    return _shown(request, tournament, context, bad=bool(fill.errors))


def _sent(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    form = TimetableForm.sent(tournament, request.POST)
    if form.is_valid():
        try:
            set_timetable(tournament, actor_of(request), form.lines(), seen=form.cleaned_data["seen"])
        except Refused as refused:
            form.say(refused.problems)
            form.show_again(fingerprint(tournament.timetable.all()))
        else:
            messages.success(request, _("The timetable is saved."))
            return redirect("organiser_timetable", tournament.slug)
    fill = FillForm(initial=FillForm.usual())
    return _shown(request, tournament, {"form": form, "fill": fill, "is_planned": True}, bad=True)


def _filled(tournament: Tournament, fill: FillForm) -> list[TimetableLine] | None:
    """The lines wished for; None where the wish has faults, then said beside it."""
    if not fill.is_valid():
        return None
    try:
        return filled(tournament, fill.wish(), lunch=_("Lunch"))
    except Refused as refused:
        add_problems(fill, refused)
        return None


def _usual(tournament: Tournament) -> list[TimetableLine] | None:
    try:
        return filled(tournament, TimetableWish(), lunch=_("Lunch"))
    except Refused:
        return None


def _shown(
    request: HttpRequest, tournament: Tournament, context: dict[str, Any], *, bad: bool
) -> HttpResponse:
    status = UNPROCESSABLE if bad else 200
    return show(request, "events/timetable", tournament, "timetable", context, status=status)
