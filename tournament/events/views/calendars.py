"""Calendars to subscribe to or to download: the whole timetable, and one player's with seat and table."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.http import content_disposition_header

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.events.exports.calendar import calendar
from tournament.events.selectors.calendars import events_of, events_of_all
from tournament.web.views.frame_public import tournament_part

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def in_language_asked(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """`?lang=`: who fetches a calendar for somebody speaks no language of its own."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        asked = request.GET.get("lang", "")
        if asked not in LANGUAGES:
            return view(request, *args, **kwargs)
        with translation.override(asked):
            response = view(request, *args, **kwargs)
            response["Content-Language"] = asked
        return response

    return answer


@in_language_asked
@tournament_part
def tournament_calendar(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Everything that has a time."""
    url = request.build_absolute_uri(reverse("tournament", args=[tournament.slug]))
    made = calendar(tournament, tournament.name, events_of_all(tournament), url)
    return _file(made, tournament.slug)


@in_language_asked
@tournament_part
def player_calendar(
    request: HttpRequest, tournament: Tournament, audience: Audience, number: int
) -> HttpResponse:
    """A player's sessions with table and seat wind, and what else there is to be at."""
    player = get_object_or_404(tournament.players, number=number)
    url = request.build_absolute_uri(reverse("player_page", args=[tournament.slug, number]))
    name = f"{tournament.name} · {player.name}"
    return _file(calendar(tournament, name, events_of(player), url), f"{tournament.slug}-{number}")


def _file(content: bytes, name: str) -> HttpResponse:
    disposition = content_disposition_header(True, f"{name}.ics")
    headers = {"Content-Disposition": str(disposition)}
    return HttpResponse(content, "text/calendar; charset=utf-8", headers=headers)
