"""Who may do what. Services ask here, so that pages, API and commands cannot differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.db.models import Q, QuerySet

from tournament.access.duties import Duty, duties
from tournament.access.rights import RIGHTS, right_to_give
from tournament.access.rights import Right as Right
from tournament.errors import Forbidden
from tournament.models import Membership, Role, Table, Tournament
from tournament.models.log_entry import ACCOUNT
from tournament.models.log_entry import name_of as name_of
from tournament.models.prepared import Prepared

_MEMBERSHIPS = Prepared(
    lambda tournament, user: Membership.objects.filter(tournament=tournament, user=user), int, int
)


@dataclass(frozen=True)
class Actor:
    """Who writes: a signed-in person, a visitor (`user` None), or the system itself (a command)."""

    user: Any
    name: str
    is_system: bool = False
    _duties: dict[int, tuple[Duty, ...]] = field(default_factory=dict, compare=False, repr=False)
    """By the tournament's key: read once, so that a request that asks five times reads them once."""

    def duties(self, tournament: Tournament) -> tuple[Duty, ...]:
        """The roles in a tournament; nobody's for the system, which needs none."""
        if tournament.pk not in self._duties:
            mine = () if self.user is None else _MEMBERSHIPS(tournament.pk, self.user.pk)
            self._duties[tournament.pk] = duties(mine)
        return self._duties[tournament.pk]

    @property
    def code(self) -> str:
        """How the log's chain names who writes: by no name that anybody bears."""
        return self.name if self.user is None else f"{ACCOUNT}{self.user.pk}"

    @classmethod
    def of(cls, user: Any) -> Actor:
        """The actor behind a request's user; an anonymous one may read only."""
        if not getattr(user, "is_authenticated", False):
            return cls(None, "visitor")
        return cls(user, name_of(user))

    @classmethod
    def system(cls, name: str) -> Actor:
        """A command that acts for nobody in particular, named in the log: a code word, never somebody's name."""
        return cls(None, name, is_system=True)


class Audience(Enum):
    """For whom something is read. The public is not told how play went in a session whose results are hidden.

    Everything that reads results takes one, so that nobody who shows them can forget to say for whom.
    """

    PUBLIC = "public"
    STAFF = "staff"


def audience_of(actor: Actor, tournament: Tournament) -> Audience:
    """Staff are those whose role lets them see all; a card on a table is in the hands of the players."""
    return Audience.STAFF if may(actor, tournament, Right.SEE) else Audience.PUBLIC


def memberships(actor: Actor, tournament: Tournament) -> QuerySet[Membership]:
    if actor.user is None:
        return Membership.objects.none()
    return Membership.objects.filter(tournament=tournament, user=actor.user)


def can_create(actor: Actor) -> bool:
    """Tournaments are made by accounts the first organiser has marked as staff."""
    return actor.is_system or (actor.user is not None and actor.user.is_staff)


def can_keep_backups(actor: Actor) -> bool:
    """A backup holds everybody's data, their passwords' hashes too: for whoever set Hule up, and no organiser else."""
    return actor.is_system or (actor.user is not None and actor.user.is_superuser)


def rights_in(actor: Actor, tournament: Tournament) -> frozenset[Right]:
    """All that the actor may do somewhere in the tournament. Where nobody owns it, its organisers do."""
    if actor.is_system:
        return frozenset(Right)
    found = frozenset[Right]().union(*(duty.rights for duty in actor.duties(tournament)))
    if Right.ORGANISE in found and Right.OWN not in found and not is_owned(tournament):
        return found | {Right.OWN}
    return found


def is_owned(tournament: Tournament) -> bool:
    return Membership.objects.filter(tournament=tournament, role=Role.OWNER, user__is_active=True).exists()


def may(actor: Actor, tournament: Tournament, right: Right) -> bool:
    """Whether one of the actor's roles brings the right, wherever in the tournament."""
    if right is Right.OWN:
        return right in rights_in(actor, tournament)
    return actor.is_system or any(right in duty.rights for duty in actor.duties(tournament))


