"""A player's phone calls an umpire to the table: without an account, so within limits."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.access.address import place_of
from tournament.base.errors import Refused
from tournament.base.models.play import Table
from tournament.play.selectors.tables import find_table
from tournament.play.services.calls import raise_call
from tournament.web.views.common import actor_of, tell_refusal, visible_tournament_or_404


@require_POST
def call_umpire(request: HttpRequest, slug: str, number: int, table: int) -> HttpResponse:
    tournament = visible_tournament_or_404(request, slug)
    try:
        found = find_table(tournament.slug, number, table)
    except Table.DoesNotExist:
        raise Http404 from None
    try:
        raise_call(found, actor_of(request), request.POST.get("topic", ""), address=place_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        messages.success(request, _("An umpire is called."))
    return redirect("table_page", slug, number, table)
