"""The documents that can be requested, in the order an event needs them, and the status of a job in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import CRASHED, UNREACHABLE, Tournament
from tournament.base.selectors import event_page_of
from tournament.documents.selectors import site_export_problem
from tournament.ranking.selectors.progress import progress_of
from tournament.web.display import JobStatus
from tournament.web.texts.words import time_text

# --- Documents that can be requested ---


Kind = DocumentJob.Kind


@dataclass(frozen=True)
class DocumentOption:
    """A document that can be requested. `kind`: the value of the button, "card:a6" for a fixed size of paper."""

    kind: str
    title: str | Promise
    description: str | Promise = ""
    settings_page: str = ""
    """The URL name of the page with its settings; empty for most."""


@dataclass(frozen=True)
class DocumentGroup:
    key: str
    title: str | Promise
    options: tuple[DocumentOption, ...]
    is_useful_now: bool = False
    """Whether the page shows it opened."""

    @property
    def needs_session(self) -> bool:
        return self.key == "session"


GROUPS: Final = (
    DocumentGroup(
        "before",
        _("Before the event"),
        (
            DocumentOption(
                Kind.BADGES, _("Badges"), _("Eight per page, with flag, club and a tile, to cut out.")
            ),
            DocumentOption(Kind.CHECK_IN, _("Check-in list"), _("All players by name, with a box to tick.")),
            DocumentOption(Kind.DUES, _("List of payments"), _("Who has paid and who has not.")),
            DocumentOption(
                Kind.SEATS,
                _("Seat lists to put up"),
                _("All players by name with their tables, then each session by table."),
            ),
            DocumentOption(
                Kind.SCHEDULES,
                _("Seat cards"),
                _("When and at which table each player sits, to cut out."),
            ),
            DocumentOption(
                Kind.TABLE_NUMBERS,
                _("Table numbers"),
                _("One per page, readable across the hall; the code leads to the ranking."),
            ),
            DocumentOption(
                Kind.CARD,
                _("Umpire’s card to print"),
                _(
                    "Fouls, lateness, claims and payments by this foul book, on one page; visible to everyone."
                ),
            ),
            DocumentOption(
                f"{Kind.CARD}:a6", _("Umpire’s card as a booklet"), _("The same card in pocket size (A6).")
            ),
            DocumentOption(
                Kind.ROUNDS,
                _("Umpires’ tables"),
                _("A sheet for each umpire with their tables, and the fouls on the back."),
            ),
            DocumentOption(
                Kind.APPLICATION,
                _("Application to the EMA"),
                _("What the national association applies with, filled in with what Hule knows."),
            ),
        ),
    ),
    DocumentGroup(
        "session",
        _("For a session"),
        (
            DocumentOption(
                Kind.BUNDLE,
                _("Everything for this session"),
                _("Seats, score sheets, foul record, points so far and the umpires’ tables in one file."),
            ),
            DocumentOption(
                Kind.SCORE_SHEETS,
                _("Score sheets of a session"),
                _(
                    "A page for each table: sixteen hands with the dealer of each, names, signatures, and a code "
                    "that opens the table."
                ),
            ),
            DocumentOption(Kind.FOULS, _("Foul record"), _("Penalties given so far, with lines for more.")),
            DocumentOption(
                Kind.TABULATION,
                _("Points so far"),
                _("Every table with its points so far."),
            ),
            DocumentOption(
                Kind.SESSION,
                _("Standings of this session alone"),
                _("The points of one session, and its statistics."),
            ),
        ),
    ),
    DocumentGroup(
        "results",
        _("Results"),
        (
            DocumentOption(Kind.STANDINGS, _("Standings to print"), _("All players, with every session.")),
            DocumentOption(Kind.TEAMS, _("Standings of teams"), _("All teams with their members.")),
            DocumentOption(Kind.NATIONS, _("Standings of nations"), _("All nations with their players.")),
            DocumentOption(
                Kind.STATISTICS,
                _("Statistics"),
                _("How hands ended, the highest-scoring hands, and which fans were made."),
            ),
        ),
    ),
    DocumentGroup(
        "after",
        _("After the event"),
        (
            DocumentOption(
                Kind.CERTIFICATES,
                _("Certificates"),
                _("For the first places and the best hand, with your own text and picture."),
                "organiser_results",
            ),
            DocumentOption(Kind.REPORT, _("Tournament report"), _("A complete report of the event.")),
            DocumentOption(
                Kind.OBSERVER,
                _("Observer’s report"),
                _("The form of the European Mahjong Association, filled in with what Hule knows."),
            ),
            DocumentOption(
                Kind.SITE,
                _("Web site of the event"),
                _("All public pages as files that need no server, with the data beside them, in a ZIP."),
            ),
        ),
    ),
)
"""Within a group the most requested document comes first."""
NEED_SEATS: Final = frozenset({Kind.SEATS, Kind.SCHEDULES, Kind.TABLE_NUMBERS})


def document_groups(tournament: Tournament, seated_sessions: Sequence[int]) -> Iterator[DocumentGroup]:
    """Yield the groups, without documents this event has no data for: seats, teams, nations or dues.

    `seated_sessions`: the numbers of the sessions that have seats.
    """
    unavailable = _kinds_without_data(tournament) | (frozenset() if seated_sessions else NEED_SEATS)
    progress = progress_of(tournament)
    useful = (
        {"results", "after"}
        if progress.is_over
        else {"session"}
        if progress.is_running or progress.closed
        else {"before"}
    )
    for group in GROUPS:
        if seated_sessions or not group.needs_session:
            yield replace(
                group,
                options=tuple(option for option in group.options if option.kind not in unavailable),
                is_useful_now=group.key in useful,
            )


def _kinds_without_data(tournament: Tournament) -> frozenset[str]:
    players = tournament.players
    has_data = {
        Kind.TEAMS: players.exclude(team="").exists(),
        Kind.NATIONS: players.exclude(country="").values("country").distinct().count() > 1,
        Kind.DUES: tournament.dues.exists(),
        Kind.APPLICATION: bool(event_page_of(tournament).mers),
        Kind.SITE: site_export_problem(tournament) is None,
    }
    return frozenset(kind for kind, is_available in has_data.items() if not is_available)


def last_paper(jobs: Iterable[DocumentJob]) -> str:
    """Return the size of paper used last, as the default for the next request; the booklet's A6 does not count."""
    sizes = (job.paper for job in jobs if job.paper in DocumentJob.papers_of(Kind.STANDINGS))
    return next(sizes, DocumentJob.Paper.A4)


