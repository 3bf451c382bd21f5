"""Two players change seats: choose them, see what it does, confirm."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.engine.seating import Plan, fingerprint, repeated_pairs
from tournament.errors import Refused
from tournament.forms.problems import add_problems
from tournament.forms.swap import SwapForm
from tournament.models import Tournament
from tournament.selectors.draws import certificate_of, compared, people_of, quality_rows
from tournament.services.swaps import after_swap, swap_players
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?one=&other=&session=` shows the effect, a POST of the same with `seen` does it."""
    given = request.POST or (request.GET if "other" in request.GET else None)
    form = SwapForm(tournament, given, initial={"one": request.GET.get("one")})
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            if request.method == "POST":
                return _done(request, tournament, form)
            context |= _effect(tournament, form)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "swap", tournament, "draw", context, status=status)


def _done(request: HttpRequest, tournament: Tournament, form: SwapForm) -> HttpResponse:
    pair = form.cleaned_data["one"], form.cleaned_data["other"]
    seen = request.POST.get("seen", "")
    swap_players(tournament, actor_of(request), *pair, form.sessions(), seen=seen)
    messages.success(request, _("The two players have changed seats."))
    return redirect("organiser_draw", tournament.slug)


def _effect(tournament: Tournament, form: SwapForm) -> dict[str, Any]:
    """Figures now and then, who moves, and who would meet again because of it."""
    people = people_of(tournament)
    again = after_swap(tournament, form.cleaned_data["one"], form.cleaned_data["other"], form.sessions())
    before, after = again.before, again.after
    figures = quality_rows(*(certificate_of(plan, people).quality for plan in (before, after)))
    return {
        "figures": figures,
        "compared": compared(before, after, people),
        "again": [
            ([people[number] for number in pair], sessions) for pair, sessions in _new_repeats(before, after)
        ],
        "seen": fingerprint(after),
    }


def _new_repeats(before: Plan, after: Plan) -> list[tuple[tuple[int, int], tuple[int, ...]]]:
    """Pairs that meet more often after than before, with the sessions in which they then meet."""
    old = repeated_pairs(before)
    return [
        (pair, sessions)
        for pair, sessions in repeated_pairs(after).items()
        if len(sessions) > len(old.get(pair, (0,)))
    ]
