"""The ceremony as everybody follows it: on a phone, and on the hall's screen."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.screens.selectors.ceremony import current_ceremony, podium_of, told_before
from tournament.web.views.frame_public import render_shared, tournament_html, tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What has been told so far, the newest place on top."""

    def context() -> dict[str, Any]:
        now = _stage(tournament)
        kind = now["stage"].kind if now["stage"] else ""
        return now | {"before": [one for one in told_before(tournament) if one.kind != kind]}

    content = render_shared(tournament, audience, "screens/_ceremony.html", context)
    return tournament_html(request, "screens/ceremony_public", tournament, audience, {"content": content})


@tournament_page
def hall(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The newest place, to be read from ten metres; the places told before it below."""
    content = render_shared(tournament, audience, "screens/hall/_ceremony.html", lambda: _stage(tournament))
    context = {"tournament": tournament, "audience": audience, "content": content}
    return render(request, "screens/ceremony_hall.html", context)


def _stage(tournament: Tournament) -> dict[str, Any]:
    ceremony = current_ceremony(tournament)
    return {"stage": podium_of(ceremony) if ceremony else None}
