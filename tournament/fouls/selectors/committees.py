"""Who rules on an appeal: who may sit on its committee, and who may not rule at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.contrib.auth.models import User

from scoring.engine.problems import Problem
from tournament.base import access
from tournament.base.access import Actor, Right, name_of
from tournament.base.access.rights import roles_with
from tournament.base.models.appeals import Appeal
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.fouls.selectors.appeals import deciders

SIZE: Final = 3
"""The chief umpire and two."""


def candidates(tournament: Tournament) -> list[User]:
    """Who judges or rules at the tournament with an account, the chief umpire first."""
    judging = Membership.objects.filter(
        tournament=tournament, role__in=roles_with(Right.JUDGE), desk_pass=None, table_number=None
    )
    chiefs = {one.user_id for one in judging if one.role == Role.CHIEF}
    found = User.objects.filter(pk__in=judging.values("user"), is_active=True).order_by("username")
    return sorted(found, key=lambda user: user.pk not in chiefs)


def concerned(appeal: Appeal) -> set[int]:
    """The accounts that took the decision, or play at that table: such a one rules on nothing there."""
    playing = Membership.objects.filter(
        tournament=appeal.table.session.tournament_id, player__in=appeal.table.seats.values("player")
    )
    return deciders(appeal) | set(playing.values_list("user", flat=True))


def is_among(actor: Actor, accounts: Collection[int]) -> bool:
    return actor.user is not None and actor.user.pk in accounts


def eligible(appeal: Appeal) -> list[User]:
    """Who may be on the committee of this one."""
    return outside(candidates(appeal.table.session.tournament), concerned(appeal))


def outside(people: Iterable[User], those: Collection[int]) -> list[User]:
    return [user for user in people if user.pk not in those]


def committee_problems(appeal: Appeal, members: Collection[Any]) -> list[Problem]:
    """Everything that is wrong with these as a committee."""
    tournament = appeal.table.session.tournament
    known, out = candidates(tournament), concerned(appeal)
    found = [Problem("committee_of_three", "members", {"size": SIZE})] if len(set(members)) != SIZE else []
    found += _about_each("committee_stranger", (one for one in members if one not in known))
    found += _about_each("committee_concerned", (one for one in members if one.pk in out))
    if members and not any(access.may(Actor.of(one), tournament, Right.RULE) for one in members):
        found.append(Problem("committee_without_chief", "members"))
    return found


def _about_each(code: str, users: Iterable[Any]) -> list[Problem]:
    return [Problem(code, "members", {"name": name_of(user)}) for user in users]


def rules_on(actor: Actor, appeal: Appeal) -> bool:
    """Whether the appeal is for the actor to rule on: as one of its committee, or, without one, as who rules there."""
    committee = list(appeal.committee.all())
    if committee:
        return actor.is_system or (actor.user in committee and _judges_by(actor, appeal))
    return access.can_rule(actor, appeal.table)


def require_ruling_on(actor: Actor, appeal: Appeal) -> None:
    said = f"the appeal from {appeal.table} is for somebody else to rule on"
    access.require_that(actor, lambda one: rules_on(one, appeal), said)


def _judges_by(actor: Actor, appeal: Appeal) -> bool:
    """A member of the committee rules in person, or by a token that judges there."""
    return Right.JUDGE in actor.at_most and actor.reaches(appeal.table.session.tournament)
