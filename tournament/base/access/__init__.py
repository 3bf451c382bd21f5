"""Who may do what. Services ask here, so that pages, API and commands cannot differ."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from django.db.models import Q, QuerySet

from tournament.base.access.actors import Actor as Actor
from tournament.base.access.grants import grant_of as grant_of
from tournament.base.access.rights import RIGHTS, right_to_give
from tournament.base.access.rights import Right as Right
from tournament.base.errors import Forbidden, TokenFallsShort
from tournament.base.models.log_entry import name_of as name_of
from tournament.base.models.play import Table
from tournament.base.models.tournament import Membership, Role, Tournament


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
    found = frozenset[Right]().union(*(duty.rights for duty in actor.duties(tournament)))
    if Right.ORGANISE in found and Right.OWN not in found and not is_owned(tournament):
        return found | ({Right.OWN} & actor.at_most)
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


def tournaments_of(actor: Actor) -> QuerySet[Tournament]:
    """Those in which the actor has a role in person."""
    mine = memberships_of(actor).filter(table_number=None)
    return Tournament.objects.filter(pk__in=mine.values("tournament"))


def require_that(actor: Actor, allowed: Callable[[Actor], bool], said: str) -> None:
    """Raises Forbidden, which says so where it is the token's doing alone."""
    if not allowed(actor):
        short = actor.grant is not None and allowed(actor.in_person())
        raise (TokenFallsShort if short else Forbidden)(said)


def require(actor: Actor, tournament: Tournament, right: Right) -> None:
    said = f"this asks for the right to {right.value} in {tournament}"
    require_that(actor, lambda one: may(one, tournament, right), said)


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
    if actor.user is None:
        return Membership.objects.none()
    mine = Membership.objects.filter(user=actor.user)
    if actor.grant is None or actor.grant.tournaments is None:
        return mine
    return mine.filter(tournament__in=actor.grant.tournaments)


def require_creator(actor: Actor) -> None:
    require_that(actor, can_create, "only an organiser may make a tournament")


def require_keeper(actor: Actor) -> None:
    require_that(actor, can_keep_backups, "only whoever set Hule up may do this")


def require_organiser(actor: Actor, tournament: Tournament) -> None:
    said = f"only an organiser of {tournament} may do this"
    require_that(actor, lambda one: can_organise(one, tournament), said)


def require_to_give(actor: Actor, tournament: Tournament, role: Role) -> None:
    said = f"this asks for the right to make somebody {role.value} of {tournament}"
    require_that(actor, lambda one: can_give(one, tournament, role), said)


def require_umpire(actor: Actor, table: Table) -> None:
    require_that(actor, lambda one: can_umpire(one, table), f"only an umpire of {table} may do this")


def require_clock(actor: Actor, tournament: Tournament) -> None:
    said = f"only an organiser or an umpire of all of {tournament} may do this"
    require_that(actor, lambda one: can_run_clock(one, tournament), said)


def require_ruling(actor: Actor, table: Table) -> None:
    said = f"an appeal from {table} is ruled by the chief umpire"
    require_that(actor, lambda one: can_rule(one, table), said)


def require_judge(actor: Actor, table: Table) -> None:
    said = f"only an umpire in person may do this at {table}"
    require_that(actor, lambda one: can_judge(one, table), said)
