"""Publishing the standings: as they are, or with every hidden result opened at the end of a ceremony."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.base.models.tournament import Tournament
from tournament.events.services.tournaments import publish_standings
from tournament.play.selectors.organiser import Progress, progress_of
from tournament.play.views.closing import Step, ask_or_take, closed_sessions
from tournament.screens.services.ceremonies import open_and_publish
from tournament.web.views.frame import organiser_page


@organiser_page
@require_http_methods(["GET", "HEAD", "POST"])
def standings(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Declare the standings as they are. A GET says first what that does: it is not taken back."""
    progress = progress_of(tournament)
    if request.method != "POST" and not progress.can_publish:
        return redirect("organiser_board", tournament.slug)
    step = Step(
        title=_("Publish the final standings?") if progress.is_over else _("Publish the standings?"),
        button=_("Publish the final standings")
        if progress.is_over
        else _("Publish standings after session {session}").format(session=progress.closed),
        done=_("The standings are published."),
        back=("organiser_board", tournament.slug),
        then=_then(progress),
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
        then=(
            _(
                "Everybody sees every score, hand and penalty, and the ranking with them. It cannot be hidden again."
            ),
        ),
    )
    write = partial(open_and_publish, tournament)
    return ask_or_take(request, tournament, closed_sessions(tournament), step, write)


def _then(progress: Progress) -> tuple[str, ...]:
    declared = (
        _("The ranking as it is now becomes the final standings, and everybody reads that it is final.")
        if progress.is_over
        else _("Everybody reads that the ranking as it is now stands after session {n}.").format(
            n=progress.closed
        )
    )
    return declared, _(
        "What is published stays on record: something corrected afterwards is published again beside it."
    )
