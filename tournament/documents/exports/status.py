"""What a document job says on a page."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import ClassVar, Final

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.jobs import CRASHED, UNREACHABLE
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import publications_for
from tournament.web.display.jobs import JobStatus
from tournament.web.texts.days import time_text

ON_THE_CARD: Final = ("foul_changed", "foul_added", "foul_restored", "tournament_changed")
"""Entries of the log after which an umpire's card may say what holds no longer."""

RULES: Final = frozenset({DocumentJob.Kind.CARD, DocumentJob.Kind.ROUNDS})
SEATS: Final = frozenset(
    {
        DocumentJob.Kind.SEATS,
        DocumentJob.Kind.SCHEDULES,
        DocumentJob.Kind.SCORE_SHEETS,
        DocumentJob.Kind.TABLE_NUMBERS,
        DocumentJob.Kind.BUNDLE,
    }
)


class DocumentStatus(JobStatus[DocumentJob]):
    WAITING = gettext_lazy("Waiting for the document worker …")
    NO_ANSWER = gettext_lazy(
        "The document worker does not answer. The document will be made as soon as it does. bin/run starts it together "
        "with the server; if you do not run this server yourself, tell whoever does."
    )
    LOST = gettext_lazy("The document worker stopped on the way. Ask for the document again.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: gettext_lazy(
            "The document could not be made. What went wrong is in the server’s log. Ask for it again; if it fails "
            "again, tell whoever runs this server."
        ),
        UNREACHABLE: gettext_lazy(
            "The document worker could not be reached. Ask for the document again in a minute."
        ),
    }

    @property
    def language_name(self) -> str:
        """Its own name, or those of both: English / 简体中文."""
        names = dict(settings.LANGUAGES)
        return " / ".join(
            names.get(code, code) for code in filter(None, (self.job.language, self.job.second))
        )

    @property
    def _step(self) -> str:
        pages = self.job.steps - 2
        if self.job.done_steps == 0:
            return self._collecting
        if self.job.done_steps <= pages:
            return _("Making page %(page)s of %(pages)s …") % {"page": self.job.done_steps, "pages": pages}
        return _("Writing the file …")

    @property
    def _collecting(self) -> str:
        if self.job.kind in RULES:
            return _("Collecting the rules …")
        return _("Collecting the seats …") if self.job.kind in SEATS else _("Collecting the results …")

    @property
    def _done(self) -> str:
        made = time_text(self.job.finished_at or self.job.requested_at)
        if self.job.standings_version is not None:
            return _("Standings version %(version)s, made on %(time)s") % {
                "version": self.job.standings_version,
                "time": made,
            }
        if self.job.kind == DocumentJob.Kind.CARD:
            return _("The foul book as on %(time)s") % {"time": made}
        if self.job.kind in SEATS:
            return _("The seats as on %(time)s") % {"time": made}
        return _("As on %(time)s") % {"time": made}


def job_status(job: DocumentJob) -> DocumentStatus:
    return DocumentStatus(job, timezone.now())


def recent_jobs(tournament: Tournament, most: int = 5) -> list[DocumentJob]:
    """The newest jobs of a tournament, for `documents/_jobs.html`."""
    return list(tournament.documents.all()[:most])


def paper_of(jobs: Iterable[DocumentJob]) -> str:
    """What was printed on last, and so, most likely, the next time: a booklet is not what a list is printed on."""
    sizes = (job.paper for job in jobs if job.paper in DocumentJob.papers_of(DocumentJob.Kind.STANDINGS))
    return next(sizes, DocumentJob.Paper.A4)


def public_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """The finished documents of standings that were published, the newest first: anybody may read them, unless they
    have a session in them whose results are hidden."""
    published = publications_for(Audience.PUBLIC, tournament).filter(version=OuterRef("standings_version"))
    done = tournament.documents.filter(kind=DocumentJob.Kind.STANDINGS, state=DocumentJob.State.DONE)
    return done.filter(Exists(published))


def cards(tournament: Tournament) -> list[DocumentJob]:
    """The umpire's cards that say what holds, one a language, or two, and paper: what is in them everybody may read.

    One that was asked for before the foul book, the name or the days were changed is out of date, and in no list.
    """
    jobs = tournament.documents.filter(kind=DocumentJob.Kind.CARD, state=DocumentJob.State.DONE)
    if (changed := card_changed_at(tournament)) is not None:
        jobs = jobs.filter(requested_at__gt=changed)
    newest = {(job.languages, job.paper): job for job in reversed(jobs)}
    return [newest[key] for key in sorted(newest)]


def card_changed_at(tournament: Tournament) -> datetime | None:
    """When something that stands on the card was changed last."""
    last: datetime | None = tournament.log.filter(action__in=ON_THE_CARD).aggregate(last=Max("at"))["last"]
    return last


def readable_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """What anybody may read: `public_documents` and every umpire's card."""
    is_public = Q(pk__in=public_documents(tournament).values("pk")) | Q(kind=DocumentJob.Kind.CARD)
    return tournament.documents.filter(is_public)
