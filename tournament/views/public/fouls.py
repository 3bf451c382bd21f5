"""The foul book as this tournament plays by it, for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from penalties.views import entries
from tournament.access import Audience
from tournament.models import Tournament
from tournament.views.public.frame import tournament_html, tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Every foul, what it costs here, and what is this tournament's own."""
    context = {"fouls": entries(tournament.rules.fouls)}
    return tournament_html(request, "fouls", tournament, audience, context)
