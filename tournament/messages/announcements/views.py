"""Withdraw an announcement, and the band of announcements on public pages. The page of the hall announces."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import (
    all_announcements,
    announcements_for_player,
    announcements_for_tables,
)
from tournament.messages.announcements.services import cancel_announcement
from tournament.web.views import (
    actor_of,
    page_for,
    run_and_redirect,
    tournament_part,
)


@page_for(Right.SHOW)
@require_POST
def announcement_cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    announcement = get_object_or_404(all_announcements(tournament), uuid=uuid)
    return run_and_redirect(
        request,
        lambda: cancel_announcement(announcement, actor_of(request)),
        _("Withdrawn."),
        "organiser_hall",
        tournament.slug,
    )


@tournament_part
def part(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Render the band of announcements that public pages refresh.

    It has those to everybody, with `?session=2&table=4` also those to that table, with `?player=7` those to all tables
    of the player.
    """
    context = {"announcements": _announcements_for(request, tournament)}
    return HttpResponse(render_to_string("messages/_announcements.html", context))


def _announcements_for(request: HttpRequest, tournament: Tournament) -> tuple[Announcement, ...]:
    player, session, table = (_number(request, name) for name in ("player", "session", "table"))
    if player is not None:
        players = tournament.players.select_related("tournament")
        return announcements_for_player(get_object_or_404(players, number=player))
    places = [] if session is None or table is None else [(session, table)]
    return announcements_for_tables(tournament, places)


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 6 else None
