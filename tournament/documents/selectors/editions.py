"""What a document is made from, as one word: while it is the same, so is the document."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.conf import settings

from tournament.base.access import Audience
from tournament.base.models.documents import DocumentJob
from tournament.base.models.tournament import Tournament
from tournament.fouls.selectors.appeals import objections

BY_ACCOUNTS: Final = frozenset(
    {DocumentJob.Kind.ROUNDS, DocumentJob.Kind.REPORT, DocumentJob.Kind.OBSERVER, DocumentJob.Kind.BUNDLE}
)
"""What names the staff: a person may change their account's name, which is no change of the tournament."""


def edition_of(tournament: Tournament) -> str:
    """The layout, the version, and whether appeals may still change results: their time runs out without a write."""
    version = Tournament.objects.values_list("version", flat=True).get(pk=tournament.pk)
    return f"{_layout()}-{version}-{bool(objections(tournament, Audience.STAFF)):d}"


def same_document(tournament: Tournament, asked: dict[str, object], edition: str) -> DocumentJob | None:
    """The newest document like this that was made from just this; `asked`: kind, languages, paper, session, site."""
    if asked["kind"] in BY_ACCOUNTS:
        return None
    return _with_file(tournament, asked | {"edition": edition})


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


def _with_file(tournament: Tournament, about: dict[str, object]) -> DocumentJob | None:
    found = tournament.documents.filter(**about, state=DocumentJob.State.DONE).exclude(file="").first()
    return found if found is not None and found.file.storage.exists(str(found.file.name)) else None


@cache
def _layout() -> str:
    """Of all that decides how a document looks beside its data: another release of Hule prints it anew."""
    templates = Path(settings.BASE_DIR) / "templates"
    root = Path(__file__).parents[2]
    files = [
        *(file for file in templates.glob("**/*") if file.is_file()),
        *Path(settings.BASE_DIR).glob("static/css/*.css"),
        *Path(settings.BASE_DIR).glob("locale/*/LC_MESSAGES/django.mo"),
        *(root / "documents").glob("**/*.py"),
    ]
    found = sha256()
    for file in sorted(files):
        found.update(file.read_bytes())
    return found.hexdigest()[:12]
