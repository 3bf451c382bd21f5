"""Permissions: who may do what. Services check them here, so that pages, API and commands cannot differ.

`RIGHTS` lists the rights of each role; docs/organisers/team.md is tested against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Final

from django.contrib.auth import get_user
from django.db.models import Q, QuerySet

from config.front.asgi import request_from_cookies
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, InsufficientTokenScope
from tournament.base.models.log import ACCOUNT, name_of
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.base.sql import list_memberships

# --- Roles and rights ---


class Right(Enum):
    """A permission in one tournament. Each covers several pages."""

    OWN = "own"
    """Delete the event, transfer it, name its organisers. Without an owner its organisers have this right."""
    ORGANISE = "organise"
    """Players, seats, rules, publishing: everything that no other right names."""
    RULE = "rule"
    """Decide appeals, change sheets of a closed session, open hidden results, assign umpires."""
    JUDGE = "judge"
    """Correct hands and give penalties, as an umpire in person."""
    ENTER = "enter"
    """Enter hands and incidents, without deciding anything."""
    ADMIT = "admit"
    """Registrations and check-in."""
    CASH = "cash"
    """Fees and payments."""
    SHOW = "show"
    """Screens of the hall, and announcements on them."""
    READ = "read"
    """Read the organisers' pages."""
    SEE = "see"
    """See the results of hidden sessions too."""


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
SCOPED_ROLES: Final = frozenset({Role.UMPIRE, Role.SCORER})
"""Roles that may be limited to sessions and tables; all others are for the whole tournament."""
OWNER_ASSIGNED_ROLES: Final = frozenset({Role.OWNER, Role.ORGANISER})


def roles_with(right: Right) -> list[Role]:
    return [role for role, rights in RIGHTS.items() if right in rights]


def right_to_assign(role: Role) -> Right:
    """Return the right needed to give somebody a role, or to take it away."""
    return Right.OWN if role in OWNER_ASSIGNED_ROLES else Right.ORGANISE


# --- How far a role reaches ---


@dataclass(frozen=True)
class Duty:
    """One role of an actor, and where it applies. `sessions` and `tables` are keys, `numbers` table numbers.

    Read once per actor, that is once per request or command.
    """

    membership: Membership
    sessions: frozenset[int] = frozenset()
    tables: frozenset[int] = frozenset()
    numbers: frozenset[int] = frozenset()
    rights_limit: frozenset[Right] = frozenset(Right)
    """The role's rights are limited to these: a token may pass on fewer."""

    @property
    def role(self) -> Role:
        return Role(self.membership.role)

    @property
    def rights(self) -> frozenset[Right]:
        """The rights of the role; a table's card may enter hands and see what everybody sees."""
        return self.rights_limit & (RIGHTS[self.role] if self.is_in_person else {Right.ENTER})

    @property
    def is_everywhere(self) -> bool:
        return self.role not in SCOPED_ROLES or self.membership.everywhere

    @property
    def is_in_person(self) -> bool:
        """False for the card on a table, which the players hold."""
        return self.membership.table_number is None

    def covers(self, table: Table) -> bool:
        """Return whether the role applies at a table."""
        return (
            self.is_everywhere
            or table.session_id in self.sessions
            or table.pk in self.tables
            or table.number == self.membership.table_number
            or (self.membership.every_session and table.number in self.numbers)
        )


def duties(
    memberships: Iterable[Membership], rights_limit: frozenset[Right] = frozenset(Right)
) -> tuple[Duty, ...]:
    """Read the roles with their sessions and tables: one query more, or three for a limited role."""
    return tuple(_duty(membership, rights_limit) for membership in memberships)


def _duty(membership: Membership, rights_limit: frozenset[Right]) -> Duty:
    if membership.role not in SCOPED_ROLES or membership.everywhere or membership.table_number is not None:
        return Duty(membership, rights_limit=rights_limit)
    tables = list(membership.tables.order_by().values_list("pk", "number"))
    return Duty(
        membership,
        sessions=frozenset(membership.sessions.order_by().values_list("pk", flat=True)),
        tables=frozenset(pk for pk, _ in tables),
        numbers=frozenset(number for _, number in tables),
        rights_limit=rights_limit,
    )


# --- Tokens ---


@dataclass(frozen=True)
class Grant:
    """The rights that a token passes on. `tournaments`: keys, or None for all.

    They never exceed those of the token's account.
    """

    rights: frozenset[Right]
    tournaments: frozenset[int] | None = None

    def reaches(self, tournament: Tournament) -> bool:
        return self.tournaments is None or tournament.pk in self.tournaments


