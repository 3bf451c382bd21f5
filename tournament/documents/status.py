"""What a document job says on a page: its sentence, its bar, and whether anybody still works on it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access import Audience
from tournament.models import DocumentJob, Tournament
from tournament.models.documents import ANSWER_WITHIN, UNREACHABLE
from tournament.selectors.embargo import publications_for
from tournament.words.days import time_text

DONE_WITHIN: Final = timedelta(minutes=10)
"""The longest document takes a minute: what is not done by then never will be."""

CRASHED: Final = "crashed"

NO_ANSWER = gettext_lazy(
    "The document worker does not answer. The document will be made as soon as it does. bin/run starts it together "
    "with the server; if you do not run this server yourself, tell whoever does."
)
LOST = gettext_lazy("The document worker stopped on the way. Ask for the document again.")
ERRORS: Final[dict[str, str | Promise]] = {
    CRASHED: gettext_lazy(
        "The document could not be made. What went wrong is in the server's log. Ask for it again; if it fails "
        "again, tell whoever runs this server."
    ),
    UNREACHABLE: gettext_lazy(
        "The document worker could not be reached. Ask for the document again in a minute."
    ),
}


@dataclass(frozen=True)
class JobStatus:
    """A job as it is at a moment."""

    job: DocumentJob
    now: datetime

    @property
    def is_waiting(self) -> bool:
        """Whether somebody may still finish it, so that it is worth asking again."""
        unfinished = self.job.state in (DocumentJob.State.QUEUED, DocumentJob.State.RUNNING)
        return unfinished and self._age <= DONE_WITHIN

    @property
    def is_late(self) -> bool:
        """Whether the worker should have taken the job by now."""
        return self.job.state == DocumentJob.State.QUEUED and self._age > ANSWER_WITHIN

    @property
    def is_bad(self) -> bool:
        return self.job.state == DocumentJob.State.FAILED or self.is_late or self._is_lost

    @property
    def ask_every(self) -> str:
        """How often the page asks."""
        return "5s" if self.is_late else "1s"

    @property
    def mark(self) -> str:
        """Changes whenever the job would look different."""
        return f"{self.job.state}-{self.job.done_steps}-{self.job.steps}-{self.is_bad:d}"

    @property
    def sentence(self) -> str:
        if self._is_lost:
            return str(LOST)
        if self.is_late:
            return str(NO_ANSWER)
        match self.job.state:
            case DocumentJob.State.QUEUED:
                return _("Waiting for the document worker …")
            case DocumentJob.State.RUNNING:
                return self._step
            case DocumentJob.State.FAILED:
                return str(ERRORS[self.job.error])
        return _("Standings version %(version)s, made on %(time)s") % {
            "version": self.job.standings_version,
            "time": time_text(self.job.finished_at or self.job.requested_at),
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
    def _is_lost(self) -> bool:
        return self.job.state == DocumentJob.State.RUNNING and self._age > DONE_WITHIN

    @property
    def _age(self) -> timedelta:
        return self.now - self.job.requested_at


def job_status(job: DocumentJob) -> JobStatus:
    return JobStatus(job, timezone.now())


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
