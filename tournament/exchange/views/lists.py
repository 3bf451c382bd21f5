"""What a page lists, as a file: under the rights of the page, and for the audience that it has."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.base.access import Audience, Right, audience_of
from tournament.base.models.tournament import Tournament
from tournament.exchange.lists import Asked, list_named, written
from tournament.exchange.lists.writing import TYPES
from tournament.web.views.common import actor_of
from tournament.web.views.frame import page_for
from tournament.web.views.frame_public import tournament_page


@tournament_page
def open_list(
    request: HttpRequest, tournament: Tournament, audience: Audience, name: str, form: str
) -> HttpResponse:
    """For everybody who sees the event."""
    return _file(request, tournament, audience, name, form)


@page_for(Right.READ)
@require_safe
def staff_list(request: HttpRequest, tournament: Tournament, name: str, form: str) -> HttpResponse:
    """For whoever may read everything."""
    return _file(request, tournament, audience_of(actor_of(request), tournament), name, form)


@page_for(Right.ADMIT)
@require_safe
def check_in_list(request: HttpRequest, tournament: Tournament, form: str) -> HttpResponse:
    """For whoever admits people."""
    return _file(request, tournament, audience_of(actor_of(request), tournament), "check-in", form)


def _file(
    request: HttpRequest, tournament: Tournament, audience: Audience, name: str, form: str
) -> HttpResponse:
    listed, asked = list_named(name), Asked(tournament, audience, actor_of(request))
    if not listed.may(asked):
        raise Http404
    file = f"{tournament.slug}-{name}.{form}"
    return HttpResponse(
        written(listed, asked, form),
        content_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )
