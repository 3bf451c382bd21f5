"""Passes and invitations: links and cards that let somebody in.

A pass is a link, or the QR code on a card, that opens the desk. It stands for an account without a password, so that
everything that asks who writes has an answer. Passes and invitations are looked up at each request: one that was taken
back, or has run out, opens nothing from that moment on.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any, Final

from django.contrib.auth import login
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import override

from scoring.engine.problems import ProblemCode, problem_code
from tournament.base.access import Actor, can_give
from tournament.base.errors import Refused
from tournament.base.models.play import Session
from tournament.base.models.tournament import Pass, Tournament
from tournament.base.problems import LINE_FAR_FROM_THE_DAYS
from tournament.staff.models import Invitation

MOST_DAYS: Final = 366
"""So long after the tournament a pass may be good: what is further away is a slip."""

TOKEN_BYTES = 18
"""144 bits, 24 letters in the link: nobody guesses that."""


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What is stored of a token. It is random, so that a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def valid_passes() -> QuerySet[Pass]:
    """List the passes that open something now."""
    return Pass.objects.filter(revoked_at=None, expires_at__gt=timezone.now()).select_related(
        "membership__user", "membership__tournament"
    )


def find_pass(token: str) -> Pass | None:
    """Find the pass of a token, if it still opens something."""
    return valid_passes().filter(token_hash=token_hash(token)).first()


def open_pass(request: HttpRequest, desk_pass: Pass) -> None:
    """Sign this device in as the pass's holder, for as long as the pass is good."""
    login(request, desk_pass.membership.user, backend=f"{__name__}.{PassBackend.__name__}")
    request.session.set_expiry(desk_pass.expires_at)
    Pass.objects.filter(pk=desk_pass.pk).update(opened_at=timezone.now())


class PassBackend(BaseBackend):
    """Django asks here, at each request, who a device signed in by a pass is."""

    def authenticate(self, request: HttpRequest | None, **credentials: Any) -> None:
        """Nobody signs in with a name and a password here."""

    def get_user(self, user_id: int) -> User | None:
        desk_pass = valid_passes().filter(membership__user=user_id).first()
        return desk_pass.membership.user if desk_pass else None


@dataclass(frozen=True)
class Reach:
    """Whom a pass is for and where it lets write: one table in every session, some sessions, or everywhere."""

    label: str
    table_number: int | None = None
    sessions: Sequence[Session] = ()


@dataclass(frozen=True)
class NewPass:
    """A pass and its token, which is known only now."""

    desk_pass: Pass
    token: str


def good_until(tournament: Tournament, day: date) -> datetime:
    """The midnight after a pass's last day, by the tournament's clock."""
    if (day - max(tournament.ends_on, timezone.localdate())).days > MOST_DAYS:
        raise Refused(LINE_FAR_FROM_THE_DAYS("expires_on", days=MOST_DAYS))
    return datetime.combine(day + timedelta(days=1), time.min, tournament.zone)


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


NOT_OPEN: Final[Mapping[Standing, ProblemCode]] = {
    Standing.UNKNOWN: problem_code(
        "invitation_unknown", "There is no such invitation. Look whether the whole link was copied."
    ),
    Standing.USED_BY_YOU: problem_code(
        "invitation_used_by_you", "You have accepted this invitation already."
    ),
    Standing.USED: problem_code(
        "invitation_used", "Somebody has used this invitation already: it is good once. Ask for another."
    ),
    Standing.REVOKED: problem_code(
        "invitation_revoked", "This invitation was taken back. Ask whoever sent it for a new one."
    ),
    Standing.EXPIRED: problem_code(
        "invitation_expired", "The time of this invitation is over. Ask whoever sent it for a new one."
    ),
    Standing.FOR_SOMEBODY_ELSE: problem_code(
        "invitation_for_somebody_else",
        "This invitation was sent to another address than your account’s. Ask for one of your own.",
    ),
}


def find_invitation(token: str) -> Invitation | None:
    invitations = Invitation.objects.select_related("tournament", "made_by")
    return invitations.filter(token_hash=token_hash(token)).first()


def standing_of(invitation: Invitation | None, user: Any) -> Standing:
    """Say how an invitation stands to `user`: who is signed in, or None."""
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
