"""The foul book as this tournament plays by it, for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from penalties.views import entries
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.web.views.frame_public import tournament_html, tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Every foul, what it costs here, and what is this tournament's own."""
    context = {"fouls": entries(tournament.rules.fouls)}
    return tournament_html(request, "fouls/fouls_public", tournament, audience, context)
