"""Asking for a document. The worker makes it; the row tells how far it is."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.errors import Refused, refuse
from tournament.base.models.documents import DocumentJob
from tournament.base.models.jobs import ANSWER_WITHIN
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.base.work import send
from tournament.documents.selectors.editions import edition_of, same_document
from tournament.documents.selectors.site import what_keeps_site
from tournament.play.services.fresh import fresh

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
    made.
    """
    access.require_organiser(actor, tournament)
    if paper not in DocumentJob.papers_of(kind):
        raise refuse("paper_unfit", "paper")
    if kind == DocumentJob.Kind.SITE and (problem := what_keeps_site(tournament)):
        raise Refused(problem)
    session = session if DocumentJob.is_of_session(kind) else None
    _refuse_without_seats(tournament, kind, session)
    tournament = fresh(Tournament.objects.all(), tournament)
    asked: dict[str, object] = {
        "kind": kind,
        "language": language,
        "second": "" if second == language else second,
        "paper": paper,
        "session": session,
        "site": site,
    }
    if (made := same_document(tournament, asked, edition_of(tournament))) is not None:
        made.requested_at = timezone.now()  # so that it leads the list again
        made.save(update_fields=["requested_at"])
        return made
    with transaction.atomic():
        under_way = tournament.documents.filter(
            **asked,
            state__in=[DocumentJob.State.QUEUED, DocumentJob.State.RUNNING],
            requested_at__gt=timezone.now() - ANSWER_WITHIN,
        ).first()
        if under_way is not None:
            return under_way
        job = DocumentJob.objects.create(
            tournament=tournament,
            **asked,
            requested_by=actor.user,
        )
        transaction.on_commit(lambda: send(job, "render_document"))
    return job


def _refuse_without_seats(tournament: Tournament, kind: str, session: int | None) -> None:
    if kind not in OF_SEATS:
        return
    seats = Seat.objects.filter(table__session__tournament=tournament)
    if DocumentJob.is_of_session(kind):
        if session is None or not seats.filter(table__session__number=session).exists():
            raise refuse("no_seats_in_session", "session", session=session or "–")
    elif not seats.exists():
        raise refuse("no_seats_yet", "kind")
