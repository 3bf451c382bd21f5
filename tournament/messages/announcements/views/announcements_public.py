"""What is being said, by itself: for the band on top of every public page while the live stream is followed."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import heard_at, heard_by
from tournament.web.views.frame_public import tournament_part


@tournament_part
def part(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """To everybody; with `?session=2&table=4` at that table too, with `?player=7` wherever the player sits."""
    return HttpResponse(
        render_to_string("messages/_announcements.html", {"announcements": _heard(request, tournament)})
    )


def _heard(request: HttpRequest, tournament: Tournament) -> tuple[Announcement, ...]:
    player, session, table = (_number(request, name) for name in ("player", "session", "table"))
    if player is not None:
        return heard_by(get_object_or_404(tournament.players.select_related("tournament"), number=player))
    return heard_at(tournament, [] if session is None or table is None else [(session, table)])


def _number(request: HttpRequest, name: str) -> int | None:
    given = request.GET.get(name, "")
    return int(given) if given.isdecimal() and given.isascii() and len(given) < 6 else None
