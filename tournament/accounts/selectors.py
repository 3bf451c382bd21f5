"""What an account is guarded by, and where it is in use: its second factor, its browsers, its programs."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.accounts.visits import KEY as SEEN
from tournament.base.access import RIGHTS, Actor, Right, memberships_of, tournaments_of
from tournament.base.models.people import ApiToken, Visit
from tournament.base.models.tournament import Role, Tournament

SHORT: Final = 16
"""Letters by which pages tell an account's browsers and tokens apart."""


def has_second_factor(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def visits_of(user: User, here: str | None) -> list[dict[str, Any]]:
    """List the account's browsers, this one first, then the last seen. `here`: the key of this one's session.

    Each is as `visits.seen_now` noted it, with `name`: what the page calls its session.
    """
    browsers = []
    for visit in _open_visits(user):
        seen = visit.get_decoded().get(SEEN, {})
        at = datetime.fromtimestamp(seen.get("at", 0), tz=UTC)
        key = visit.session_key
        browsers.append({**seen, "seen": at, "name": _short(key), "is_this": key == here})
    return sorted(browsers, key=lambda browser: (browser["is_this"], browser["seen"]), reverse=True)


def _open_visits(user: User) -> Iterator[Visit]:
    """Yield the browsers still signed in: a change of the password ends those that were there before."""
    signed_in_as = user.get_session_auth_hash()
    for visit in user.visits.filter(expire_date__gt=timezone.now()):
        if visit.get_decoded().get(HASH_SESSION_KEY) == signed_in_as:
            yield visit


def _short(key: str) -> str:
    """Hash the key of a session, so that nobody gets it from the page."""
    return hashlib.sha256(key.encode()).hexdigest()[:SHORT]


def visit_named(user: User, name: str) -> Visit | None:
    return next((visit for visit in _open_visits(user) if _short(visit.session_key) == name), None)


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens that still open something, the newest first."""
    still = Q(expiry=None) | Q(expiry__gt=timezone.now())
    return user.api_tokens.filter(still).prefetch_related("tournaments")


def reached_by(token: ApiToken) -> QuerySet[Tournament]:
    """List the tournaments that have in their log that the token is there.

    Those that it names; of a token for all, those that are not over.
    """
    if not token.everywhere:
        return token.tournaments.order_by("pk")
    tournaments = tournaments_of(Actor.of(token.user))
    return tournaments.filter(ends_on__gte=timezone.localdate()).order_by("pk")


def scopes_for(user: User) -> list[Role]:
    """List the roles whose rights the account has somewhere, from who may most.

    To look on is among them, which everybody may as far as they see anything. To own is to do everything, which is
    offered as that.
    """
    roles = memberships_of(Actor.of(user)).filter(table_number=None).values_list("role", flat=True)
    rights = frozenset[Right]().union(*(RIGHTS[Role(role)] for role in {*roles}))
    others = [role for role in Role if role is not Role.OWNER]
    return [role for role in others if role is Role.OBSERVER or RIGHTS[role] <= rights]
