"""Answering a call: take it, and be done with it."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Refused
from tournament.play.models.calls import Call
from tournament.play.selectors.calls import halls_of, waiting_for
from tournament.play.services.calls import end_call, take_call
from tournament.web.views.common import actor_of, tell_refusal, tournament_or_404


@require_safe
@never_cache
def bar(request: HttpRequest) -> HttpResponse:
    """Who waits for the asker, wherever they are on the site: a part of a page, empty for who answers no calls."""
    halls = halls_of(actor_of(request))
    waiting = [call for hall in halls for call in waiting_for(actor_of(request), hall)]
    return render(request, "play/_call_bar.html", {"halls": halls, "calls": waiting})


@require_POST
@login_required
def take(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    return _answer(request, slug, call, take_call)


@require_POST
@login_required
def done(request: HttpRequest, slug: str, call: int) -> HttpResponse:
    return _answer(request, slug, call, end_call)


def _answer(request: HttpRequest, slug: str, call: int, write: Callable[[Call, Actor], Call]) -> HttpResponse:
    tournament, actor = tournament_or_404(slug), actor_of(request)
    calls = Call.objects.select_related("table__session__tournament")
    found = get_object_or_404(calls, pk=call, table__session__tournament=tournament)
    access.require_judge(actor, found.table)
    try:
        write(found, actor)
    except Refused as refused:
        tell_refusal(request, refused)
    return redirect("organiser_board" if request.POST.get("back") == "board" else "umpire_tables", slug)
