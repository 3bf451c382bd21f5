"""Passes and invitations: links and cards that give access.

A pass is a link, or the QR code on a card, that opens the desk. It belongs to an account without a password, so that
every write has a user. Passes and invitations are looked up at each request: revoked and expired ones stop working at
once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from django.contrib.auth import login
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from scoring.engine.problems import ProblemCode, problem_code
from tournament.base.access import Actor, can_assign_role
from tournament.base.errors import Refused
from tournament.base.models.tournament import Pass, Tournament, token_hash
from tournament.base.problems import LINE_FAR_FROM_THE_DAYS
from tournament.staff.models import Invitation

PASS_ALREADY_OVER = problem_code("pass_already_over", "That day has passed. Choose today or later.")
MAX_DAYS: Final = 366
"""The longest a pass may be valid after the tournament; a later day is taken for a typing mistake."""


def valid_passes() -> QuerySet[Pass]:
    """Return the passes that are neither revoked nor expired."""
    return Pass.objects.filter(revoked_at=None, expires_at__gt=timezone.now()).select_related(
        "membership__user", "membership__tournament"
    )


def find_pass(token: str) -> Pass | None:
    """Return the valid pass with this token, or None."""
    return valid_passes().filter(token_hash=token_hash(token)).first()


def open_pass(request: HttpRequest, desk_pass: Pass) -> None:
    """Sign the device in as the account of the pass until the pass expires."""
    login(request, desk_pass.membership.user, backend=f"{__name__}.{PassBackend.__name__}")
    request.session.set_expiry(desk_pass.expires_at)
    Pass.objects.filter(pk=desk_pass.pk).update(opened_at=timezone.now())


class PassBackend(BaseBackend):
    """Authentication backend of devices signed in by a pass: at each request it checks that the pass is valid."""

    def get_user(self, user_id: int) -> User | None:
        desk_pass = valid_passes().filter(membership__user=user_id).first()
        return desk_pass.membership.user if desk_pass else None


@dataclass(frozen=True)
class PassScope:
    """Whom a pass is for and where it is valid: one table in every session, sessions by number, or everywhere."""

    label: str = ""
    table_number: int | None = None
    sessions: Sequence[int] = ()

    @property
    def name(self) -> str:
        """The name of the pass's account; for a pass without a label, the table."""
        return self.label or gettext("Table {table}").format(table=self.table_number)


def end_of_day(tournament: Tournament, day: date) -> datetime:
    """Return the midnight after a day in the tournament's time zone, when a pass or an invitation expires.

    Raises Refused for a day that is over, or more than `MAX_DAYS` after the tournament.
    """
    today = timezone.localdate()
    if day < today:
        raise Refused(PASS_ALREADY_OVER("expires_on"))
    if (day - max(tournament.ends_on, today)).days > MAX_DAYS:
        raise Refused(LINE_FAR_FROM_THE_DAYS("expires_on", days=MAX_DAYS))
    return datetime.combine(day + timedelta(days=1), time.min, tournament.zone)


INVITATION_UNKNOWN = problem_code(
    "invitation_unknown", "There is no such invitation. Check that the whole link was copied."
)
INVITATION_USED_BY_YOU = problem_code("invitation_used_by_you", "You have already accepted this invitation.")
INVITATION_USED = problem_code(
    "invitation_used", "This invitation has already been used: it works only once. Ask for another one."
)
INVITATION_REVOKED = problem_code(
    "invitation_revoked", "This invitation was revoked. Ask the sender for a new one."
)
INVITATION_EXPIRED = problem_code(
    "invitation_expired", "This invitation has expired. Ask the sender for a new one."
)
INVITATION_FOR_SOMEBODY_ELSE = problem_code(
    "invitation_for_somebody_else",
    "This invitation was sent to a different address from that of your account. Ask for your own.",
)


def find_invitation(token: str) -> Invitation | None:
    """Return the invitation with this token, valid or not; or None."""
    invitations = Invitation.objects.select_related("tournament", "made_by")
    return invitations.filter(token_hash=token_hash(token)).first()


def closed_reason(invitation: Invitation, user: Any) -> ProblemCode | None:
    """Return why the signed-in `user` (or None) cannot accept an invitation; None if they can."""
    if invitation.used_at is not None:
        return INVITATION_USED_BY_YOU if user and invitation.used_by == user else INVITATION_USED
    inviter = invitation.made_by
    # An invitation ends when its inviter loses the right to give the role.
    may_invite = inviter is None or can_assign_role(Actor.of(inviter), invitation.tournament, invitation.role)
    if invitation.revoked_at is not None or not may_invite:
        return INVITATION_REVOKED
    if invitation.expires_at <= timezone.now():
        return INVITATION_EXPIRED
    if user and invitation.email and user.email and user.email.casefold() != invitation.email.casefold():
        return INVITATION_FOR_SOMEBODY_ELSE
    return None