def token_grant(token: ApiToken | None) -> Grant | None:
    """Return what a token passes on; None for no token and for one without limits."""
    if token is None or (token.scope == ApiToken.ALL and token.everywhere):
        return None
    rights = frozenset(Right) if token.scope == ApiToken.ALL else RIGHTS[Role(token.scope)]
    if token.everywhere:
        return Grant(rights)
    return Grant(rights, frozenset(token.tournaments.order_by().values_list("pk", flat=True)))


# --- Who acts ---


@dataclass(frozen=True)
class Actor:
    """Who writes: a signed-in person, a visitor (`user` None), or the system (a command)."""

    user: Any
    name: str
    is_system: bool = False
    grant: Grant | None = None
    """The limits of the token in use; None without limits."""
    _duties: dict[int, tuple[Duty, ...]] = field(default_factory=dict, compare=False, repr=False)
    """Cache, by the tournament's key."""
    _rights: dict[int, frozenset[Right]] = field(default_factory=dict, compare=False, repr=False)

    def duties(self, tournament: Tournament) -> tuple[Duty, ...]:
        """Return the actor's roles in a tournament; none for the system, which needs none."""
        if tournament.pk not in self._duties:
            rows = () if self.user is None else list_memberships(tournament, self.user)
            self._duties[tournament.pk] = duties(rows if self.reaches(tournament) else (), self.rights_limit)
        return self._duties[tournament.pk]

    def reaches(self, tournament: Tournament) -> bool:
        return self.grant is None or self.grant.reaches(tournament)

    @property
    def rights_limit(self) -> frozenset[Right]:
        return frozenset(Right) if self.grant is None else self.grant.rights

    def in_person(self) -> Actor:
        """Return the same account without its token."""
        return replace(self, grant=None, _duties={}, _rights={})

    @property
    def code(self) -> str:
        """The actor's name in the log's hash chain: it contains no personal data."""
        return self.name if self.user is None else f"{ACCOUNT}{self.user.pk}"

    @classmethod
    def of(cls, user: Any, grant: Grant | None = None) -> Actor:
        """Return the actor of a request's user; an anonymous user is a visitor."""
        if not getattr(user, "is_authenticated", False):
            return cls(None, "visitor")
        return cls(user, name_of(user), grant=grant)

    @classmethod
    def system(cls, name: str) -> Actor:
        """Return the actor of a command; `name` is a code word for the log."""
        return cls(None, name, is_system=True)


def audience_of(actor: Actor, tournament: Tournament) -> Audience:
    """Return STAFF for actors who may see hidden results, PUBLIC for all others, table cards included."""
    return Audience.STAFF if may(actor, tournament, Right.SEE) else Audience.PUBLIC


def memberships(actor: Actor, tournament: Tournament) -> QuerySet[Membership]:
    return memberships_of(actor).filter(tournament=tournament)


def memberships_of(actor: Actor) -> QuerySet[Membership]:
    if actor.user is None:
        return Membership.objects.none()
    own = Membership.objects.filter(user=actor.user)
    if actor.grant is None or actor.grant.tournaments is None:
        return own
    return own.filter(tournament__in=actor.grant.tournaments)


def tournaments_of(actor: Actor) -> QuerySet[Tournament]:
    """List the tournaments in which the actor has a role in person."""
    own = memberships_of(actor).filter(table_number=None)
    return Tournament.objects.filter(pk__in=own.values("tournament"))


def organised_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """List the tournaments that the actor organises."""
    own = memberships_of(actor).filter(role__in=roles_with(Right.ORGANISE))
    return Tournament.objects.filter(pk__in=own.values("tournament"))


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """List public tournaments and those in which the actor has a role."""
    if actor.is_system:
        return Tournament.objects.all()
    own = memberships_of(actor).values("tournament")
    return Tournament.objects.filter(Q(is_public=True) | Q(pk__in=own))


def has_account(actor: Actor) -> bool:
    """Return whether the actor has an account, without a token that limits it.

    Required for everything that belongs to no single tournament.
    """
    return actor.user is not None and actor.grant is None


def can_create(actor: Actor) -> bool:
    """Return whether the actor may create tournaments: accounts marked as staff."""
    return actor.is_system or (has_account(actor) and actor.user.is_staff)


def can_manage_backups(actor: Actor) -> bool:
    """Return whether the actor may manage backups, which hold everybody's data: superusers."""
    return actor.is_system or (has_account(actor) and actor.user.is_superuser)


def can_manage_people(actor: Actor) -> bool:
    """Return whether there may be people whom the actor may merge and hide: organisers of any tournament."""
    return can_manage_backups(actor) or (has_account(actor) and organised_tournaments(actor).exists())


