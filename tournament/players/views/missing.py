"""At the deadline: who is not there, by name, and what becomes of their seats."""

from __future__ import annotations

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.check_in import (
    check_in_desk,
    has_check_in,
    is_playing,
    missing_players,
    newest_withdrawal,
)
from tournament.players.selectors.roll import roll_of
from tournament.players.services.missing import readmit_missing, withdraw_missing
from tournament.players.services.players import add_substitutes
from tournament.seating.engine.requests import SEATS
from tournament.web.views.common import actor_of, tell_refusal
from tournament.web.views.frame import UNPROCESSABLE, organiser_page, show


@organiser_page
def page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody missing, ticked; a POST withdraws who is, and fills the tables if it is wished. Then the new plan."""
    status = 200
    if request.method == "POST":
        if _withdrawn(request, tournament):
            drawn = tournament.sessions.exists() and not roll_of(tournament).missing
            return redirect("organiser_replan" if drawn else "organiser_missing", tournament.slug)
        status = UNPROCESSABLE
    missing, roll = list(missing_players(tournament)), roll_of(tournament)
    left = roll.players - len(missing)
    context = {
        "desk": check_in_desk(tournament),
        "missing": missing,
        "ticked": {player.number for player in missing} if status == 200 else set(_numbers(request)),
        "left": left,
        "tables": -(-left // SEATS),
        "short": -left % SEATS,
        "roll": roll,
        "withdrawn": newest_withdrawal(tournament),
        "has_begun": has_check_in(tournament),
        "is_playing": is_playing(tournament),
        "is_drawn": tournament.sessions.exists(),
    }
    return show(request, "players/missing", tournament, "check_in", context, status=status)


def _numbers(request: HttpRequest) -> list[int]:
    return [int(one) for one in request.POST.getlist("player") if one.isdecimal() and len(one) < 6]


def _withdrawn(request: HttpRequest, tournament: Tournament) -> bool:
    """Whether it is done: both steps or none."""
    try:
        with transaction.atomic():
            gone = withdraw_missing(tournament, actor_of(request), _numbers(request))
            if "fill" in request.POST and roll_of(tournament).missing:
                add_substitutes(tournament, actor_of(request), _("Substitute"))
    except Refused as refused:
        tournament.refresh_from_db()
        tell_refusal(request, refused)
        return False
    done = ngettext("%(n)s player is withdrawn.", "%(n)s players are withdrawn.", len(gone))
    messages.success(request, done % {"n": len(gone)})
    return True


@organiser_page
@require_POST
def undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Those of the newest such step play after all."""
    try:
        back = readmit_missing(tournament, actor_of(request))
    except Refused as refused:
        tell_refusal(request, refused)
    else:
        done = ngettext("%(n)s player plays again.", "%(n)s players play again.", len(back))
        messages.success(request, done % {"n": len(back)})
    return redirect("organiser_missing", tournament.slug)
