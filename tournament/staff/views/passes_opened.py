"""The address on a card: it signs this device in and leads to the table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from scoring.engine.problems import Problem
from tournament.base.access.address import place_of
from tournament.base.errors import TooMany
from tournament.base.limits import Guesses
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Pass
from tournament.play.views.table import desk_url
from tournament.staff.passes import find_pass, open_pass
from tournament.web.views.common import turned_away

GONE = 410
CARDS = Guesses.at("passes", freely=100, seconds=1)
"""A hall that tries yesterday's cards fits; beyond, today's still open, a little later."""


@method_decorator(never_cache, name="dispatch")
class OpenPass(View):
    """Scanning is enough on a device where nobody is signed in; elsewhere the change is asked about first."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Wrong ones are counted where they come from."""
        try:
            CARDS.require(place_of(request), Problem("guessed_too_often", "", {"seconds": CARDS.pace.within}))
        except TooMany as many:
            return turned_away(request, many)
        response = super().dispatch(request, *args, **kwargs)
        if response.status_code != GONE:
            CARDS.was_right(place_of(request))
        return response

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        found = find_pass(token)
        if found is None:
            return render(request, "staff/pass_over.html", status=GONE)
        if request.user.is_authenticated and request.user != found.membership.user:
            return render(request, "staff/pass.html", {"pass": found})
        return self._enter(request, found)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        found = find_pass(token)
        if found is None:
            return render(request, "staff/pass_over.html", status=GONE)
        return self._enter(request, found)

    def _enter(self, request: HttpRequest, found: Pass) -> HttpResponse:
        if request.user != found.membership.user:
            open_pass(request, found)
        return redirect(_where_to(found))


def _where_to(found: Pass) -> str:
    """The desk of the pass's table in the session being played; else the list of tables, which says what comes."""
    membership = found.membership
    running = Table.objects.filter(
        session__tournament=membership.tournament, session__state=Session.State.RUNNING
    )
    # No table has the number 0.
    table = running.filter(number=membership.table_number or 0).select_related("session__tournament").first()
    return desk_url(table) if table else reverse("umpire_tables", args=[membership.tournament.slug])