def rights_in(actor: Actor, tournament: Tournament) -> frozenset[Right]:
    """Return every right that the actor has somewhere in the tournament. Without an owner, organisers own it."""
    if actor.is_system:
        return frozenset(Right)
    if tournament.pk not in actor._rights:
        rights = frozenset[Right]().union(*(duty.rights for duty in actor.duties(tournament)))
        if Right.ORGANISE in rights and Right.OWN not in rights and not is_owned(tournament):
            rights |= {Right.OWN} & actor.rights_limit
        actor._rights[tournament.pk] = rights
    return actor._rights[tournament.pk]


def is_owned(tournament: Tournament) -> bool:
    return Membership.objects.filter(tournament=tournament, role=Role.OWNER, user__is_active=True).exists()


def may(actor: Actor, tournament: Tournament, right: Right) -> bool:
    """Return whether one of the actor's roles has the right, anywhere in the tournament."""
    if right is Right.OWN:
        return right in rights_in(actor, tournament)
    return actor.is_system or any(right in duty.rights for duty in actor.duties(tournament))


def may_at(actor: Actor, table: Table, right: Right) -> bool:
    """Return whether one of the actor's roles has the right at this table."""
    return actor.is_system or any(
        right in duty.rights and duty.covers(table) for duty in actor.duties(table.session.tournament)
    )


def can_organise(actor: Actor, tournament: Tournament) -> bool:
    return may(actor, tournament, Right.ORGANISE)


def can_umpire(actor: Actor, table: Table) -> bool:
    """Return whether the actor may enter hands at the table: its umpires, scorers, and the holder of its card."""
    return may_at(actor, table, Right.ENTER)


def can_judge(actor: Actor, table: Table) -> bool:
    """Return whether the actor may correct and penalise at the table: umpires in person and organisers."""
    return may_at(actor, table, Right.JUDGE)


def can_rule(actor: Actor, table: Table) -> bool:
    """Return whether the actor may rule on appeals from the table: chief umpires, or judges if there is no chief."""
    return may_at(actor, table, Right.RULE) or (
        can_judge(actor, table) and not has_chief(table.session.tournament)
    )


def has_chief(tournament: Tournament) -> bool:
    return Membership.objects.filter(tournament=tournament, role=Role.CHIEF, user__is_active=True).exists()


def can_assign_role(actor: Actor, tournament: Tournament, role: str) -> bool:
    """Return whether the actor may give somebody this role: only one whose rights the actor has."""
    own = rights_in(actor, tournament)
    return right_to_assign(Role(role)) in own and RIGHTS[Role(role)] <= own


def can_run_clock(actor: Actor, tournament: Tournament) -> bool:
    """Return whether the actor may stop the hall's clock: who judges at all tables."""
    return actor.is_system or any(
        Right.JUDGE in duty.rights and duty.is_everywhere for duty in actor.duties(tournament)
    )


def has_role(actor: Actor, tournament: Tournament) -> bool:
    return actor.is_system or bool(actor.duties(tournament))


def can_see(actor: Actor, tournament: Tournament) -> bool:
    return tournament.is_public or has_role(actor, tournament)


def can_see_penalties(actor: Actor, tournament: Tournament) -> bool:
    return tournament.penalties_public or audience_of(actor, tournament) is Audience.STAFF


def require_that(actor: Actor, allowed: Callable[[Actor], bool], reason: str) -> None:
    """Raise Forbidden unless the actor is allowed; InsufficientTokenScope if only the token's limits forbid it."""
    if not allowed(actor):
        is_token_at_fault = actor.grant is not None and allowed(actor.in_person())
        raise (InsufficientTokenScope if is_token_at_fault else Forbidden)(reason)


def require(actor: Actor, tournament: Tournament, right: Right) -> None:
    reason = f"this asks for the right to {right.value} in {tournament}"
    require_that(actor, lambda who: may(who, tournament, right), reason)


def require_at(actor: Actor, table: Table, right: Right) -> None:
    reason = f"this asks for the right to {right.value} at {table}"
    require_that(actor, lambda who: may_at(who, table, right), reason)


def require_creator(actor: Actor) -> None:
    require_that(actor, can_create, "only an organiser may make a tournament")


def require_people_manager(actor: Actor) -> None:
    require_that(actor, can_manage_people, "only an organiser may merge and hide people")


def require_backup_manager(actor: Actor) -> None:
    require_that(actor, can_manage_backups, "only whoever set Hule up may do this")


def require_role_assignment(actor: Actor, tournament: Tournament, role: Role) -> None:
    reason = f"this asks for the right to make somebody {role.value} of {tournament}"
    require_that(actor, lambda who: can_assign_role(who, tournament, role), reason)


def require_clock(actor: Actor, tournament: Tournament) -> None:
    reason = f"only an organiser or an umpire of all of {tournament} may do this"
    require_that(actor, lambda who: can_run_clock(who, tournament), reason)


# --- Before Django ---


def actor_from_cookies(cookies: str) -> Actor:
    return Actor.of(get_user(request_from_cookies(cookies)))
