"""Reads of an account: its second factor, its browser sessions and its tokens."""

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

HASH_PREFIX_LENGTH: Final = 16
"""Characters of the hash by which pages name a browser session or a token."""


def has_second_factor(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def visits_of(user: User, current_key: str | None) -> list[dict[str, Any]]:
    """Return the account's browsers, this one first, then by when they were last seen.

    `current_key`: the session key of this browser. Each is a `visits.visit_data`, with `name`, by which `find_visit`
    finds it, `seen`, and `is_this`.
    """
    browsers = []
    for visit in _active_visits(user):
        seen = visit.get_decoded().get(SEEN, {})
        at = datetime.fromtimestamp(seen.get("at", 0), tz=UTC)
        key = visit.session_key
        browsers.append({**seen, "seen": at, "name": _hash_session_key(key), "is_this": key == current_key})
    return sorted(browsers, key=lambda browser: (browser["is_this"], browser["seen"]), reverse=True)


def _active_visits(user: User) -> Iterator[Visit]:
    """Yield the sessions that have not expired and are not older than the account's password."""
    auth_hash = user.get_session_auth_hash()
    for visit in user.visits.filter(expire_date__gt=timezone.now()):
        if visit.get_decoded().get(HASH_SESSION_KEY) == auth_hash:
            yield visit


def _hash_session_key(key: str) -> str:
    """Return a hash, because whoever has the session key itself is signed in."""
    return hashlib.sha256(key.encode()).hexdigest()[:HASH_PREFIX_LENGTH]


def find_visit(user: User, name: str) -> Visit | None:
    return next(
        (visit for visit in _active_visits(user) if _hash_session_key(visit.session_key) == name), None
    )


def tokens_of(user: User) -> QuerySet[ApiToken]:
    """Return the tokens that have not expired, the newest first."""
    is_valid = Q(expiry=None) | Q(expiry__gt=timezone.now())
    return user.api_tokens.filter(is_valid).prefetch_related("tournaments")


def tournaments_of_token(token: ApiToken) -> QuerySet[Tournament]:
    """Return the tournaments that the token is for; of a token for all tournaments, those that are not over."""
    if not token.everywhere:
        return token.tournaments.order_by("pk")
    tournaments = tournaments_of(Actor.of(token.user))
    return tournaments.filter(ends_on__gte=timezone.localdate()).order_by("pk")


def scopes_for(user: User) -> list[Role]:
    """Return the roles to which a token can be limited: OBSERVER, and those whose rights the account has somewhere.

    OWNER is left out: a token with its rights is a token for everything.
    """
    roles = memberships_of(Actor.of(user)).filter(table_number=None).values_list("role", flat=True)
    rights = frozenset[Right]().union(*(RIGHTS[Role(role)] for role in {*roles}))
    others = [role for role in Role if role is not Role.OWNER]
    return [role for role in others if role is Role.OBSERVER or RIGHTS[role] <= rights]
