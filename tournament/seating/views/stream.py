"""Players at the table that is filmed: choose them, see what it does, confirm."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.seating.engine import fingerprint
from tournament.seating.forms.stream import StreamForm
from tournament.seating.selectors.draws import certificate_of, compared, people_of, quality_rows
from tournament.seating.selectors.reseatings import streamed
from tournament.seating.services.seatings import seat_at_stream
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """`?players=&table=&sessions=` shows the effect, a POST of the same with what was `seen` does it."""
    given = request.POST or (request.GET if "players" in request.GET else None)
    form = StreamForm(tournament, given)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        wished = (form.cleaned_data["players"], form.cleaned_data["table"], form.cleaned_data["sessions"])
        try:
            if request.method == "POST":
                seat_at_stream(tournament, actor_of(request), *wished, seen=request.POST.get("seen", ""))
                messages.success(request, _("The table that is filmed is seated."))
                return redirect("organiser_draw", tournament.slug)
            context |= _effect(tournament, *wished)
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/stream", tournament, "draw", context, status=status)


def _effect(tournament: Tournament, players: list[int], table: int, sessions: list[int]) -> dict[str, Any]:
    people, again = people_of(tournament), streamed(tournament, players, table, sessions)
    figures = (certificate_of(plan, people).quality for plan in (again.before, again.after))
    return {
        "figures": quality_rows(*figures),
        "compared": compared(again.before, again.after, people),
        "seen": fingerprint(again.after),
    }
