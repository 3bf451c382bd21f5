"""Holding a ceremony from a phone: begin, the next place, one back, open the results, end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import hidden_sessions
from tournament.play.selectors.organiser import progress_of
from tournament.screens.forms.ceremony import CeremonyForm
from tournament.screens.models.ceremonies import Ceremony
from tournament.screens.selectors.ceremony import current_ceremony, script_of
from tournament.screens.services.ceremonies import end_ceremony, start_ceremony, take_back, tell_next
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is told and who is next; before it begins, of whom it is to be. A POST begins it."""
    form = CeremonyForm(tournament, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            start_ceremony(tournament, actor_of(request), form.kind_chosen(), form.places())
        except Refused as refused:
            add_problems(form, refused)
        else:
            return redirect("organiser_ceremony", tournament.slug)
    ceremony = current_ceremony(tournament)
    context = {
        "form": form,
        "script": script_of(ceremony) if ceremony else None,
        "hidden_sessions": sorted(hidden_sessions(tournament)),
        "progress": progress_of(tournament),
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "screens/ceremony", tournament, "ceremony", context, status=status)


@organiser_page
@require_POST
def tell(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The next place. `seen`: how many the page knew of."""
    return _press(request, tournament, lambda one, actor: tell_next(one, actor, seen=_seen(request)))


@organiser_page
@require_POST
def back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _press(request, tournament, lambda one, actor: take_back(one, actor, seen=_seen(request)))


@organiser_page
@require_POST
def end(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _press(request, tournament, end_ceremony)


def _press(
    request: HttpRequest, tournament: Tournament, write: Callable[[Ceremony, Actor], Any]
) -> HttpResponse:
    """A button of the ceremony that is on. What it did stands on the page, so that nothing else is said."""
    ceremony = current_ceremony(tournament)
    if ceremony is not None:
        try:
            write(ceremony, actor_of(request))
        except Refused as refused:
            tell_refusal(request, refused)
    return redirect("organiser_ceremony", tournament.slug)


def _seen(request: HttpRequest) -> int:
    given = request.POST.get("seen", "")
    if not (given.isascii() and given.isdecimal() and len(given) < 6):
        raise Http404
    return int(given)
