"""My tournaments, a new one, and the particulars of one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament import access
from tournament.errors import Refused
from tournament.forms.problems import add_problems
from tournament.forms.tournaments import TournamentForm
from tournament.models import Tournament
from tournament.selectors.organiser import my_tournaments
from tournament.services.tournaments import create_tournament, update_tournament
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments this person organises."""
    actor = actor_of(request)
    context = {"tournaments": my_tournaments(actor), "can_create": access.can_create(actor)}
    return render(request, "organiser/home.html", context)


@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """One short form, then the tournament's board."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        return render(request, "organiser/new.html", {"form": TournamentForm.blank()})
    form = TournamentForm(request.POST)
    if form.is_valid():
        try:
            made = create_tournament(actor, form.particulars())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("%(name)s is made. Now enter the players.") % {"name": made.name})
            return redirect("organiser_players", made.slug)
    return render(request, "organiser/new.html", {"form": form}, status=UNPROCESSABLE)


@organiser_page
def settings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the particulars."""
    fixed, known = tournament.sessions.exists(), TournamentForm.particulars_of(tournament)
    if request.method != "POST":
        form = TournamentForm(initial=known, fixed=fixed)
        return show(request, "settings", tournament, "settings", {"form": form})
    form = TournamentForm(request.POST, initial=known, fixed=fixed)
    if form.is_valid():
        try:
            update_tournament(tournament, actor_of(request), form.particulars())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("organiser_settings", tournament.slug)
    return show(request, "settings", tournament, "settings", {"form": form}, status=UNPROCESSABLE)
