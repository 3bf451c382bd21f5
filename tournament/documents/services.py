"""Request documents and store the design of the certificates."""

from functools import partial
from typing import Final
from uuid import uuid4

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.play import Seat
from tournament.base.models.tournament import ANSWER_WITHIN, Tournament
from tournament.base.validation import problems_of
from tournament.base.work import enqueue_job
from tournament.documents.selectors import (
    current_edition,
    design_of,
    find_current_document,
    site_export_problem,
)
from tournament.documents.texts import CERTIFICATES_CHANGED
from tournament.play.services.tables import fresh
from tournament.web.uploads import reencode_picture, remove_file

NO_SEATS_IN_SESSION = problem_code("no_seats_in_session", "Nobody has a seat in session {session} yet.")
NO_SEATS_YET = problem_code("no_seats_yet", "Nobody has a seat yet: draw the seats first.")
PAPER_UNFIT = problem_code("paper_unfit", "This document is not available for that paper size.")


def set_certificates(
    design: CertificateDesign, actor: Actor, *, picture: bytes | None = None, removes: bool = False
) -> CertificateDesign:
    """Store text, places and picture of the certificates. Idempotent. Raises Refused with all problems.

    `picture`: a PNG, JPEG or WebP file, stored as a new JPEG without its metadata; None leaves the stored one, and
    `removes` deletes it.
    """
    access.require(actor, design.tournament, Right.ORGANISE)
    problems, jpeg = problems_of(design), None
    if picture is not None:
        try:
            jpeg = reencode_picture(picture)
        except Refused as refused:
            problems += refused.problems
    if problems:
        raise Refused(problems)
    with log.write(design.tournament, actor, CERTIFICATES_CHANGED, None) as entry:
        before = design_of(entry.tournament)
        old = before.file.name if before.file and (jpeg or removes) else ""
        fields = ("text", "places", "best_hand")
        changed = [name for name in fields if getattr(design, name) != getattr(before, name)]
        if not changed and not jpeg and not old:
            return entry.unchanged(design)
        if old:
            transaction.on_commit(partial(remove_file, CertificateDesign(file=old)))
            design.file = ""
        if jpeg:
            design.file.save(f"certificate-{uuid4().hex}.jpeg", ContentFile(jpeg), save=False)
        design.save()
        entry.data = {"fields": [*changed, *(["picture"] if jpeg or old else [])]}
    return design


KINDS_WITH_SEATS: Final = frozenset(
    {
        DocumentJob.Kind.SEATS,
        DocumentJob.Kind.SCHEDULES,
        DocumentJob.Kind.SCORE_SHEETS,
        DocumentJob.Kind.TABLE_NUMBERS,
        DocumentJob.Kind.FOULS,
        DocumentJob.Kind.TABULATION,
        DocumentJob.Kind.BUNDLE,
        DocumentJob.Kind.SESSION,
    }
)
"""Kinds that print seats: nothing can be printed before the draw."""


def request_document(
    tournament: Tournament,
    actor: Actor,
    *,
    kind: str,
    language: str,
    second: str = "",
    paper: str = DocumentJob.Paper.A4,
    session: int | None = None,
    site: str = "",
) -> DocumentJob:
    """Store a job and queue it for the worker once the transaction is committed; return the job.

    Return an existing job if it is up to date, or was requested seconds ago (a double click). The tournament's version
    does not change. Raises Refused for a size of paper that the kind has no layout for, and for kinds with seats
    before there are any.

    `second`: a second language for headings and labels. `session`: the number of a session; ignored for kinds that
    are not about one. `site`: the public address of this server, for QR codes.
    """
    access.require(actor, tournament, Right.ORGANISE)
    if paper not in DocumentJob.papers_of(kind):
        raise Refused(PAPER_UNFIT("paper"))
    if kind == DocumentJob.Kind.SITE and (problem := site_export_problem(tournament)):
        raise Refused(problem)
    session = session if DocumentJob.is_of_session(kind) else None
    _refuse_without_seats(tournament, kind, session)
    tournament = fresh(Tournament.objects.all(), tournament)
    request: dict[str, object] = {
        "kind": kind,
        "language": language,
        "second": "" if second == language else second,
        "paper": paper,
        "session": session,
        "site": site,
    }
    if (existing := find_current_document(tournament, request, current_edition(tournament))) is not None:
        existing.requested_at = timezone.now()  # the list has the newest request first
        existing.save(update_fields=["requested_at"])
        return existing
    with transaction.atomic():
        running = tournament.documents.filter(
            **request,
            state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
            requested_at__gt=timezone.now() - ANSWER_WITHIN,
        ).first()
        if running is not None:
            return running
        job = DocumentJob.objects.create(
            tournament=tournament,
            **request,
            requested_by=actor.user,
        )
        transaction.on_commit(lambda: enqueue_job(job, "documents.render_document"))
    return job


def _refuse_without_seats(tournament: Tournament, kind: str, session: int | None) -> None:
    if kind not in KINDS_WITH_SEATS:
        return
    seats = Seat.objects.filter(table__session__tournament=tournament)
    if DocumentJob.is_of_session(kind):
        if session is None or not seats.filter(table__session__number=session).exists():
            raise Refused(NO_SEATS_IN_SESSION("session", session=session or "–"))
    elif not seats.exists():
        raise Refused(NO_SEATS_YET("kind"))
