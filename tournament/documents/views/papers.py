"""The documents that everybody may read.

Their list is drawn anew for every reader: a PDF that is ready is no change of the tournament, and its version says
nothing of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.base.access import Audience, audience_of
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Publication, Tournament
from tournament.base.selectors.embargo import publications_for
from tournament.documents.exports.status import cards, job_status, public_documents
from tournament.exchange.lists import Asked, list_named, written
from tournament.ranking.selectors.ranking import State, ranking
from tournament.ranking.selectors.standings import has_results
from tournament.web.exports.spreadsheets import CONTENT_TYPE
from tournament.web.views.common import actor_of, visible_tournament_or_404
from tournament.web.views.frame_public import tournament_html, tournament_part


@dataclass(frozen=True)
class Paper:
    """A finished document and what was published in it."""

    job: DocumentJob
    publication: Publication

    @property
    def language(self) -> str:
        return job_status(self.job).language_name


@require_safe
@never_cache
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """PDFs of published standings, the newest first; umpire's cards, the certificate of the draw and the foul book."""
    tournament = visible_tournament_or_404(request, slug)
    audience = audience_of(actor_of(request), tournament)
    context = {
        "papers": _papers(tournament),
        "cards": cards(tournament),
        "is_drawn": tournament.sessions.exists(),
        "has_results": has_results(tournament, audience),
    }
    return tournament_html(request, "documents/documents_public", tournament, audience, context)


@tournament_part
def standings(request: HttpRequest, tournament: Tournament, audience: Audience) -> HttpResponse:
    """The list `ranking` as an Excel sheet, by a name that says of which moment it is."""
    now = ranking(tournament, audience)
    name = f"{tournament.slug}-{now.version}{'-provisional' if now.state is State.PROVISIONAL else ''}.xlsx"
    return HttpResponse(
        written(list_named("ranking"), Asked(tournament, audience, actor_of(request)), "xlsx"),
        content_type=CONTENT_TYPE,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _papers(tournament: Tournament) -> list[Paper]:
    """One a language, paper and version: the newest, which knows whether all appeals were decided."""
    published = {one.version: one for one in publications_for(Audience.PUBLIC, tournament)}
    newest: dict[tuple[int, str, str], DocumentJob] = {}
    for job in public_documents(tournament):
        newest.setdefault((job.standings_version or 0, job.languages, job.paper), job)
    jobs = sorted(newest.values(), key=lambda job: (-(job.standings_version or 0), job.language))
    return [Paper(job, published[job.standings_version or 0]) for job in jobs]
