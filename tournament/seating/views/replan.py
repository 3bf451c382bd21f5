"""The sessions left are planned again when players have left or come: who is affected first, then the write."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.roll import roll_of
from tournament.seating.engine import fingerprint
from tournament.seating.selectors.draws import (
    certificate_of,
    compared,
    is_out_of_date,
    people_of,
    quality_rows,
)
from tournament.seating.selectors.replans import replanned
from tournament.seating.services.seatings import replan_seats
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Looking shows the effect; a POST with what was `seen` does it. What stands in the way is said either way."""
    try:
        if request.method == "POST":
            replan_seats(tournament, actor_of(request), seen=request.POST.get("seen", ""))
            messages.success(request, _("The sessions left are planned again."))
            return redirect("organiser_draw", tournament.slug)
        context, status = _effect(tournament), 200
    except Refused as refused:
        problems = [{"text": sentence(problem)} for problem in refused.problems]
        context = {"problems": problems, "roll": roll_of(tournament)}
        status = UNPROCESSABLE if request.method == "POST" else 200
    return show(request, "seating/replan", tournament, "draw", context, status=status)


def _effect(tournament: Tournament) -> dict[str, Any]:
    """Who sits elsewhere, and the figures of the whole event now and then."""
    people, again = people_of(tournament), replanned(tournament)
    figures = (certificate_of(plan, people).quality for plan in (again.before, again.after))
    return {
        "is_needed": is_out_of_date(tournament),
        "first": again.sessions[0],
        "tables": (len(again.before[-1]), len(again.after[-1])),
        "compared": compared(again.before, again.after, people),
        "figures": quality_rows(*figures),
        "seen": fingerprint(again.after),
    }
