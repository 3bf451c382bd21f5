"""Asking for a document, and what certificates say."""

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
from tournament.documents.selectors import design_of, edition_of, same_document, what_keeps_site
from tournament.documents.texts import CERTIFICATES_CHANGED
from tournament.events.services import drawn_anew, remove_file
from tournament.play.services.tables import fresh

NO_SEATS_IN_SESSION = problem_code("no_seats_in_session", "Nobody has a seat in session {session} yet.")
NO_SEATS_YET = problem_code("no_seats_yet", "Nobody has a seat yet: draw the seats first.")
PAPER_UNFIT = problem_code("paper_unfit", "This document is not laid out for that paper.")


def set_certificates(
    design: CertificateDesign, actor: Actor, *, picture: bytes | None = None, removes: bool = False
) -> CertificateDesign:
    """Store what certificates say. Idempotent: the same again writes nothing.

    `picture`: a PNG, JPEG or WebP by its content, drawn anew as a JPEG so that nothing else of it is kept; None leaves
    the one there is, and `removes` takes it away.
    """
    access.require(actor, design.tournament, Right.ORGANISE)
    problems, drawn = problems_of(design), None
    if picture is not None:
        try:
            drawn = drawn_anew(picture)
        except Refused as refused:
            problems += refused.problems
    if problems:
        raise Refused(problems)
    with log.write(design.tournament, actor, CERTIFICATES_CHANGED) as entry:
        before = design_of(entry.tournament)
        old = before.file.name if before.file and (drawn or removes) else ""
        fields = ("text", "places", "best_hand")
        changed = [name for name in fields if getattr(design, name) != getattr(before, name)]
        if not changed and not drawn and not old:
            entry.mark_unchanged()
            return design
        if old:
            transaction.on_commit(partial(remove_file, CertificateDesign(file=old)))
            design.file = ""
        if drawn:
            design.file.save(f"certificate-{uuid4().hex}.jpeg", ContentFile(drawn), save=False)
        design.save()
        entry.data = {"fields": [*changed, *(["picture"] if drawn or old else [])]}
    return design


OF_SEATS: Final = frozenset(
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
"""What says who sits where: there is nothing to print before the draw."""


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
    """Queue a document, once the row is committed. Not a change of the tournament, so it raises no version.

    `second`: the language beside the first. `session`: its number, for the kinds that are made for one; of the others
    it is not asked. Refused for paper that this kind is not laid out for, and for seats where nobody has one yet. Asked
    twice in a few seconds, as by a double click, it is the same job; so it is while nothing has changed since it was
    made. The worker makes it; the row tells how far it is.
    """
    access.require_organiser(actor, tournament)
    if paper not in DocumentJob.papers_of(kind):
        raise Refused(PAPER_UNFIT("paper"))
    if kind == DocumentJob.Kind.SITE and (problem := what_keeps_site(tournament)):
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
    if (existing := same_document(tournament, request, edition_of(tournament))) is not None:
        existing.requested_at = timezone.now()  # so that it leads the list again
        existing.save(update_fields=["requested_at"])
        return existing
    with transaction.atomic():
        under_way = tournament.documents.filter(
            **request,
            state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
            requested_at__gt=timezone.now() - ANSWER_WITHIN,
        ).first()
        if under_way is not None:
            return under_way
        job = DocumentJob.objects.create(
            tournament=tournament,
            **request,
            requested_by=actor.user,
        )
        transaction.on_commit(lambda: enqueue_job(job, "documents.render_document"))
    return job


def _refuse_without_seats(tournament: Tournament, kind: str, session: int | None) -> None:
    if kind not in OF_SEATS:
        return
    seats = Seat.objects.filter(table__session__tournament=tournament)
    if DocumentJob.is_of_session(kind):
        if session is None or not seats.filter(table__session__number=session).exists():
            raise Refused(NO_SEATS_IN_SESSION("session", session=session or "–"))
    elif not seats.exists():
        raise Refused(NO_SEATS_YET("kind"))
