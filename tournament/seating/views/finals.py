"""Setting up the finals: choose, look at finalists and seats, take them."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.seating.engine import fingerprint
from tournament.seating.forms.draw import proposed_seed
from tournament.seating.forms.finals import FinalsForm
from tournament.seating.selectors.draws import named, people_of
from tournament.seating.selectors.final_plans import planned_final
from tournament.seating.selectors.finals import places_with
from tournament.seating.services.finals import set_up_final
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?size=&carry=&sessions=&seed=` shows the final as it would be; a POST with what was `seen` takes it."""
    given = request.POST or (request.GET if "size" in request.GET else None)
    left = tournament.sessions.filter(state=Session.State.PLANNED).count()
    initial = {"size": "16", "carry": "full", "sessions": left or 1, "seed": proposed_seed()}
    form = FinalsForm(tournament.players.filter(withdrawn_at=None), given, initial=initial)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            if "seen" in request.POST:
                return _taken(request, tournament, form)
            context |= _effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/finals", tournament, "draw", context, status=status)


def _taken(request: HttpRequest, tournament: Tournament, form: FinalsForm) -> HttpResponse:
    set_up_final(tournament, actor_of(request), form.wish(), seen=request.POST["seen"])
    messages.success(request, _("The final is set up."))
    return redirect("organiser_draw", tournament.slug)


def _effect(tournament: Tournament, form: FinalsForm) -> dict[str, Any]:
    """Who goes on, from which place and in which group, which place everybody else has, and where they sit."""
    people, found = people_of(tournament), planned_final(tournament, form.wish())
    tied = [people[number] for number in found.tied]
    form.offer(tied)
    seats = named(found.again.after, people)
    drawn = tournament.sessions.filter(number__in=found.again.sessions, tables__isnull=False)
    return {
        "cut": found.cut,
        "places": [(people[place.now.number], place) for place in places_with(tournament, found.cut)],
        "tied": tied,
        "sessions": [(number, seats[number - 1]) for number in found.sessions],
        "replaced": sorted(set(drawn.values_list("number", flat=True))),
        "emptied": found.again.sessions[len(found.sessions) :],
        "seen": fingerprint(found.again.after),
    }
