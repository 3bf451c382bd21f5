"""The address on a card: it signs this device in and leads to the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.cache import never_cache

from tournament.models import Pass, Session, Table
from tournament.passes import find_pass, open_pass
from tournament.views.umpire.table import desk_url

GONE = 410


@method_decorator(never_cache, name="dispatch")
class OpenPass(View):
    """Scanning is enough on a device where nobody is signed in; elsewhere the change is asked about first."""

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        found = find_pass(token)
        if found is None:
            return render(request, "umpire/pass_over.html", status=GONE)
        if request.user.is_authenticated and request.user != found.membership.user:
            return render(request, "umpire/pass.html", {"pass": found})
        return self._enter(request, found)

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        found = find_pass(token)
        if found is None:
            return render(request, "umpire/pass_over.html", status=GONE)
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
