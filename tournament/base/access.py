"""Who may do what. Services ask here, so that pages, API and commands cannot differ.

RIGHTS is the one table of what each role may; services, pages and docs/roles.md are checked against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib import import_module
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from tournament.base.database import Prepared
from tournament.base.errors import Forbidden, TokenFallsShort
from tournament.base.models.log import ACCOUNT, name_of
from tournament.base.models.people import ApiToken
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament

# --- Roles and rights ---


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


# --- How far a role reaches ---


@dataclass(frozen=True)
class Duty:
    """One role and how far it reaches. `sessions`, `tables`: by key; `numbers`: those of the tables.

    Read once for as long as somebody acts: a request, a command.
    """

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
    """Read the roles, in one query more, or three where a reach is limited by sessions and tables."""
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


# --- Tokens ---


@dataclass(frozen=True)
class Grant:
    """The rights that a program's token passes on, and where. `tournaments`: by key; None: in all.

    That is as much as somebody in a role may, and never more than its account may.
    """

    rights: frozenset[Right]
    tournaments: frozenset[int] | None = None

    def reaches(self, tournament: Tournament) -> bool:
        return self.tournaments is None or tournament.pk in self.tournaments


def grant_of(token: ApiToken | None) -> Grant | None:
    """Read what a token passes on; None for a person in person, and for a token that is as good as one."""
    if token is None or (token.scope == ApiToken.ALL and token.everywhere):
        return None
    rights = frozenset(Right) if token.scope == ApiToken.ALL else RIGHTS[Role(token.scope)]
    if token.everywhere:
        return Grant(rights)
    return Grant(rights, frozenset(token.tournaments.order_by().values_list("pk", flat=True)))


# --- Who acts ---


_MEMBERSHIPS = Prepared(
    lambda tournament, user: Membership.objects.filter(tournament=tournament, user=user), int, int
)


@dataclass(frozen=True)
class Actor:
    """Who writes: a signed-in person, a visitor (`user` None), or the system itself (a command)."""

    user: Any
    name: str
    is_system: bool = False
    grant: Grant | None = None
    """What the token by which they are there passes on; None where nothing is held back."""
    _duties: dict[int, tuple[Duty, ...]] = field(default_factory=dict, compare=False, repr=False)
    """By the tournament's key: read once, so that a request that asks five times reads them once."""
    _rights: dict[int, frozenset[Right]] = field(default_factory=dict, compare=False, repr=False)

    def duties(self, tournament: Tournament) -> tuple[Duty, ...]:
        """The roles in a tournament; nobody's for the system, which needs none."""
        if tournament.pk not in self._duties:
            rows = () if self.user is None else _MEMBERSHIPS(tournament.pk, self.user.pk)
            self._duties[tournament.pk] = duties(rows if self.reaches(tournament) else (), self.at_most)
        return self._duties[tournament.pk]

    def reaches(self, tournament: Tournament) -> bool:
        return self.grant is None or self.grant.reaches(tournament)

    @property
    def at_most(self) -> frozenset[Right]:
        return frozenset(Right) if self.grant is None else self.grant.rights

    def in_person(self) -> Actor:
        """The same account, without the token."""
        return replace(self, grant=None, _duties={}, _rights={})

    @property
    def code(self) -> str:
        """How the log's chain names who writes: by no name that anybody bears."""
        return self.name if self.user is None else f"{ACCOUNT}{self.user.pk}"

    @classmethod
    def of(cls, user: Any, grant: Grant | None = None) -> Actor:
        """The actor behind a request's user; an anonymous one may read only."""
        if not getattr(user, "is_authenticated", False):
            return cls(None, "visitor")
        return cls(user, name_of(user), grant=grant)

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
    return memberships_of(actor).filter(tournament=tournament)


def memberships_of(actor: Actor) -> QuerySet[Membership]:
    if actor.user is None:
        return Membership.objects.none()
    own = Membership.objects.filter(user=actor.user)
    if actor.grant is None or actor.grant.tournaments is None:
        return own
    return own.filter(tournament__in=actor.grant.tournaments)


