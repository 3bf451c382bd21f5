"""What is on record of a session, so that it cannot be as if it had never begun."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from penalties.models import Penalty
from tournament.models import Appeal, Hand, Session, Table


def tables_with_a_record(session: Session) -> QuerySet[Table]:
    """The session's tables at which something was written down that is kept for good: a hand, a penalty, an appeal.

    One that was taken back since is on record too.
    """
    here = {"table": OuterRef("pk")}
    return session.tables.filter(
        Exists(Hand.objects.filter(**here))
        | Exists(Penalty.objects.filter(**here))
        | Exists(Appeal.objects.filter(**here))
    )


def can_be_unstarted(session: Session) -> bool:
    """Whether its start can be taken back: it is being played, and nothing is on record."""
    return session.state == Session.State.RUNNING and not tables_with_a_record(session).exists()
