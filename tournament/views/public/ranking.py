"""The ranking: the page, and its rows for pages that follow the live stream."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from tournament.models import Tournament
from tournament.selectors.changes import last_change
from tournament.selectors.ranking import ranking
from tournament.views.public.frame import drawn, tournament_page, tournament_part


@tournament_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The whole page; complete without JavaScript."""
    return render(request, "public/ranking.html", {"tournament": tournament, "content": _moving(tournament)})


@tournament_part
def rows(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What moves on the page, by itself."""
    return HttpResponse(_moving(tournament))


def _moving(tournament: Tournament) -> SafeString:
    def context() -> dict[str, Any]:
        return {"ranking": ranking(tournament), "change": last_change(tournament)}

    return drawn(tournament, "public/_ranking.html", context)
