"""The penalties given, where the organiser lets everybody see them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from tournament import access
from tournament.access import Audience
from tournament.forms.penalties import FilterForm
from tournament.models import Tournament
from tournament.selectors.penalties import balances, list_penalties
from tournament.views.common import actor_of
from tournament.views.public.frame import tournament_html, tournament_page


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
    return tournament_html(request, "penalties", tournament, audience, context)
