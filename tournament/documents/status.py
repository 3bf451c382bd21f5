"""What a document job says on a page."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access import Audience
from tournament.display.jobs import JobStatus
from tournament.models import DocumentJob, Tournament
from tournament.models.jobs import CRASHED, UNREACHABLE
from tournament.selectors.embargo import publications_for
from tournament.words.days import time_text


class DocumentStatus(JobStatus[DocumentJob]):
    WAITING = gettext_lazy("Waiting for the document worker …")
    NO_ANSWER = gettext_lazy(
        "The document worker does not answer. The document will be made as soon as it does. bin/run starts it together "
        "with the server; if you do not run this server yourself, tell whoever does."
    )
    LOST = gettext_lazy("The document worker stopped on the way. Ask for the document again.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: gettext_lazy(
            "The document could not be made. What went wrong is in the server's log. Ask for it again; if it fails "
            "again, tell whoever runs this server."
        ),
        UNREACHABLE: gettext_lazy(
            "The document worker could not be reached. Ask for the document again in a minute."
        ),
    }

    @property
    def language_name(self) -> str:
        return dict(settings.LANGUAGES).get(self.job.language, self.job.language)

    @property
    def _step(self) -> str:
        pages = self.job.steps - 2
        if self.job.done_steps == 0:
            return _("Collecting the results …")
        if self.job.done_steps <= pages:
            return _("Making page %(page)s of %(pages)s …") % {"page": self.job.done_steps, "pages": pages}
        return _("Writing the file …")

    @property
    def _done(self) -> str:
        return _("Standings version %(version)s, made on %(time)s") % {
            "version": self.job.standings_version,
            "time": time_text(self.job.finished_at or self.job.requested_at),
        }


def job_status(job: DocumentJob) -> DocumentStatus:
    return DocumentStatus(job, timezone.now())


def recent_jobs(tournament: Tournament, most: int = 5) -> list[DocumentJob]:
    """The newest jobs of a tournament, for `documents/_jobs.html`."""
    return list(tournament.documents.all()[:most])


def paper_of(job: DocumentJob | None) -> str:
    """What a document is printed on, and so, most likely, the next one."""
    return job.paper if job else DocumentJob.Paper.A4


def public_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """The finished documents of standings that were published, the newest first: anybody may read them, unless they
    have a session in them whose results are hidden."""
    published = publications_for(Audience.PUBLIC, tournament).filter(version=OuterRef("standings_version"))
    return tournament.documents.filter(Exists(published), state=DocumentJob.State.DONE)
