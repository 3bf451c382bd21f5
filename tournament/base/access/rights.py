"""Which role may what: the one table, from which services, pages and docs/roles.md are checked."""

from __future__ import annotations

from enum import Enum
from typing import Final

from tournament.base.models.tournament import Role


class Right(Enum):
    """What somebody may do in a tournament, in words that are wider than one page."""

    OWN = "own"
    """Delete the event, hand it over, say who organises it. Without an owner its organisers have this."""
    ORGANISE = "organise"
    """Players, seats, rules, publishing: everything but what is named below."""
    RULE = "rule"
    """Decide appeals, change the sheets of a closed session, open hidden results, say who umpires where."""
    JUDGE = "judge"
    """Correct hands and give sanctions as an umpire in person."""
    ENTER = "enter"
    """Enter hands and what happened, deciding nothing."""
    ADMIT = "admit"
    """Registrations and check-in."""
    CASH = "cash"
    """Who owes and who has paid."""
    SHOW = "show"
    """Screens, announcements on them."""
    READ = "read"
    """The organisers' pages, changing nothing on them."""
    SEE = "see"
    """How play went, in hidden sessions too."""


_ALL: Final = frozenset(Right)
RIGHTS: Final[dict[Role, frozenset[Right]]] = {
    Role.OWNER: _ALL,
    Role.ORGANISER: _ALL - {Right.OWN},
    Role.CHIEF: frozenset({Right.RULE, Right.JUDGE, Right.ENTER, Right.READ, Right.SEE}),
    Role.UMPIRE: frozenset({Right.JUDGE, Right.ENTER, Right.SEE}),
    Role.SCORER: frozenset({Right.ENTER, Right.SEE}),
    Role.DESK: frozenset({Right.ADMIT}),
    Role.TREASURER: frozenset({Right.CASH}),
    Role.SCREENS: frozenset({Right.SHOW}),
    Role.OBSERVER: frozenset({Right.READ, Right.SEE}),
}
REACHING: Final = frozenset({Role.UMPIRE, Role.SCORER})
"""Roles that may be for some sessions and tables alone; the others are for the whole tournament."""
GIVEN_BY_OWNERS: Final = frozenset({Role.OWNER, Role.ORGANISER})


def roles_with(right: Right) -> list[Role]:
    return [role for role, rights in RIGHTS.items() if right in rights]


def right_to_give(role: Role) -> Right:
    """What one has to have to give somebody this role, or to take it."""
    return Right.OWN if role in GIVEN_BY_OWNERS else Right.ORGANISE
