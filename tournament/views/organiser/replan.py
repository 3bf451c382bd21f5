"""The sessions left are planned again when players have left or come: who is affected first, then the write."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.engine.seating import fingerprint
from tournament.errors import Refused
from tournament.models import Tournament
from tournament.selectors.draws import certificate_of, compared, is_out_of_date, people_of, quality_rows
from tournament.selectors.replans import replanned
from tournament.selectors.roll import roll_of
from tournament.services.seatings import replan_seats
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show
from tournament.words.problems import sentence


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
    return show(request, "replan", tournament, "draw", context, status=status)


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
