"""Drawing the seats of every session, and who sits where."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.errors import Refused
from tournament.forms.draw import SeedForm, proposed_seed
from tournament.forms.problems import add_problems
from tournament.models import Session, Tournament
from tournament.selectors.organiser import certificate, roll_of
from tournament.selectors.public import draw_of
from tournament.services.draw import draw_seats
from tournament.views.common import actor_of
from tournament.views.organiser.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The draw as it is, `?by=table` (as usual) or `?by=player`; until a session has begun it can be drawn anew."""
    form = SeedForm(request.POST or None, initial={"seed": tournament.draw_seed or proposed_seed()})
    if request.method == "POST" and form.is_valid():
        try:
            draw_seats(tournament, actor_of(request), seed=form.cleaned_data["seed"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The seats are drawn."))
            return redirect("organiser_draw", tournament.slug)
    drawn = draw_of(tournament)
    context = {
        "form": form,
        "drawn": drawn,
        "certificate": certificate(drawn),
        "roll": roll_of(tournament),
        "by_player": request.GET.get("by") == "player",
        "has_begun": any(one.session.state != Session.State.PLANNED for one in drawn.sessions),
    }
    return show(request, "draw", tournament, "draw", context, status=UNPROCESSABLE if form.errors else 200)
