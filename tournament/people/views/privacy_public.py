"""What is kept of people, why and until when: of the whole site, of an event; and all of theirs for one person."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.base.access import Audience
from tournament.base.models.tournament import Tournament
from tournament.events.models.event_page import EventPage
from tournament.people.kept import Whose
from tournament.people.models import USUAL_DAYS
from tournament.people.selectors.contacts import contact_goes_at, privacy_of
from tournament.people.selectors.erasure import subject_of
from tournament.people.selectors.personal import personal_data
from tournament.people.texts.kept import groups
from tournament.registration.selectors.registration_link import found_by
from tournament.web.views.common import visible_tournament_or_404
from tournament.web.views.frame_public import tournament_html, tournament_page


@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """Of every event here, as it usually is, and of accounts."""
    return render(request, "people/privacy_public.html", _lines(USUAL_DAYS))


@tournament_page
def page(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """Of this event: who is responsible, when contact data goes, and that it has gone."""
    plan = privacy_of(tournament)
    said = EventPage.objects.filter(tournament=tournament).values_list("contact", flat=True).first()
    about = {"plan": plan, "goes_at": contact_goes_at(tournament), "contact": said or ""}
    return tournament_html(
        request, "people/tournament_privacy", tournament, audience, about | _lines(plan.contact_days)
    )


def _lines(days: int) -> dict[str, Any]:
    return {"of_players": groups(Whose.PLAYER, days), "of_staff": groups(Whose.STAFF, days)}


@never_cache
@require_safe
def mine(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """All that is kept of whoever has this registration's link, as a file."""
    tournament = visible_tournament_or_404(request, slug)
    registration = found_by(token, tournament)
    if registration is None or registration.erased_at is not None:
        raise Http404
    return as_file(personal_data(subject_of(tournament, None, registration)), f"{tournament.slug}-mine")


def as_file(data: dict[str, Any], name: str) -> HttpResponse:
    answer = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = f'attachment; filename="{name}.json"'
    answer["X-Robots-Tag"] = "noindex"
    return answer
