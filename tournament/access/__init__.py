"""Who may do what. Services ask here, so that pages, API and commands cannot differ."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from django.db.models import Q, QuerySet

from tournament.access.duties import Duty, duties
from tournament.errors import Forbidden
from tournament.models import Membership, Table, Tournament
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

    @classmethod
    def of(cls, user: Any) -> Actor:
        """The actor behind a request's user; an anonymous one may read only."""
        if not getattr(user, "is_authenticated", False):
            return cls(None, "visitor")
        return cls(user, name_of(user))

    @classmethod
    def system(cls, name: str) -> Actor:
        """A command that acts for nobody in particular, named in the log."""
        return cls(None, name, is_system=True)


def name_of(user: Any) -> str:
    """What an account is called; nothing for none."""
    return "" if user is None else user.get_full_name() or user.get_username()


class Audience(Enum):
    """For whom something is read. The public is not told how play went in a session whose results are hidden.

    Everything that reads results takes one, so that nobody who shows them can forget to say for whom.
    """

    PUBLIC = "public"
    STAFF = "staff"


def audience_of(actor: Actor, tournament: Tournament) -> Audience:
    """Staff are those with a role in person; a card on a table is in the hands of the players."""
    return Audience.STAFF if actor.is_system or _is_here_in_person(actor, tournament) else Audience.PUBLIC


def _is_here_in_person(actor: Actor, tournament: Tournament) -> bool:
    return any(duty.is_in_person for duty in actor.duties(tournament))


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


def can_organise(actor: Actor, tournament: Tournament) -> bool:
    return actor.is_system or any(duty.organises for duty in actor.duties(tournament))


def can_umpire(actor: Actor, table: Table) -> bool:
    """An organiser, an umpire of the whole tournament, or an umpire of this session, table or table number."""
    return actor.is_system or any(duty.covers(table) for duty in actor.duties(table.session.tournament))


def can_judge(actor: Actor, table: Table) -> bool:
    """An umpire of this table in person, or an organiser: not whoever holds the card that lies on it."""
    return can_umpire(actor, table) and (
        actor.is_system or _is_here_in_person(actor, table.session.tournament)
    )


def can_run_clock(actor: Actor, tournament: Tournament) -> bool:
    """Who stops the clock for the whole hall: an organiser, or an umpire of all of it."""
    return actor.is_system or any(
        duty.is_everywhere and duty.is_in_person for duty in actor.duties(tournament)
    )


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


def require_umpire(actor: Actor, table: Table) -> None:
    if not can_umpire(actor, table):
        raise Forbidden(f"only an umpire of {table} may do this")


def require_clock(actor: Actor, tournament: Tournament) -> None:
    if not can_run_clock(actor, tournament):
        raise Forbidden(f"only an organiser or an umpire of all of {tournament} may do this")


def require_judge(actor: Actor, table: Table) -> None:
    if not can_judge(actor, table):
        raise Forbidden(f"only an umpire in person may do this at {table}")
