"""Pages of ceremonies and of an event's own puzzles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.play.views.sessions import Step, closed_sessions, confirm_step
from tournament.screens.models import Ceremony
from tournament.screens.selectors import current_ceremony, past_ceremonies
from tournament.screens.services import (
    announce_next_place,
    end_ceremony,
    open_and_publish,
    undo_place,
)
from tournament.web.views import (
    actor_of,
    add_refusal_messages,
    organiser_page,
    render_shared,
    tournament_html,
    tournament_page,
)

# --- Ceremonies ---


@organiser_page
@require_POST
def ceremony_announce(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Announce the next place. `seen` is the number of places that the page knows of."""
    return _write_and_redirect(
        request, tournament, lambda ceremony, actor: announce_next_place(ceremony, actor, seen=_seen(request))
    )


def _write_and_redirect(
    request: HttpRequest, tournament: Tournament, write: Callable[[Ceremony, Actor], Any]
) -> HttpResponse:
    """Call `write` with the current ceremony and show its page, which shows the result without a message."""
    ceremony = current_ceremony(tournament)
    if ceremony is not None:
        try:
            write(ceremony, actor_of(request))
        except Refused as refused:
            add_refusal_messages(request, refused)
    return redirect("organiser_results", tournament.slug)


def _seen(request: HttpRequest) -> int:
    text = request.POST.get("seen", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise Http404
    return int(text)


@organiser_page
@require_POST
def ceremony_undo(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _write_and_redirect(
        request, tournament, lambda ceremony, actor: undo_place(ceremony, actor, seen=_seen(request))
    )


@organiser_page
@require_POST
def ceremony_end(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    return _write_and_redirect(request, tournament, end_ceremony)


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings_publish_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open every hidden result and publish the standings, after a page that asks to confirm."""
    step = Step(
        title=_("Reveal the results and publish?"),
        button=_("Reveal the results and publish"),
        done=_("Everybody sees all results, and the standings are published."),
        back=("organiser_results", tournament.slug),
        consequences=(
            _(
                "Everybody sees every score, hand and penalty, and the ranking with them. It cannot be hidden again."
            ),
        ),
    )
    write = partial(open_and_publish, tournament)
    return confirm_step(request, tournament, closed_sessions(tournament), step, write)


@tournament_page
def ceremony_page_public(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the announced places, newest first."""

    def context() -> dict[str, Any]:
        ceremony = current_ceremony(tournament)
        kind = ceremony.kind if ceremony else ""
        past = [ceremony for ceremony in past_ceremonies(tournament) if ceremony.kind != kind]
        return {"ceremony": ceremony, "past_ceremonies": past}

    content = render_shared(tournament, audience, "screens/_ceremony.html", context)
    return tournament_html(request, "screens/ceremony_public", tournament, audience, {"content": content})


@tournament_page
def ceremony_hall(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Show the newest place in large type, and the earlier ones below, for a projector."""
    content = render_shared(
        tournament,
        audience,
        "screens/hall/_ceremony.html",
        lambda: {"ceremony": current_ceremony(tournament)},
    )
    context = {"tournament": tournament, "audience": audience, "content": content}
    return render(request, "screens/ceremony_hall.html", context)
