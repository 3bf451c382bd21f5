"""Asking for a document. The worker makes it; the row tells how far it is."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from tournament import access
from tournament.access import Actor
from tournament.errors import refuse
from tournament.models import DocumentJob, Tournament
from tournament.models.jobs import ANSWER_WITHIN
from tournament.work import send


def request_document(
    tournament: Tournament, actor: Actor, *, kind: str, language: str, paper: str = DocumentJob.Paper.A4
) -> DocumentJob:
    """Queue a document, once the row is committed. Not a change of the tournament, so it raises no version.

    Refused for paper that this kind is not laid out for. Asked twice in a few seconds, as by a double click, it is the
    same job.
    """
    access.require_organiser(actor, tournament)
    if paper not in DocumentJob.papers_of(kind):
        raise refuse("paper_unfit", "paper")
    with transaction.atomic():
        under_way = tournament.documents.filter(
            kind=kind,
            language=language,
            paper=paper,
            state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
            requested_at__gt=timezone.now() - ANSWER_WITHIN,
        ).first()
        if under_way is not None:
            return under_way
        job = DocumentJob.objects.create(
            tournament=tournament, kind=kind, language=language, paper=paper, requested_by=actor.user
        )
        transaction.on_commit(lambda: send(job, "render_document"))
    return job
