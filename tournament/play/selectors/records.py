"""What is on record at a table and of a session, and what can still be as if it had never been."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from penalties.models import Penalty
from tournament.base.access import Actor
from tournament.base.errors import refuse
from tournament.base.models.appeals import Appeal
from tournament.base.models.hands import Hand
from tournament.base.models.play import Absence, Session, Table
from tournament.play.models.totals import Totals

Row = TypeVar("Row", Penalty, Absence, Appeal, Totals)
UNDO_WITHIN = timedelta(minutes=1)
"""How long the hand just recorded can be taken back without a reason; later it is corrected, with one."""


def tables_with_a_record(session: Session) -> QuerySet[Table]:
    """The session's tables at which something was kept for good: a hand, totals, a penalty, an appeal.

    One that was taken back since is on record too.
    """
    here = {"table": OuterRef("pk")}
    return session.tables.filter(
        Exists(Hand.objects.filter(**here))
        | Exists(Totals.objects.filter(**here))
        | Exists(Penalty.objects.filter(**here))
        | Exists(Appeal.objects.filter(**here))
    )


def can_be_unstarted(session: Session) -> bool:
    """Whether its start can be taken back: it is being played, and nothing is on record."""
    return session.state == Session.State.RUNNING and not tables_with_a_record(session).exists()


def written_before(kind: type[Row], uuid: UUID, table: Table) -> Row | None:
    """The row that the same UUID made at this table; refused when it belongs to another table's."""
    known = kind._default_manager.filter(uuid=uuid).order_by("pk").first()
    if known is not None and known.table_id != table.pk:
        raise refuse("uuid_of_another_table", "uuid")
    return known


def seats_of(table: Table) -> dict[str, int]:
    """Starting wind → player number."""
    return dict(table.seats.order_by("id").values_list("wind", "player__number"))


def place_of(table: Table) -> dict[str, int]:
    """Where something happened, for the log and the live stream."""
    return {"session": table.session.number, "table": table.number}


def current_hand(table: Table, number: int) -> Hand | None:
    """The version of the hand that counts; None when it is not played yet, or was taken back."""
    return table.hands.filter(number=number, is_current=True).first()


def can_undo_penalty(penalty: Penalty, actor: Actor) -> bool:
    """Whether the actor gave it, and a moment ago."""
    return (
        not penalty.is_cancelled
        and actor.user is not None
        and penalty.given_by_id == actor.user.pk
        and timezone.now() - penalty.given_at < UNDO_WITHIN
    )


def can_undo(hand: Hand, table: Table, actor: Actor) -> bool:
    """Whether `hand` is this table's last, was recorded by the actor a moment ago, and nothing was built on it."""
    return (
        hand.is_current
        and not hand.reason
        and not hand.deepens
        and not table.is_in
        and hand.number == table.hands_played
        and actor.user is not None
        and hand.recorded_by_id == actor.user.pk
        and timezone.now() - hand.recorded_at < UNDO_WITHIN
        and not table.penalties.filter(cancelled_at=None, hand_number__gt=hand.number).exists()
    )
