"""Disputed hands and their photographs, which only umpires and organisers see."""

from tournament.base import access
from tournament.base.access import Actor, Right
from tournament.base.models.play import Hand, Table


def require_viewer(actor: Actor, table: Table) -> None:
    """Raise Forbidden for everybody but umpires, scorers and organisers in person: players hold a table's card."""
    for right in (Right.ENTER, Right.SEE):
        access.require(actor, table.session.tournament, right)


def dispute_at(table: Table, number: int) -> Hand | None:
    """Return a hand as it was disputed, whatever became of it; None if nobody disputed it."""
    return table.hands.filter(number=number, outcome=Hand.Outcome.PENDING).order_by("version").last()
