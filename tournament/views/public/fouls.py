"""The foul book as this tournament plays by it, for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from penalties.views import entries
from tournament.models import Tournament
from tournament.views.public.frame import tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every foul, what it costs here, and what is this tournament's own."""
    context = {"tournament": tournament, "fouls": entries(tournament.rules.fouls)}
    return render(request, "public/fouls.html", context)
