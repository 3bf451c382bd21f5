"""The penalties given, where the organiser lets everybody see them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournament import access
from tournament.forms.penalties import FilterForm
from tournament.models import Tournament
from tournament.selectors.penalties import balances, list_penalties
from tournament.views.common import actor_of
from tournament.views.public.frame import tournament_page


@tournament_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?player=&foul=&session=` keep those."""
    if not access.can_see_penalties(actor_of(request), tournament):
        raise Http404
    form = FilterForm(tournament, request.GET)
    wanted = form.wanted()
    context = {
        "tournament": tournament,
        "form": form,
        "wanted": wanted,
        "penalties": list_penalties(tournament, wanted),
        "unpaid": sum(each.unpaid for each in balances(tournament)),
    }
    return render(request, "public/penalties.html", context)
