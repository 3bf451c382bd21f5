"""Checking oneself in, with the code of the screen at the door."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base.access import audience_of
from tournament.base.access.address import place_of
from tournament.base.errors import Refused, TooMany
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.check_in import check_in_ends, check_in_of
from tournament.players.selectors.own_check_in import found_by, of_registration
from tournament.players.services.check_in import (
    OWN,
    check_in_themselves,
    require_code,
    take_own_check_in_back,
)
from tournament.site.selectors.surroundings import surroundings
from tournament.web.texts.problems import sentence
from tournament.web.views.common import actor_of, turned_away, visible_tournament_or_404

UNPROCESSABLE = 422


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The code (`door`, scanned or typed), then who one is (`q`, or `own`: a registration's key), then the tap."""
    tournament = visible_tournament_or_404(request, slug)
    asked = request.POST if request.method == "POST" else request.GET
    told: dict[str, Any] = {
        "door": asked.get("door", "").strip()[:20],
        "wanted": asked.get("q", "").strip()[:80],
        "own": asked.get("own", "")[:40],
    }
    try:
        if told["door"]:
            require_code(tournament, told["door"], address=place_of(request))
            told["is_open"] = True
        if request.method == "POST":
            player = _player(tournament, request.POST.get("player", ""))
            told["done"] = check_in_themselves(
                player, actor_of(request), told["door"], address=place_of(request)
            )
            told["undo"] = signing.dumps(player.number, salt=f"{OWN}.{tournament.pk}")
    except TooMany as many:
        return turned_away(request, many)
    except Refused as refused:
        told["fault"] = " ".join(sentence(problem) for problem in refused.problems)
    return _shown(request, tournament, told)


@never_cache
@require_POST
def undo(request: HttpRequest, slug: str) -> HttpResponse:
    tournament, told = visible_tournament_or_404(request, slug), {}
    try:
        taken = take_own_check_in_back(tournament, actor_of(request), request.POST.get("signed", ""))
        told["undone"] = _("%(name)s is not checked in.") % {"name": taken.name}
    except Refused as refused:
        told["fault"] = " ".join(sentence(problem) for problem in refused.problems)
    return _shown(request, tournament, told)


def _player(tournament: Tournament, number: str) -> Player:
    found = tournament.players.filter(number=int(number)) if number.isdecimal() and len(number) < 6 else None
    player = found.select_related("tournament").first() if found is not None else None
    if player is None:
        raise Refused(())
    return player


def _shown(request: HttpRequest, tournament: Tournament, told: dict[str, Any]) -> HttpResponse:
    mine = of_registration(tournament, told.get("own", ""))
    wanted = told.get("wanted", "")
    if told.get("is_open") and not told.get("done"):
        told["people"] = [mine] if mine and not wanted else found_by(tournament, wanted)
    audience = audience_of(actor_of(request), tournament)
    context = {
        "tournament": tournament,
        "audience": audience,
        "around": surroundings(tournament, audience),
        "ends_at": check_in_ends(tournament),
        "open": check_in_of(tournament).by_themselves,
        "mine": mine,
        **told,
    }
    return render(
        request, "players/check_in_public.html", context, status=UNPROCESSABLE if told.get("fault") else 200
    )
