"""Who rules on an appeal: who may sit on its committee, and who may not rule at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final

from django.contrib.auth.models import User

from scoring.engine.problems import Problem
from tournament import access
from tournament.access import Actor, Right, name_of
from tournament.access.rights import roles_with
from tournament.models import Appeal, Membership, Role, Tournament
from tournament.selectors.appeals import took_the_decision

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


def is_concerned(user: Any, appeal: Appeal) -> bool:
    """Whether an account took the decision, or plays at that table: such a one rules on nothing there."""
    return took_the_decision(Actor.of(user), appeal) or plays_at(user, appeal)


def plays_at(user: Any, appeal: Appeal) -> bool:
    seated = appeal.table.seats.values("player")
    tournament = appeal.table.session.tournament_id
    return Membership.objects.filter(tournament=tournament, user=user, player__in=seated).exists()


def eligible(appeal: Appeal) -> list[User]:
    """Who may be on the committee of this one."""
    found = candidates(appeal.table.session.tournament)
    return [user for user in found if not is_concerned(user, appeal)]


def committee_problems(appeal: Appeal, members: Collection[Any]) -> list[Problem]:
    """Everything that is wrong with these as a committee."""
    tournament = appeal.table.session.tournament
    known = candidates(tournament)
    found = [Problem("committee_of_three", "members", {"size": SIZE})] if len(set(members)) != SIZE else []
    found += _about_each("committee_stranger", (one for one in members if one not in known))
    found += _about_each("committee_concerned", (one for one in members if is_concerned(one, appeal)))
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
