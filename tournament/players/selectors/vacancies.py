"""Seats that nobody would sit in: the player has withdrawn, and no stand-in is named."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.base.models.play import Seat, Session


def seats_left(session: Session) -> QuerySet[Seat]:
    """The seats of players who have withdrawn, stand-ins or not, in the order of the tables."""
    seats = Seat.objects.filter(table__session=session, player__withdrawn_at__isnull=False)
    return seats.select_related("player", "table").order_by("table__number", "id")


def vacant_seats(session: Session) -> QuerySet[Seat]:
    """Those of them without a stand-in: with one of these a session does not start."""
    return seats_left(session).filter(stand_in="")
