"""The screens in the hall: which there are, and what one of them shows at this moment."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.clock import clock_of
from tournament.play.selectors.public import overview
from tournament.screens.models.screens import MAIN
from tournament.screens.selectors.screens import OnScreen, find_screen, on_screen, screens_of
from tournament.screens.views.slides import draw
from tournament.web.views.common import visible_tournament_or_404
from tournament.web.views.frame_public import build, tournament_html, tournament_page

SOON, LATE = 2, 15
"""Without a script the page asks again when the slide turns, but between so many seconds."""


@tournament_page
def listing(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The screens, to open one on a projector."""
    return tournament_html(
        request, "screens/screens_public", tournament, audience, {"screens": screens_of(tournament)}
    )


@never_cache
@require_safe
def page(request: HttpRequest, slug: str, screen: str) -> HttpResponse:
    """What the screen shows now, and when it turns. A projector whose screen is removed goes on with the main one."""
    tournament = visible_tournament_or_404(request, slug)
    found = find_screen(tournament, screen)
    if found is None:
        return redirect("screen", slug, MAIN)
    on = on_screen(found)
    context = {
        "tournament": tournament,
        "screen": found,
        "on": on,
        "content": draw(tournament, on.slide, request),
        "clock": clock_of(running) if (running := overview(tournament).running) else None,
        "build": build(),
        "again": again_in(on),
    }
    return render(request, "screens/hall/screen.html", context)


def again_in(on: OnScreen) -> int:
    """Seconds."""
    left = LATE if on.until is None else -(-(on.until - on.now) // 1000)
    return min(max(left, SOON), LATE)
