"""The seats of one session: choose how, see what it does, take it; and take the newest change of seats back."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.seating.engine import fingerprint, rank_spreads
from tournament.seating.forms.draw import proposed_seed
from tournament.seating.forms.seats import HandSeatsForm, SeatsForm
from tournament.seating.selectors.draws import certificate_of, compared, named, people_of, quality_rows
from tournament.seating.selectors.finals import players_in
from tournament.seating.selectors.seatings import seats_of_all
from tournament.seating.selectors.session_seats import SessionWish, seated
from tournament.seating.services.reseating import undo_reseating
from tournament.seating.services.seatings import seat_session
from tournament.web.forms.problems import add_problems
from tournament.web.views.common import actor_of
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, press, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """`?how=&seed=` shows the seats as they would be; by hand a POST of them does. A POST with what was `seen` takes
    them."""
    session = get_object_or_404(tournament.sessions, number=number)
    given = request.POST or (request.GET if "how" in request.GET else None)
    form = SeatsForm(given, initial={"how": "standing" if number > 1 else "lot", "seed": proposed_seed()})
    context: dict[str, Any] = {"form": form, "session": session, "is_open": _is_open(session)}
    hand = None
    if form.is_valid():
        hand = _by_hand(request, tournament, number) if form.is_by_hand else None
        try:
            if hand is None or hand.is_valid():
                wish = form.wish() if hand is None else hand.wish()
                if "seen" in request.POST:
                    return _taken(request, tournament, number, wish)
                context |= _effect(tournament, number, wish)
        except Refused as refused:
            add_problems(form, refused) if hand is None else hand.say(refused.problems)
    wrong = form.errors or (hand and hand.errors)
    context |= {"hand": hand, "people": players_in(tournament, number)}
    return show(request, "seating/seats", tournament, "draw", context, status=UNPROCESSABLE if wrong else 200)


@require_POST
@organiser_page
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The newest change of seats is taken back."""
    done = _("The seats are as they were before.")
    return press(
        request,
        lambda: undo_reseating(tournament, actor_of(request)),
        done,
        "organiser_draw",
        tournament.slug,
    )


def _is_open(session: Session) -> bool:
    return session.state == Session.State.PLANNED


def _by_hand(request: HttpRequest, tournament: Tournament, number: int) -> HandSeatsForm:
    """The seats as sent, or to start from those there are, with as many tables as the players fill."""
    plan = seats_of_all(tournament)
    now = plan[number - 1] if number <= len(plan) else []
    tables = -(-players_in(tournament, number).count() // 4)
    start = [now[at] if at < len(now) else {} for at in range(tables)]
    return HandSeatsForm(start, request.POST if "t1E" in request.POST else None)


def _taken(request: HttpRequest, tournament: Tournament, number: int, wish: SessionWish) -> HttpResponse:
    seat_session(tournament, actor_of(request), number, wish, seen=request.POST["seen"])
    messages.success(request, _("Session %(n)s is seated.") % {"n": number})
    return redirect("organiser_session", tournament.slug, number)


def _effect(tournament: Tournament, number: int, wish: SessionWish) -> dict[str, Any]:
    """The tables, how far apart their players stand, the figures of the whole event now and then, and who moves."""
    people = people_of(tournament)
    again, inputs = seated(tournament, number, wish)
    tables = named(again.after, people)[number - 1]
    order = inputs.players if inputs and inputs.how.needs_standings else ()
    ranks = {player: rank for rank, player in enumerate(order, 1)}
    spreads = rank_spreads(again.after[number - 1], order)
    then = certificate_of(again.after, people)
    now = [certificate_of(again.before, people).quality] if again.before else []
    return {
        "tables": [[(wind, player, ranks.get(player.number)) for wind, player in seats] for seats in tables],
        "spread": sum(spreads) / len(spreads) if order else None,
        "spread_most": max(spreads, default=0),
        "certificate": then,
        "figures": quality_rows(*now, then.quality),
        "compared": compared(again.before, again.after, people),
        "is_new": len(again.before) < number,
        "seen": fingerprint(again.after),
    }
