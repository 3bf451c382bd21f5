"""Pages of announcements, and the band with them on public pages."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base import access
from tournament.base.access import Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.forms import AnnouncementForm
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import (
    active_announcements,
    all_announcements,
    announcements_for_player,
    announcements_for_tables,
    session_for_tables,
)
from tournament.messages.announcements.services import announce, cancel_announcement
from tournament.web.forms import add_problems
from tournament.web.views import (
    UNPROCESSABLE,
    actor_of,
    page_for,
    render_page,
    run_and_redirect,
    tournament_part,
)

MAX_ENDED = 20
"""How many ended announcements the page lists; the log has them all."""


@page_for(Right.READ, Right.SHOW)
def announcements_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """List announcements, with the form for a new one."""
    if request.method not in ("GET", "HEAD"):
        access.require(actor_of(request), tournament, Right.SHOW)
    announcement = Announcement(tournament=tournament)
    form = AnnouncementForm(request.POST or None, instance=announcement)
    if request.method == "POST" and form.is_valid():
        try:
            announce(announcement, actor_of(request), minutes=form.cleaned_data["minutes"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, _("The announcement is now visible to its audience."))
            return redirect("organiser_announcements", tournament.slug)
    active = active_announcements(tournament)
    ended = all_announcements(tournament).exclude(pk__in=[announcement.pk for announcement in active])
    context = {
        "form": form,
        "active": active,
        "ended": ended[:MAX_ENDED],
        "session": session_for_tables(tournament),
    }
    status = UNPROCESSABLE if form.errors else 200
    return render_page(request, "messages/announcements", tournament, "announcements", context, status=status)


@page_for(Right.SHOW)
@require_POST
def announcement_cancel(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    announcement = get_object_or_404(all_announcements(tournament), uuid=uuid)
    return run_and_redirect(
        request,
        lambda: cancel_announcement(announcement, actor_of(request)),
        _("Withdrawn."),
        "organiser_announcements",
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
