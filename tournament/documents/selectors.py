"""What documents are made from: certificates, editions, and whether an event can be taken along as a site."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

from scoring.engine.problems import Problem, problem_code
from tournament.base.access import Audience
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors import objections
from tournament.play.selectors.totals import ListedHand
from tournament.ranking.selectors.ranking import Ranking, progress_of
from tournament.ranking.selectors.standings import RankingRow
from tournament.ranking.selectors.statistics import event_statistics

SITE_NOT_PUBLIC = problem_code(
    "site_not_public", "This tournament is private: there are no public pages to export."
)
SITE_BEFORE_THE_END = problem_code(
    "site_before_the_end", "A session is still to be played: the site is made once the event is over."
)


def design_of(tournament: Tournament) -> CertificateDesign:
    """As it was set; not saved where nobody has said anything about it."""
    design = CertificateDesign.objects.filter(tournament=tournament).first()
    return design or CertificateDesign(tournament=tournament)


def winners(now: Ranking, places: int) -> list[RankingRow]:
    """Who has one of these places; of a shared one everybody who shares it."""
    return [row for row in now.rows if row.standing.rank is not None and row.standing.rank <= places]


def dearest_hand(tournament: Tournament) -> ListedHand | None:
    """The best hand of the event: of equals one whose tiles are known, then the earliest."""
    best = event_statistics(tournament, Audience.STAFF).best
    return next(
        (hand for hand in best if hand.points == best[0].points and hand.tiles), best[0] if best else None
    )


BY_ACCOUNTS: Final = frozenset(
    {DocumentJob.Kind.ROUNDS, DocumentJob.Kind.REPORT, DocumentJob.Kind.OBSERVER, DocumentJob.Kind.BUNDLE}
)
"""What names the staff: a person may change their account's name, which is no change of the tournament."""


def edition_of(tournament: Tournament) -> str:
    """Give in one word what documents are made from: while it is the same, so are they.

    The layout, the version, and whether appeals may still change results: their time runs out without a write.
    """
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    return f"{_layout()}-{version}-{bool(objections(tournament, Audience.STAFF)):d}"


def same_document(tournament: Tournament, request: dict[str, object], edition: str) -> DocumentJob | None:
    """The newest document like this that was made from just this; `request`: kind, languages, paper, session, site."""
    if request["kind"] in BY_ACCOUNTS:
        return None
    return _with_file(tournament, request | {"edition": edition})


def same_text(job: DocumentJob, digest: str) -> DocumentJob | None:
    """Another document that says the same in the same language on the same paper."""
    return _with_file(
        job.tournament,
        {
            "kind": job.kind,
            "language": job.language,
            "second": job.second,
            "paper": job.paper,
            "digest": digest,
        },
    )


def _with_file(tournament: Tournament, conditions: dict[str, object]) -> DocumentJob | None:
    job = tournament.documents.filter(**conditions, state=DocumentJob.State.DONE).exclude(file="").first()
    return job if job is not None and job.file.storage.exists(str(job.file.name)) else None


@cache
def _layout() -> str:
    """Of all that decides how a document looks beside its data: another release of Hule prints it anew."""
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


def what_keeps_site(tournament: Tournament) -> Problem | None:
    """Why there is no site of it: strangers are shown nothing, or there is no end yet that it could show."""
    if not tournament.is_public:
        return SITE_NOT_PUBLIC("kind")
    return None if progress_of(tournament).is_over else SITE_BEFORE_THE_END("kind")