# --- Status of a job ---


MADE_FROM_RULES: Final = frozenset({Kind.CARD, Kind.ROUNDS})
MADE_FROM_SEATS: Final = frozenset(
    {Kind.SEATS, Kind.SCHEDULES, Kind.SCORE_SHEETS, Kind.TABLE_NUMBERS, Kind.BUNDLE}
)


def job_status(job: DocumentJob) -> DocumentStatus:
    return DocumentStatus(job, timezone.now())


class DocumentStatus(JobStatus[DocumentJob]):
    WAITING = _("Waiting for the document worker …")
    NO_ANSWER = _(
        "The document worker does not answer. The document will be created as soon as it does. bin/run starts "
        "it together with the server; if you do not run this server yourself, tell its administrator."
    )
    LOST = _("The document worker stopped. Create the document again.")
    ERRORS: ClassVar[dict[str, Promise]] = {
        CRASHED: _(
            "The document could not be created. The reason is in the server’s log. Try again; if it fails "
            "again, tell the server’s administrator."
        ),
        UNREACHABLE: _("The document worker could not be reached. Try again in a minute."),
    }

    @property
    def language_name(self) -> str:
        """The language in its own name, or both languages: English / 简体中文."""
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
        if self.job.kind in MADE_FROM_RULES:
            return gettext("Collecting the rules …")
        return (
            gettext("Collecting the seats …")
            if self.job.kind in MADE_FROM_SEATS
            else gettext("Collecting the results …")
        )

    @property
    def _done(self) -> str:
        made_at = time_text(self.job.finished_at or self.job.requested_at)
        if self.job.kind == Kind.CARD:
            return gettext("The foul book as of %(time)s") % {"time": made_at}
        if self.job.kind in MADE_FROM_SEATS:
            return gettext("The seats as of %(time)s") % {"time": made_at}
        return gettext("As of %(time)s") % {"time": made_at}
