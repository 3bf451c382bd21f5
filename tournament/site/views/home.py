"""The start page: what Hule is, and which tournaments there are; what is coming as a calendar."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from scoring.engine import find_rulebook
from scoring.texts import rulebook_name
from tournament.accounts import setup_code
from tournament.base import access
from tournament.base.engine.rules import PLAYABLE
from tournament.events.exports.event_calendar import calendar_of_events
from tournament.events.views.calendars import in_language_asked
from tournament.site.forms import wanted_of
from tournament.site.selectors.front_page import A_PAGE, Shelf, choices, coming_soon, shelves
from tournament.web.views.common import actor_of


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Tournaments being played, coming and past; before there is any account, the way to make the first one."""
    if setup_code.is_open():
        return HttpResponseRedirect(reverse("setup"))
    actor, wanted = actor_of(request), wanted_of(request.GET)
    found = shelves(actor, timezone.localdate(), wanted)
    context = {
        "shelves": found,
        "wanted": wanted,
        "choices": choices(actor),
        "rulebooks": [(key, rulebook_name(find_rulebook(key))) for key in PLAYABLE],
        "page": _page(found, wanted.page) if wanted.when else None,
        "may_create": access.can_create(actor),
        "rest": _rest(request),
    }
    return render(request, "site/home_public.html", context)


@require_safe
@in_language_asked
def events_calendar(request: HttpRequest) -> HttpResponse:
    """What is coming, to subscribe to: public tournaments alone, whoever asks."""
    visitor = access.Actor(None, "visitor")
    found = coming_soon(visitor, timezone.localdate())
    root = request.build_absolute_uri("/").rstrip("/")
    made = calendar_of_events((each, root + reverse("tournament", args=[each.slug])) for each in found)
    headers = {"Content-Disposition": 'attachment; filename="tournaments.ics"'}
    return HttpResponse(made, "text/calendar; charset=utf-8", headers=headers)


def _page(found: tuple[Shelf, ...], number: int) -> object:
    """The page's number among all of them; the rows are read already."""
    count = found[0].count if found else 0
    return Paginator(range(count), A_PAGE).get_page(number)


def _rest(request: HttpRequest) -> str:
    """What was looked for, to be carried to one shelf alone."""
    query = request.GET.copy()
    for name in ("when", "page"):
        query.pop(name, None)
    return f"{query.urlencode()}&" if query else ""
