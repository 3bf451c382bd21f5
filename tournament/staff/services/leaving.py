"""What stands before a role ends: a tournament does not lose the last one who may run it."""

from __future__ import annotations

from tournament.base.access.rights import GIVEN_BY_OWNERS
from tournament.base.errors import refuse
from tournament.base.models.tournament import Membership, Role


def check_somebody_is_left(membership: Membership, becomes: Role | None = None) -> None:
    """Refuses where nobody else owns it, or, of one without an owner, organises it."""
    others = Membership.objects.filter(tournament=membership.tournament, user__is_active=True)
    others = others.exclude(pk=membership.pk)
    if membership.role == Role.OWNER and not others.filter(role=Role.OWNER).exists():
        raise refuse("last_owner", "role")
    if (
        membership.role == Role.ORGANISER
        and becomes not in GIVEN_BY_OWNERS
        and not others.filter(role__in=GIVEN_BY_OWNERS).exists()
    ):
        raise refuse("last_organiser", "role")
