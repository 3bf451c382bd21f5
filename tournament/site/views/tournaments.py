"""My tournaments, a new one, and the end of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.backup import display as backups
from tournament.base import access
from tournament.base.access import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.demo.trial_status import trial_status
from tournament.events.forms.tournaments import DeletionForm, TournamentForm
from tournament.events.services.deletion import delete_tournament
from tournament.events.services.tournaments import create_tournament
from tournament.site.selectors.contents import contents_of
from tournament.site.selectors.my_tournaments import in_order, my_keys, my_tournaments, newest_trial
from tournament.site.services import SIZES
from tournament.site.views.records import files_of
from tournament.site.views.what_now import bar_of
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, page_for, show

A_PAGE = 20
"""Tournaments of a page: what is to be done next is worked out for each of them."""
LONGEST = 100


@never_cache
@login_required
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The tournaments this person organises, each with what is to be done next in it."""
    actor = actor_of(request)
    wanted = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST]
    keys = my_keys(actor, timezone.localdate(), wanted)
    page = Paginator(keys, A_PAGE).get_page(request.GET.get("page"))
    mine = [(each, bar_of(each)) for each in in_order(my_tournaments(actor), list(page.object_list))]
    context: dict[str, Any] = {"tournaments": mine, "can_create": access.can_create(actor)}
    context |= {"page": page, "wanted": wanted, "has_trials": any(each.is_trial for each, _bar in mine)}
    if access.can_keep_backups(actor):
        context |= {"keeps_backups": True, "backup_failed": backups.trouble()}
    if context["can_create"]:
        job = newest_trial(actor)
        context |= {"job": job, "now": job and trial_status(job), "sizes": SIZES}
    return render(request, "site/home.html", context)


@never_cache
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """One short form, then the tournament's board."""
    actor = actor_of(request)
    access.require_creator(actor)
    if request.method != "POST":
        return render(request, "events/new.html", {"form": TournamentForm.blank(), "fresh": True})
    form = TournamentForm(request.POST)
    if form.is_valid():
        try:
            made = create_tournament(actor, form.particulars())
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(
                request,
                _("%(name)s is made. Now enter the players, or let people register.") % {"name": made.name},
            )
            return redirect("organiser_players", made.slug)
    return render(request, "events/new.html", {"form": form}, status=UNPROCESSABLE)


@page_for(Right.OWN)
def delete(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What would be gone, in numbers, and the files of it; a POST with the tournament's name deletes it for good.

    A trial goes without its name.
    """
    form = DeletionForm(request.POST if request.method == "POST" else None, is_trial=tournament.is_trial)
    if request.method == "POST" and form.is_valid():
        try:
            delete_tournament(tournament, actor_of(request), name=form.cleaned_data["name"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("%(name)s is deleted.") % {"name": tournament.name})
            return redirect("organiser_home")
    context = {"form": form, "contents": contents_of(tournament)} | files_of(tournament)
    return show(
        request,
        "events/delete",
        tournament,
        "settings",
        context,
        status=UNPROCESSABLE if form.errors else 200,
    )
