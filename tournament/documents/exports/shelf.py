"""The documents there are to ask for, in the order in which an event needs them, and what a job says on a page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar, Final

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import CRASHED, UNREACHABLE, Tournament
from tournament.base.selectors import publications_for
from tournament.documents.selectors import what_keeps_site
from tournament.events.texts import PLAY_SETTINGS_CHANGED, TOURNAMENT_CHANGED
from tournament.fouls.texts import FOUL_ADDED, FOUL_CHANGED, FOUL_RESTORED
from tournament.web.display import JobStatus
from tournament.web.texts.words import time_text

# --- What there is to ask for ---


Kind = DocumentJob.Kind


@dataclass(frozen=True)
class Paper:
    """`kind`: as it is asked for, ":a6" where it has its own paper. `title` is on the button, too."""

    kind: str
    title: str | Promise
    about: str | Promise = ""
    settings: str = ""
    """The address of what it can be told beforehand; empty for most."""


@dataclass(frozen=True)
class Group:
    key: str
    title: str | Promise
    papers: tuple[Paper, ...]

    @property
    def of_session(self) -> bool:
        """Whether a session is chosen for them."""
        return self.key == "session"


SHELF: Final = (
    Group(
        "before",
        _("Before the event"),
        (
            Paper(Kind.BADGES, _("Badges"), _("Eight a page, with flag, club and a tile, to cut out.")),
            Paper(Kind.CHECK_IN, _("Check-in list"), _("Everybody by name, with a box to tick.")),
            Paper(Kind.DUES, _("Dues list"), _("Who owes what, and who has paid.")),
            Paper(
                Kind.SEATS,
                _("Seats to hang up"),
                _("Everybody by name with their tables, then each session by table."),
            ),
            Paper(
                Kind.SCHEDULES,
                _("A card for each player"),
                _("When and at which table each player sits, to cut out."),
            ),
            Paper(
                Kind.TABLE_NUMBERS,
                _("Table numbers"),
                _("One a page, to be read across the hall; the code leads to the ranking."),
            ),
            Paper(
                Kind.CARD,
                _("Umpire’s card to print"),
                _("Fouls, lateness, claims and payments by this foul book, on one side; everybody finds it."),
            ),
            Paper(f"{Kind.CARD}:a6", _("Umpire’s card as a booklet"), _("The same for the pocket, on A6.")),
            Paper(
                Kind.ROUNDS,
                _("Umpires’ tables"),
                _("A sheet for each umpire of the rota; the fouls are on its back."),
            ),
        ),
    ),
    Group(
        "session",
        _("For a session"),
        (
            Paper(
                Kind.BUNDLE,
                _("Everything for this session"),
                _("Seats, score sheets, foul record, tabulation form and the umpires’ tables in one file."),
            ),
            Paper(
                Kind.SCORE_SHEETS,
                _("Score sheets of a session"),
                _(
                    "A page for each table: the sixteen hands with who deals, names, signatures, "
                    "and a code that opens the table."
                ),
            ),
            Paper(Kind.FOULS, _("Foul record"), _("What was given so far, and lines for more.")),
            Paper(
                Kind.TABULATION,
                _("Tabulation form"),
                _("Every table with its points, as far as they are known."),
            ),
            Paper(
                Kind.SESSION,
                _("Standings of this session alone"),
                _("The points of one session, and its statistics."),
            ),
        ),
    ),
    Group(
        "results",
        _("Results"),
        (
            Paper(Kind.STANDINGS, _("Standings to print"), _("Everybody, with every session.")),
            Paper(Kind.TEAMS, _("Standings of teams"), _("Each with its members.")),
            Paper(Kind.NATIONS, _("Standings of nations"), _("Each with its players.")),
            Paper(
                Kind.STATISTICS,
                _("Statistics"),
                _("How hands ended, the highest-scoring hands, and which fans were made."),
            ),
        ),
    ),
    Group(
        "after",
        _("After the event"),
        (
            Paper(
                Kind.CERTIFICATES,
                _("Certificates"),
                _("For the first places and the best hand, with your own words and picture."),
                "organiser_certificates",
            ),
            Paper(Kind.REPORT, _("Tournament report"), _("Everything there is to say of the event.")),
            Paper(
                Kind.OBSERVER,
                _("Observer’s report"),
                _("The form of the European Mahjong Association, filled in as far as Hule knows."),
            ),
            Paper(
                Kind.SITE,
                _("Web site of the event"),
                _("All public pages as files that need no server, with the data beside them, in a ZIP."),
            ),
        ),
    ),
)
"""Group by group; the first of a group is asked for most."""
NEED_SEATS: Final = frozenset({Kind.SEATS, Kind.SCHEDULES, Kind.TABLE_NUMBERS})


def shelf_of(tournament: Tournament, seated: list[int]) -> Iterator[Group]:
    """What makes sense for this event: nothing of seats, teams, nations or dues without any."""
    left_out = _kinds_left_out(tournament) | (frozenset() if seated else NEED_SEATS)
    for group in SHELF:
        if seated or not group.of_session:
            yield replace(group, papers=tuple(paper for paper in group.papers if paper.kind not in left_out))


def _kinds_left_out(tournament: Tournament) -> frozenset[str]:
    players = tournament.players
    there = {
        Kind.TEAMS: players.exclude(team="").exists(),
        Kind.NATIONS: players.exclude(country="").values("country").distinct().count() > 1,
        Kind.DUES: tournament.dues.exists(),
        Kind.SITE: what_keeps_site(tournament) is None,
    }
    return frozenset(kind for kind, is_there in there.items() if not is_there)


# --- Jobs on a page ---


ON_THE_CARD: Final = (*(FOUL_CHANGED, FOUL_ADDED, FOUL_RESTORED, TOURNAMENT_CHANGED, PLAY_SETTINGS_CHANGED),)
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
    WAITING = _("Waiting for the document worker …")
    NO_ANSWER = _(
        "The document worker does not answer. The document will be made as soon as it does. bin/run starts it together "
        "with the server; if you do not run this server yourself, tell whoever does."
    )
    LOST = _("The document worker stopped on the way. Ask for the document again.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: _(
            "The document could not be made. What went wrong is in the server’s log. Ask for it again; if it fails "
            "again, tell whoever runs this server."
        ),
        UNREACHABLE: _("The document worker could not be reached. Ask for the document again in a minute."),
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
            return gettext("Making page %(page)s of %(pages)s …") % {
                "page": self.job.done_steps,
                "pages": pages,
            }
        return gettext("Writing the file …")

    @property
    def _collecting(self) -> str:
        if self.job.kind in RULES:
            return gettext("Collecting the rules …")
        return (
            gettext("Collecting the seats …")
            if self.job.kind in SEATS
            else gettext("Collecting the results …")
        )

    @property
    def _done(self) -> str:
        made_at = time_text(self.job.finished_at or self.job.requested_at)
        if self.job.standings_version is not None:
            return gettext("Standings version %(version)s, made on %(time)s") % {
                "version": self.job.standings_version,
                "time": made_at,
            }
        if self.job.kind == DocumentJob.Kind.CARD:
            return gettext("The foul book as of %(time)s") % {"time": made_at}
        if self.job.kind in SEATS:
            return gettext("The seats as of %(time)s") % {"time": made_at}
        return gettext("As of %(time)s") % {"time": made_at}


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
    """Select the finished documents of standings that were published, the newest first: anybody may read them.

    One that has a session in it whose results are hidden is none of them.
    """
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
    last: datetime | None = tournament.log.of(*ON_THE_CARD).aggregate(last=Max("at"))["last"]
    return last


def readable_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """What anybody may read: `public_documents` and every umpire's card."""
    is_public = Q(pk__in=public_documents(tournament).values("pk")) | Q(kind=DocumentJob.Kind.CARD)
    return tournament.documents.filter(is_public)
