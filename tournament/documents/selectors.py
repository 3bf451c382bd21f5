"""Certificates, the newest and the public documents, and whether a document has to be made again."""

from datetime import datetime
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from scoring.engine.problems import Problem, problem_code
from tournament.base.engine.notices import Audience
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import publications_for
from tournament.events.texts import PLAY_SETTINGS_CHANGED, TOURNAMENT_CHANGED
from tournament.fouls.selectors import objections
from tournament.fouls.texts import FOUL_ADDED, FOUL_CHANGED, FOUL_RESTORED
from tournament.play.selectors.totals import ListedHand
from tournament.ranking.selectors.progress import progress_of
from tournament.ranking.selectors.ranking import Ranking, RankingRow
from tournament.ranking.selectors.statistics import event_statistics

SITE_NOT_PUBLIC = problem_code(
    "site_not_public", "This tournament is private: there are no public pages to export."
)
SITE_BEFORE_THE_END = problem_code(
    "site_before_the_end",
    "A session has not been played yet: the site can be created once the event is over.",
)


# --- Certificates ---


def design_of(tournament: Tournament) -> CertificateDesign:
    """Return the stored design of the certificates, or an unsaved one with the defaults."""
    design = CertificateDesign.objects.filter(tournament=tournament).first()
    return design or CertificateDesign(tournament=tournament)


def rows_to_place(current: Ranking, last_place: int) -> list[RankingRow]:
    """Return the rows from the first place to this one, all of those that share it."""
    return [row for row in current.rows if row.standing.rank is not None and row.standing.rank <= last_place]


def best_hand(tournament: Tournament) -> ListedHand | None:
    """Return the best hand of the event; of equal hands one with recorded tiles, then the earliest."""
    hands = event_statistics(tournament, Audience.STAFF).best
    return next(
        (hand for hand in hands if hand.points == hands[0].points and hand.tiles), hands[0] if hands else None
    )


# --- Jobs ---


CARD_ACTIONS: Final = (FOUL_CHANGED, FOUL_ADDED, FOUL_RESTORED, TOURNAMENT_CHANGED, PLAY_SETTINGS_CHANGED)
"""Log actions that may change what is on the umpire's card."""


def recent_jobs(tournament: Tournament, maximum: int = 100) -> list[DocumentJob]:
    """Return the newest jobs of a tournament, for `documents/_jobs.html`."""
    return list(tournament.documents.all()[:maximum])


def public_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """Select finished PDFs of standings that were published, the newest first; none with a hidden session."""
    published = publications_for(Audience.PUBLIC, tournament).filter(version=OuterRef("standings_version"))
    done = tournament.documents.filter(kind=DocumentJob.Kind.STANDINGS, state=DocumentJob.State.DONE)
    return done.filter(Exists(published))


def readable_documents(tournament: Tournament) -> QuerySet[DocumentJob]:
    """Select the documents that anybody may read: `public_documents` and every umpire's card."""
    is_public = Q(pk__in=public_documents(tournament).values("pk")) | Q(kind=DocumentJob.Kind.CARD)
    return tournament.documents.filter(is_public)


def current_cards(tournament: Tournament) -> list[DocumentJob]:
    """Return the newest umpire's card of each language (or two) and paper, without those that are out of date."""
    jobs = tournament.documents.filter(kind=DocumentJob.Kind.CARD, state=DocumentJob.State.DONE)
    if (changed := card_changed_at(tournament)) is not None:
        jobs = jobs.filter(requested_at__gt=changed)
    newest = {(job.languages, job.paper): job for job in reversed(jobs)}
    return [newest[key] for key in sorted(newest)]


def card_changed_at(tournament: Tournament) -> datetime | None:
    """Return when the contents of the umpire's card last changed, or None."""
    last: datetime | None = tournament.log.of(*CARD_ACTIONS).aggregate(last=Max("at"))["last"]
    return last


def site_export_problem(tournament: Tournament) -> Problem | None:
    """Return why the event cannot be exported as a site (private, or not over yet), or None."""
    if not tournament.is_public:
        return SITE_NOT_PUBLIC("kind")
    return None if progress_of(tournament).is_over else SITE_BEFORE_THE_END("kind")


# --- Whether a document has to be made again ---


KINDS_WITH_STAFF_NAMES: Final = frozenset(
    {
        *(DocumentJob.Kind.ROUNDS, DocumentJob.Kind.REPORT, DocumentJob.Kind.BUNDLE),
        *(DocumentJob.Kind.APPLICATION, DocumentJob.Kind.OBSERVER),
    }
)
"""Made again for every request: an account's name can change without a new version of the tournament."""


def current_edition(tournament: Tournament) -> str:
    """Return a key of everything that documents are made from; they need not be made again while it is the same.

    It joins the layout, the version, and whether appeals may still change results: that changes without a write.
    """
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    return f"{_layout_digest()}-{version}-{bool(objections(tournament, Audience.STAFF)):d}"


@cache
def _layout_digest() -> str:
    """Return a digest of templates, styles, translations and this package: a new release makes documents anew."""
    templates = Path(settings.BASE_DIR) / "templates"
    root = Path(__file__).parents[1]
    files = [
        *(file for file in templates.glob("**/*") if file.is_file()),
        *Path(settings.BASE_DIR).glob("static/css/*.css"),
        *Path(settings.BASE_DIR).glob("locale/*/LC_MESSAGES/django.mo"),
        *(root / "documents").glob("**/*.py"),
    ]
    digest = sha256()
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def find_current_document(
    tournament: Tournament, request: dict[str, object], edition: str
) -> DocumentJob | None:
    """Return the newest document for this request that is up to date (`current_edition`), or None.

    `request`: kind, language, second, paper, session, site.
    """
    if request["kind"] in KINDS_WITH_STAFF_NAMES:
        return None
    return _find_with_file(tournament, request | {"edition": edition})


def find_same_content(job: DocumentJob, digest: str) -> DocumentJob | None:
    """Return a document of the same kind, languages and paper whose contents have this digest, or None."""
    return _find_with_file(
        job.tournament,
        {
            "kind": job.kind,
            "language": job.language,
            "second": job.second,
            "paper": job.paper,
            "digest": digest,
        },
    )


def _find_with_file(tournament: Tournament, conditions: dict[str, object]) -> DocumentJob | None:
    job = tournament.documents.filter(**conditions, state=DocumentJob.State.DONE).exclude(file="").first()
    return job if job is not None and job.file.storage.exists(str(job.file.name)) else None
