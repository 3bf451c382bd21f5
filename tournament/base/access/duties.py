"""What somebody's roles in a tournament cover, read once for as long as they act: a request, a command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.base.access.rights import REACHING, RIGHTS, Right
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role


@dataclass(frozen=True)
class Duty:
    """One role and how far it reaches. `sessions`, `tables`: by key; `numbers`: those of the tables."""

    membership: Membership
    sessions: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()
    numbers: frozenset[int] = frozenset()
    at_most: frozenset[Right] = frozenset(Right)
    """What of the role's rights counts: less where a token passes on less."""

    @property
    def role(self) -> Role:
        return Role(self.membership.role)

    @property
    def rights(self) -> frozenset[Right]:
        """What the role brings; the card on a table lets its holders enter, and see what everybody sees."""
        return self.at_most & (RIGHTS[self.role] if self.is_in_person else {Right.ENTER})

    @property
    def is_everywhere(self) -> bool:
        return self.role not in REACHING or self.membership.everywhere

    @property
    def is_in_person(self) -> bool:
        """Not the card on a table, which is in the hands of the players."""
        return self.membership.table_number is None

    def covers(self, table: Table) -> bool:
        """Whoever is there for the whole tournament, or for this session, table or table number."""
        return (
            self.is_everywhere
            or table.session_id in self.sessions
            or table.pk in self.tables
            or table.number == self.membership.table_number
            or (self.membership.every_session and table.number in self.numbers)
        )


def duties(
    memberships: Iterable[Membership], at_most: frozenset[Right] = frozenset(Right)
) -> tuple[Duty, ...]:
    """In one query more, or three where a reach is limited by sessions and tables."""
    return tuple(_duty(membership, at_most) for membership in memberships)


def _duty(membership: Membership, at_most: frozenset[Right]) -> Duty:
    if membership.role not in REACHING or membership.everywhere or membership.table_number is not None:
        return Duty(membership, at_most=at_most)
    tables = list(membership.tables.order_by().values_list("pk", "number"))
    return Duty(
        membership,
        sessions=frozenset(membership.sessions.order_by().values_list("pk", flat=True)),
        tables=frozenset(pk for pk, _ in tables),
        numbers=frozenset(number for _, number in tables),
        at_most=at_most,
    )