def tournaments_of(actor: Actor) -> QuerySet[Tournament]:
    """Those in which the actor has a role in person."""
    own = memberships_of(actor).filter(table_number=None)
    return Tournament.objects.filter(pk__in=own.values("tournament"))


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Public tournaments and those the actor has a role in."""
    if actor.is_system:
        return Tournament.objects.all()
    own = memberships_of(actor).values("tournament")
    return Tournament.objects.filter(Q(is_public=True) | Q(pk__in=own))


def is_somebody(actor: Actor) -> bool:
    """Whether an account is there, in person or by a token for everything: what is beyond any one tournament is for
    no other."""
    return actor.user is not None and actor.grant is None


def can_create(actor: Actor) -> bool:
    """Tournaments are made by accounts the first organiser has marked as staff."""
    return actor.is_system or (is_somebody(actor) and actor.user.is_staff)


def can_keep_backups(actor: Actor) -> bool:
    """A backup holds everybody's data, their passwords' hashes too: for whoever set Hule up, and no organiser else."""
    return actor.is_system or (is_somebody(actor) and actor.user.is_superuser)


def rights_in(actor: Actor, tournament: Tournament) -> frozenset[Right]:
    """All that the actor may do somewhere in the tournament. Where nobody owns it, its organisers do."""
    if actor.is_system:
        return frozenset(Right)
    if tournament.pk not in actor._rights:
        rights = frozenset[Right]().union(*(duty.rights for duty in actor.duties(tournament)))
        if Right.ORGANISE in rights and Right.OWN not in rights and not is_owned(tournament):
            rights |= {Right.OWN} & actor.at_most
        actor._rights[tournament.pk] = rights
    return actor._rights[tournament.pk]


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
    own, given = rights_in(actor, tournament), Role(role)
    return right_to_give(given) in own and RIGHTS[given] <= own


def can_run_clock(actor: Actor, tournament: Tournament) -> bool:
    """Who stops the clock for the whole hall: who judges in all of it."""
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
    """Raise Forbidden unless it is allowed; TokenFallsShort where that is the token's doing alone."""
    if not allowed(actor):
        short = actor.grant is not None and allowed(actor.in_person())
        raise (TokenFallsShort if short else Forbidden)(reason)


def require(actor: Actor, tournament: Tournament, right: Right) -> None:
    reason = f"this asks for the right to {right.value} in {tournament}"
    require_that(actor, lambda asker: may(asker, tournament, right), reason)


def require_organiser(actor: Actor, tournament: Tournament) -> None:
    reason = f"only an organiser of {tournament} may do this"
    require_that(actor, lambda asker: can_organise(asker, tournament), reason)


def require_creator(actor: Actor) -> None:
    require_that(actor, can_create, "only an organiser may make a tournament")


def require_keeper(actor: Actor) -> None:
    require_that(actor, can_keep_backups, "only whoever set Hule up may do this")


def require_to_give(actor: Actor, tournament: Tournament, role: Role) -> None:
    reason = f"this asks for the right to make somebody {role.value} of {tournament}"
    require_that(actor, lambda asker: can_give(asker, tournament, role), reason)


def require_umpire(actor: Actor, table: Table) -> None:
    require_that(actor, lambda asker: can_umpire(asker, table), f"only an umpire of {table} may do this")


def require_judge(actor: Actor, table: Table) -> None:
    reason = f"only an umpire in person may do this at {table}"
    require_that(actor, lambda asker: can_judge(asker, table), reason)


def require_clock(actor: Actor, tournament: Tournament) -> None:
    reason = f"only an organiser or an umpire of all of {tournament} may do this"
    require_that(actor, lambda asker: can_run_clock(asker, tournament), reason)


# --- Before Django ---


def visit_with(cookies: str) -> HttpRequest:
    """Make a request of whoever holds these cookies, with their session.

    For what is answered before Django: it is found as Django's own middleware finds it.
    """
    request = HttpRequest()
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return request


def visitor_with(cookies: str) -> Actor:
    return Actor.of(get_user(visit_with(cookies)))
