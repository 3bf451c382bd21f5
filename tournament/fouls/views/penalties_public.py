"""The penalties given, where the organiser lets everybody see them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from tournament.base import access
from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.fouls.forms.penalties import FilterForm
from tournament.fouls.selectors.penalties import balances, list_penalties
from tournament.web.views.common import actor_of
from tournament.web.views.frame_public import tournament_html, tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """`?player=&foul=&session=` keep those."""
    if not access.can_see_penalties(actor_of(request), tournament):
        raise Http404
    form = FilterForm(tournament, audience, request.GET)
    wanted = form.wanted()
    context = {
        "form": form,
        "wanted": wanted,
        "penalties": list_penalties(tournament, audience, wanted),
        "unpaid": sum(each.unpaid for each in balances(tournament, audience)),
    }
    return tournament_html(request, "fouls/penalties_public", tournament, audience, context)
