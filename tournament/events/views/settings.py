"""All settings of an event on one page, and those that have no page of their own elsewhere."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.events.forms.tournaments import TournamentForm
from tournament.events.services.tournaments import update_tournament
from tournament.fouls.services.fouls import set_attendance
from tournament.play.forms.attendance import AttendanceForm
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
@require_safe
def index(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every setting with a sentence of what it is, in groups."""
    return show(request, "events/settings", tournament, "settings")


@organiser_page
def particulars(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Name, days, sessions and rulebook."""
    fixed, known = tournament.sessions.exists(), TournamentForm.particulars_of(tournament)
    form = TournamentForm(request.POST if request.method == "POST" else None, initial=known, fixed=fixed)
    if form.is_valid():
        try:
            update_tournament(tournament, actor_of(request), form.particulars())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_settings", tournament.slug)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "events/particulars", tournament, "settings", {"form": form}, status=status)


@organiser_page
def attendance(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whose result a stand-in's is, and whether who withdraws is ranked."""
    known = AttendanceForm.of(tournament.rules.attendance)
    form = AttendanceForm(request.POST if request.method == "POST" else None, initial=known)
    if not form.is_valid():
        status = UNPROCESSABLE if form.errors else 200
        return show(request, "events/attendance", tournament, "settings", {"form": form}, status=status)
    return press(
        request,
        lambda: set_attendance(tournament, actor_of(request), form.attendance()),
        _("The standings follow this from now on."),
        "organiser_settings",
        tournament.slug,
    )
