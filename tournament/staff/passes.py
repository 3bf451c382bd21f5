"""Passes and invitations: links and cards that let somebody in.

A pass is a link, or the QR code on a card, that opens the desk. It stands for an account without a password, so that
everything that asks who writes has an answer. Passes and invitations are looked up at each request: one that was taken
back, or has run out, opens nothing from that moment on.
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
MOST_DAYS: Final = 366
"""So long after the tournament a pass may be good: what is further away is a slip."""


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
    """Django asks here, at each request, who a device signed in by a pass is. Nobody signs in with a password here."""

    def get_user(self, user_id: int) -> User | None:
        desk_pass = valid_passes().filter(membership__user=user_id).first()
        return desk_pass.membership.user if desk_pass else None


@dataclass(frozen=True)
class Reach:
    """Whom a pass is for and where it lets write: one table in every session, sessions by number, or everywhere."""

    label: str = ""
    table_number: int | None = None
    sessions: Sequence[int] = ()

    @property
    def name(self) -> str:
        """Say what the log calls its holder; a table's card needs no label."""
        return self.label or gettext("Table {table}").format(table=self.table_number)


def good_until(tournament: Tournament, day: date) -> datetime:
    """Return the midnight after the last day of a pass or an invitation, by the tournament's clock."""
    today = timezone.localdate()
    if day < today:
        raise Refused(PASS_ALREADY_OVER("expires_on"))
    if (day - max(tournament.ends_on, today)).days > MOST_DAYS:
        raise Refused(LINE_FAR_FROM_THE_DAYS("expires_on", days=MOST_DAYS))
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
    invitations = Invitation.objects.select_related("tournament", "made_by")
    return invitations.filter(token_hash=token_hash(token)).first()


def why_closed(invitation: Invitation, user: Any) -> ProblemCode | None:
    """Say why an invitation opens nothing for `user`: who is signed in, or None. None where it opens something."""
    if invitation.used_at is not None:
        return INVITATION_USED_BY_YOU if user and invitation.used_by == user else INVITATION_USED
    giver = invitation.made_by
    # Nobody comes in by the invitation of somebody who could not give the role any more.
    is_given = giver is None or can_assign_role(Actor.of(giver), invitation.tournament, invitation.role)
    if invitation.revoked_at is not None or not is_given:
        return INVITATION_REVOKED
    if invitation.expires_at <= timezone.now():
        return INVITATION_EXPIRED
    if user and invitation.email and user.email and user.email.casefold() != invitation.email.casefold():
        return INVITATION_FOR_SOMEBODY_ELSE
    return None
