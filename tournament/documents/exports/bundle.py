"""Everything for a session as one file: what is hung up, lies on the tables, and is filled in at the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from django.utils.translation import gettext as _

from tournament.base.models.documents import DocumentJob
from tournament.documents.exports.drafts import Draft, bound
from tournament.staff.selectors.rota import rota_of

PAPERS: Final = (
    DocumentJob.Kind.SEATS,
    DocumentJob.Kind.SCORE_SHEETS,
    DocumentJob.Kind.FOULS,
    DocumentJob.Kind.TABULATION,
    DocumentJob.Kind.ROUNDS,
)
"""In the order of their use. Seats by table are those of the session alone, and a rota is there if it was made."""


def bundle(makers: Mapping[str, Callable[[DocumentJob], Draft]], job: DocumentJob) -> Draft:
    """The papers of the job's session, made as each is made by itself."""
    title = _("%(event)s: all papers of session %(number)s") % {
        "event": job.tournament,
        "number": job.session,
    }
    kinds = [kind for kind in PAPERS if kind != DocumentJob.Kind.ROUNDS or rota_of(job.tournament).is_set]
    return bound(title, [makers[kind](_part_of(job, kind)) for kind in kinds])


def _part_of(job: DocumentJob, kind: str) -> DocumentJob:
    """The same job for one of its papers; never stored."""
    return DocumentJob(
        tournament=job.tournament,
        kind=kind,
        language=job.language,
        second=job.second,
        paper=job.paper,
        session=job.session,
        site=job.site,
    )
