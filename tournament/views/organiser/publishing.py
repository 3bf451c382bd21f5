"""Publishing the standings: as they are, or with every hidden result opened at the end of a ceremony."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.models import Tournament
from tournament.services.ceremonies import open_and_publish
from tournament.services.tournaments import publish_standings
from tournament.views.organiser.closing import Step, ask_or_take, closed_sessions
from tournament.views.organiser.frame import organiser_page


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Declare the standings as they are."""
    step = Step(
        title=_("Publish the standings?"),
        button=_("Publish the standings"),
        done=_("The standings are published."),
        back=("organiser_board", tournament.slug),
    )
    write = partial(publish_standings, tournament)
    return ask_or_take(request, tournament, closed_sessions(tournament), step, write)


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def everything(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Open every hidden result and declare the standings."""
    step = Step(
        title=_("Open the results and publish?"),
        button=_("Open the results and publish"),
        done=_("Everybody sees all results, and the standings are published."),
        back=("organiser_ceremony", tournament.slug),
    )
    write = partial(open_and_publish, tournament)
    return ask_or_take(request, tournament, closed_sessions(tournament), step, write)
