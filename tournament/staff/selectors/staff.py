"""Who works at a tournament: everybody with a role, and who is invited."""

from __future__ import annotations

from django.db.models import Case, Exists, OuterRef, QuerySet, Value, When
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.staff.models import Invitation

_BY_ROLE = Case(*(When(role=role, then=Value(place)) for place, role in enumerate(Role)))


def staff_of(tournament: Tournament) -> QuerySet[Membership]:
    """Everybody with a role and an account, those who may most first; has_second_factor: of the account."""
    members = tournament.memberships.filter(desk_pass=None).select_related("user", "player")
    guarded = TOTPDevice.objects.filter(user=OuterRef("user"), confirmed=True)
    members = members.annotate(has_second_factor=Exists(guarded), place=_BY_ROLE)
    return members.prefetch_related("sessions", "tables__session").order_by("place", "user__username")


def invitations_of(tournament: Tournament) -> QuerySet[Invitation]:
    """Those whose links may still open something, the first to end first."""
    return tournament.invitations.filter(used_at=None, revoked_at=None, expires_at__gt=timezone.now())
