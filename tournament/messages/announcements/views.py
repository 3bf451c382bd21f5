"""Announcements: saying something to the hall, withdrawing it, and the band on public pages."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.forms import AnnouncementForm
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import (
    announcements_of,
    heard_at,
    heard_by,
    session_spoken_of,
    standing,
)
from tournament.messages.announcements.services import announce, withdraw_announcement
from tournament.web.forms import add_problems
from tournament.web.views import UNPROCESSABLE, actor_of, page_for, press, show, tournament_part

SHOWN = 20
"""How many of those that are over the page shows; the log has them all."""


@page_for(Right.READ, Right.SHOW)
def announcements_page(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is being said, and a form to say something."""
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
            messages.success(request, _("Everybody it is for sees it now."))
            return redirect("organiser_announcements", tournament.slug)
    now = standing(tournament)
    over = announcements_of(tournament).exclude(pk__in=[announcement.pk for announcement in now])
    context = {
        "form": form,
        "standing": now,
        "over": over[:SHOWN],
        "spoken_of": session_spoken_of(tournament),
    }
    status = UNPROCESSABLE if form.errors else 200
    return show(request, "messages/announcements", tournament, "announcements", context, status=status)


@page_for(Right.SHOW)
@require_POST
def announcement_withdraw(request: HttpRequest, tournament: Tournament, uuid: UUID) -> HttpResponse:
    announcement = get_object_or_404(announcements_of(tournament), uuid=uuid)
    return press(
        request,
        lambda: withdraw_announcement(announcement, actor_of(request)),
        _("Withdrawn."),
        "organiser_announcements",
        tournament.slug,
    )


@tournament_part
def part(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Render what is being said, for the band on top of every public page while the live stream is followed.

    To everybody; with `?session=2&table=4` at that table too, with `?player=7` wherever the player sits.
    """
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
