"""Hiding a session's results from the public, and opening them again."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base.access import Right
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.views.closing import going_on, open_things
from tournament.ranking.services import hide_results, open_results
from tournament.web.views.common import actor_of
from tournament.web.views.frame import organiser_page, page_for, press, show


@organiser_page
@require_POST
def hide(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """From now on only people with a role see how play went there."""
    session = get_object_or_404(tournament.sessions, number=number)
    return press(
        request,
        lambda: hide_results(session, actor_of(request)),
        _("The results of session %(n)s are hidden from the public.") % {"n": number},
        "organiser_session",
        tournament.slug,
        number,
    )


@page_for(Right.RULE)
@require_http_methods(["GET", "HEAD", "POST"])
def reveal(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask first: what everybody has seen cannot be hidden again."""
    session = get_object_or_404(tournament.sessions, number=number)
    if request.method != "POST":
        closed = [session] if session.state == Session.State.CLOSED else []
        context = {"session": session, "open_things": open_things(tournament, closed)}
        return show(request, "ranking/results_open", tournament, "session", context)
    return press(
        request,
        lambda: open_results(tournament, actor_of(request), [number], **going_on(request)),
        _("Everybody sees the results of session %(n)s.") % {"n": number},
        "organiser_session",
        tournament.slug,
        number,
        check=request.path,
    )