def may_at(actor: Actor, table: Table, right: Right) -> bool:
    """Likewise, with a role that reaches this table."""
    return actor.is_system or any(
        right in duty.rights and duty.covers(table) for duty in actor.duties(table.session.tournament)
    )


def can_organise(actor: Actor, tournament: Tournament) -> bool:
    return may(actor, tournament, Right.ORGANISE)


def can_umpire(actor: Actor, table: Table) -> bool:
    """Who enters what happens there: everybody whose role is to, and whoever holds the table's card."""
    return may_at(actor, table, Right.ENTER)


def can_judge(actor: Actor, table: Table) -> bool:
    """An umpire of this table in person, or an organiser: not who only enters, nor who holds the card on it."""
    return may_at(actor, table, Right.JUDGE)


def can_rule(actor: Actor, table: Table) -> bool:
    """Whose ruling an appeal from this table waits for: the chief umpire's; who judges there, where none is named."""
    return may_at(actor, table, Right.RULE) or (
        can_judge(actor, table) and not has_chief(table.session.tournament)
    )


def has_chief(tournament: Tournament) -> bool:
    return Membership.objects.filter(tournament=tournament, role=Role.CHIEF, user__is_active=True).exists()


def can_give(actor: Actor, tournament: Tournament, role: str) -> bool:
    """Whether the actor may give somebody this role: never with it a right that is not the actor's own."""
    mine, given = rights_in(actor, tournament), Role(role)
    return right_to_give(given) in mine and RIGHTS[given] <= mine


def can_run_clock(actor: Actor, tournament: Tournament) -> bool:
    """Who stops the clock for the whole hall: who judges in all of it."""
    return actor.is_system or any(
        Right.JUDGE in duty.rights and duty.is_everywhere for duty in actor.duties(tournament)
    )


def require(actor: Actor, tournament: Tournament, right: Right) -> None:
    if not may(actor, tournament, right):
        raise Forbidden(f"this asks for the right to {right.value} in {tournament}")


def has_role(actor: Actor, tournament: Tournament) -> bool:
    return actor.is_system or bool(actor.duties(tournament))


def can_see(actor: Actor, tournament: Tournament) -> bool:
    return tournament.is_public or has_role(actor, tournament)


def can_see_penalties(actor: Actor, tournament: Tournament) -> bool:
    return tournament.penalties_public or audience_of(actor, tournament) is Audience.STAFF


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Public tournaments and those the actor has a role in."""
    if actor.is_system:
        return Tournament.objects.all()
    mine = memberships_of(actor).values("tournament")
    return Tournament.objects.filter(Q(is_public=True) | Q(pk__in=mine))


def memberships_of(actor: Actor) -> QuerySet[Membership]:
    return Membership.objects.none() if actor.user is None else Membership.objects.filter(user=actor.user)


def require_creator(actor: Actor) -> None:
    if not can_create(actor):
        raise Forbidden("only an organiser may make a tournament")


def require_keeper(actor: Actor) -> None:
    if not can_keep_backups(actor):
        raise Forbidden("only whoever set Hule up may do this")


def require_organiser(actor: Actor, tournament: Tournament) -> None:
    if not can_organise(actor, tournament):
        raise Forbidden(f"only an organiser of {tournament} may do this")


def require_to_give(actor: Actor, tournament: Tournament, role: Role) -> None:
    if not can_give(actor, tournament, role):
        raise Forbidden(f"this asks for the right to make somebody {role.value} of {tournament}")


def require_umpire(actor: Actor, table: Table) -> None:
    if not can_umpire(actor, table):
        raise Forbidden(f"only an umpire of {table} may do this")


def require_clock(actor: Actor, tournament: Tournament) -> None:
    if not can_run_clock(actor, tournament):
        raise Forbidden(f"only an organiser or an umpire of all of {tournament} may do this")


def require_ruling(actor: Actor, table: Table) -> None:
    if not can_rule(actor, table):
        raise Forbidden(f"an appeal from {table} is ruled by the chief umpire")


def require_judge(actor: Actor, table: Table) -> None:
    if not can_judge(actor, table):
        raise Forbidden(f"only an umpire in person may do this at {table}")
