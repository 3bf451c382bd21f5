"""Drawing the seats of every session: look at a draw, beside another one, and take it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.play.selectors.public import seating_chart
from tournament.players.selectors.roll import roll_of
from tournament.seating.engine import fingerprint
from tournament.seating.forms.draw import DrawForm, proposed_seed
from tournament.seating.selectors.certificate import certificate
from tournament.seating.selectors.draws import (
    certificate_of,
    compared,
    draw_inputs,
    drawn,
    inputs_behind,
    named,
    people_of,
    plan_of,
    quality_rows,
)
from tournament.seating.selectors.finals import may_have_finals
from tournament.seating.selectors.seatings import reseating_to_undo
from tournament.seating.services.draw import draw_seats
from tournament.web.forms.problems import add_problems
from tournament.web.selectors.log_words import log_words
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The draw as it is, `?by=table` (as usual) or `?by=player`; until a session has begun it can be drawn anew."""
    form = DrawForm(tournament, request.POST or None, initial={"seed": proposed_seed()} | _wished(tournament))
    if request.method == "POST" and form.is_valid():
        seed, seen = form.cleaned_data["seed"], request.POST.get("seen", "")
        try:
            draw_seats(tournament, actor_of(request), seed=seed, wish=form.wanted(), seen=seen)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The seats are drawn."))
            return redirect("organiser_draw", tournament.slug)
    stored = seating_chart(tournament)
    context = {
        "form": form,
        "drawn": stored,
        "certificate": certificate(tournament),
        "roll": roll_of(tournament),
        "by_player": request.GET.get("by") == "player",
        "can_swap": any(one.session.state == Session.State.PLANNED for one in stored.sessions),
        "can_have_finals": may_have_finals(tournament),
        "undoable": _undoable(tournament),
        "has_begun": any(one.session.state != Session.State.PLANNED for one in stored.sessions),
    }
    return show(
        request, "seating/draw", tournament, "draw", context, status=UNPROCESSABLE if form.errors else 200
    )


@organiser_page
def preview(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A draw before anything is stored: `?seed=` and the wishes; `&other=` another seed to lay beside it."""
    given = request.GET if "seed" in request.GET else None
    form = DrawForm(tournament, given, initial={"seed": proposed_seed()} | _wished(tournament))
    context: dict[str, Any] = {"form": form, "another": proposed_seed(), "roll": roll_of(tournament)}
    if form.is_valid():
        try:
            context |= _looked_at(tournament, form, request.GET.get("other", "").strip()[:80])
        except Refused as refused:
            add_problems(form, refused)
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "seating/draw_preview", tournament, "draw", context, status=status)


def _undoable(tournament: Tournament) -> str:
    """The change of seats that can be taken back, in the words of the log; "" when there is none."""
    last = reseating_to_undo(tournament)
    return log_words(tournament).sentence(last) if last else ""


def _looked_at(tournament: Tournament, form: DrawForm, other: str) -> dict[str, Any]:
    """The draw with its certificate; beside it the other seed's, or the seats that are stored."""
    people = people_of(tournament)
    asked = [
        draw_inputs(tournament, seed, form.wanted()) for seed in (form.cleaned_data["seed"], other) if seed
    ]
    draws = [drawn(inputs) for inputs in asked]
    plan, quality = draws[0].sessions, certificate_of(draws[0].sessions, people)
    stored = plan_of(seating_chart(tournament))
    beside = draws[1].sessions if other else stored
    context: dict[str, Any] = {
        "draws": [{"seed": one.seed, "seen": fingerprint(one.sessions)} for one in draws],
        "inputs": asked[0],
        "certificate": quality,
        "sessions": named(plan, people),
        "other": other,
    }
    if beside:
        figures = quality_rows(quality.quality, certificate_of(beside, people).quality)
        context |= {"figures": figures, "compared": compared(plan, beside, people)}
    return context


def _wished(tournament: Tournament) -> dict[str, Any]:
    """What the last draw was asked for, to start the next from."""
    if not (last := inputs_behind(tournament)):
        return {}
    here = tournament.players.filter(withdrawn_at=None)
    last = last.binding([player.number for player in here])
    return {
        "seed": last.seed,
        "sessions": last.sessions if last.sessions < tournament.sessions_planned else "",
        "teams": last.teams_first,
        "clubs": bool(last.clubs),
        "countries": bool(last.countries),
        "forbidden": ", ".join(f"{one}-{other}" for one, other in last.forbidden),
        "stay": ", ".join(f"{player}:{table}" for player, table in last.stay.items()),
    }
