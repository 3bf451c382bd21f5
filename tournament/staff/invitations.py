"""What the link of an invitation opens: looked up at each request, so that one taken back opens nothing any more."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from django.utils import timezone
from django.utils.translation import override

from tournament.base.access import Actor, can_give
from tournament.base.models.tournament import Role
from tournament.staff.models import Invitation
from tournament.staff.passes import token_hash


@dataclass(frozen=True)
class Offer:
    """What somebody is invited to: a role, for the sessions and tables of these numbers or everywhere."""

    role: Role
    expires_at: datetime
    sessions: Collection[int] = ()
    tables: Collection[int] = ()


@dataclass(frozen=True)
class Letter:
    """Whom an invitation is sent to. `link`: the address for a token."""

    to: str
    language: str
    link: Callable[[str], str]

    def facts(self, invitation: Invitation, name: str, token: str) -> dict[str, str]:
        """What its text has placeholders for; `name`: of who invites."""
        with override(self.language):
            role = str(invitation.get_role_display())
        return {
            "name": name,
            "tournament": invitation.tournament.name,
            "role": role,
            "link": self.link(token),
        }


@dataclass(frozen=True)
class NewInvitation:
    """An invitation and its token, which is known only now."""

    invitation: Invitation
    token: str


class Standing(Enum):
    """How an invitation stands to whoever opens its link."""

    OPEN = "open"
    UNKNOWN = "unknown"
    USED_BY_YOU = "used_by_you"
    USED = "used"
    REVOKED = "revoked"
    EXPIRED = "expired"
    FOR_SOMEBODY_ELSE = "for_somebody_else"


def find_invitation(token: str) -> Invitation | None:
    found = Invitation.objects.select_related("tournament", "made_by")
    return found.filter(token_hash=token_hash(token)).first()


def standing_of(invitation: Invitation | None, user: Any) -> Standing:
    """`user`: who is signed in, or None."""
    if invitation is None:
        return Standing.UNKNOWN
    if invitation.used_at is not None:
        return Standing.USED_BY_YOU if user and invitation.used_by == user else Standing.USED
    if invitation.revoked_at is not None or not _inviter_still_may(invitation):
        return Standing.REVOKED
    if invitation.expires_at <= timezone.now():
        return Standing.EXPIRED
    if user and invitation.email and user.email and user.email.casefold() != invitation.email.casefold():
        return Standing.FOR_SOMEBODY_ELSE
    return Standing.OPEN


def _inviter_still_may(invitation: Invitation) -> bool:
    """Nobody comes in by the invitation of somebody who could not give the role any more."""
    made_by = invitation.made_by
    return made_by is None or can_give(Actor.of(made_by), invitation.tournament, invitation.role)
