"""A tournament at a glance."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournament.base import access
from tournament.base.access import Audience, Right
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.event_page import coming, told_in, words_of
from tournament.events.selectors.timetable import timetable
from tournament.play.selectors.changes import last_change
from tournament.play.selectors.public import overview, progress
from tournament.players.selectors.participants import players_of
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.statistics import event_statistics
from tournament.registration.selectors.places_taken import places_taken
from tournament.screens.selectors.ceremony import current_ceremony
from tournament.web.display.qr import public_qr
from tournament.web.views.common import actor_of, visible_tournament_or_404
from tournament.web.views.frame_public import render_shared, tournament_html, tournament_page
from tournament.web.views.landing import landing_in

TOP = 8
"""How many lines of the ranking the page shows."""
NAMED = 24
"""How many of those who come are named there; all of them stand on a page of their own."""


@tournament_page
def tournament(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """What it is, what happens now, who leads, and the way to everything else."""
    actor = actor_of(request)
    context = {
        "content": render_shared(
            tournament, audience, "site/_tournament.html", lambda: _at_a_glance(tournament, audience)
        ),
        "is_organiser": access.can_organise(actor, tournament),
        "has_times": tournament.timetable.exists(),
        "code": public_qr(request.build_absolute_uri(request.path)),
        "may_enter": access.may(actor, tournament, Right.ENTER),
        "my_way": landing_in(actor, tournament) if access.has_role(actor, tournament) else "",
    }
    return tournament_html(request, "site/tournament", tournament, audience, context)


def _at_a_glance(tournament: Tournament, audience: Audience) -> dict[str, Any]:
    now, words = overview(tournament), words_of(tournament)
    ranked = ranking(tournament, audience)
    return {
        "stage": now,
        "progress": progress(now.running, audience) if now.running else None,
        "timetable": timetable(tournament),
        "ranking": ranked,
        "stats": event_statistics(tournament, audience),
        "top": ranked.rows[:TOP] if ranked.sessions else (),
        "change": last_change(tournament, audience),
        "ceremony": current_ceremony(tournament),
        "rulebook": tournament.rules.scoring,
        "told": told_in(words, get_language() or "en"),
        "coming": coming(tournament, words) if words.mers or not now.has_begun else None,
        "files": tournament.event_documents.all(),
        "places": None if now.has_begun else places_taken(tournament),
        "people": () if now.has_begun else players_of(tournament)[:NAMED],
    }


@require_safe
def document(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """A file of the event's page, to be saved and not shown: what somebody uploaded never runs as a page of ours."""
    tournament = visible_tournament_or_404(request, slug)
    found = get_object_or_404(tournament.event_documents, uuid=uuid)
    try:
        content = found.file.read()
    except FileNotFoundError:
        raise Http404("the file is gone") from None
    finally:
        found.file.close()
    name = f"{slugify(found.title, allow_unicode=True) or 'document'}.{found.kind}"
    headers = {
        "Content-Disposition": str(content_disposition_header(True, name)),
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(content, found.content_type, headers=headers)
