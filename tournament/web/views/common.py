"""What the pages of every role share: finding the tournament, and saying a refusal at its place."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django_htmx.middleware import HtmxDetails

from tournament.base import access, zones
from tournament.base.access import Actor, Right
from tournament.base.errors import Forbidden, Refused, TooMany
from tournament.base.models.tournament import Tournament
from tournament.web.forms.problems import add_problems
from tournament.web.texts.problems import sentence

__all__ = [
    "Request",
    "actor_of",
    "add_problems",
    "organised_or_404",
    "tell_refusal",
    "tournament_or_404",
    "turned_away",
    "visible_tournament_or_404",
]


class Request(HttpRequest):
    """A request as the middleware hands it on."""

    htmx: HtmxDetails


def actor_of(request: HttpRequest) -> Actor:
    """The one who asks, as the services want to know it; the same as long as nobody else signs in."""
    user, actor = getattr(request, "actor_of_user", (None, None))
    if actor is None or user is not request.user:
        actor = Actor.of(request.user)
        request.actor_of_user = (request.user, actor)  # type: ignore[attr-defined]
    return actor


def turned_away(request: HttpRequest, many: TooMany) -> HttpResponse:
    """429: too often from here, and when to come back."""
    said = " ".join(sentence(problem) for problem in many.problems)
    response = render(request, "429.html", {"said": said}, status=429)
    response.headers["Retry-After"] = str(many.wait)
    return response


def tournament_or_404(slug: str) -> Tournament:
    """The tournament by its address, whoever asks; from here on times are told by its clock."""
    tournament = get_object_or_404(Tournament, slug=slug)
    zones.tell_time_of(tournament)
    return tournament


def visible_tournament_or_404(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, unless it is hidden from this visitor: then it does not exist."""
    tournament = tournament_or_404(slug)
    if not access.can_see(actor_of(request), tournament):
        raise Http404
    return tournament


def organised_or_404(request: HttpRequest, slug: str) -> Tournament:
    """The tournament, for one of its organisers; `Forbidden` for anybody else who may see it."""
    return allowed_or_404(request, slug, [Right.ORGANISE])


def allowed_or_404(request: HttpRequest, slug: str, rights: Collection[Right]) -> Tournament:
    """The tournament, for whoever has one of these rights; `Forbidden` for anybody else who may see it."""
    tournament = visible_tournament_or_404(request, slug)
    if not access.rights_in(actor_of(request), tournament).intersection(rights):
        asked = " or ".join(right.value for right in rights)
        raise Forbidden(f"this asks for the right to {asked} in {tournament}")
    return tournament


def tell_refusal(request: HttpRequest, refused: Refused) -> None:
    """Say each problem of a button's refusal as a message on the next page."""
    for problem in refused.problems:
        messages.error(request, sentence(problem))
