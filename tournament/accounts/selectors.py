"""What an account is guarded by, and where it is in use: its second factor, its browsers, its programs."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.contrib.auth import HASH_SESSION_KEY
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.accounts.visits import KEY as SEEN
from tournament.base.access import RIGHTS, Actor, Right, memberships_of, tournaments_of
from tournament.base.models.people import ApiToken, Visit
from tournament.base.models.tournament import Role, Tournament

SHORT: Final = 16
"""Letters by which pages tell an account's browsers and tokens apart."""


def has_second_factor(user: User) -> bool:
    return bool(TOTPDevice.objects.filter(user=user, confirmed=True).exists())


def second_factor_begun(user: User) -> TOTPDevice | None:
    """The secret that waits for the app's first code."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


@dataclass(frozen=True)
class SignedIn:
    """A browser in which an account is signed in. `browser`, `system`: proper names, empty for those nobody knows."""

    name: str
    """What a page calls its session."""
    is_this: bool
    at: int = 0
    """When it was last seen, in seconds since 1970."""
    place: str = ""
    browser: str = ""
    system: str = ""

    @property
    def seen(self) -> datetime:
        return datetime.fromtimestamp(self.at, tz=UTC)


def visits_of(user: User, here: str | None) -> list[SignedIn]:
    """The account's browsers, this one first, then the last seen. `here`: the key of this one's session."""
    browsers = [
        SignedIn(_short(visit.session_key), visit.session_key == here, **visit.get_decoded().get(SEEN, {}))
        for visit in _open_visits(user)
    ]
    return sorted(browsers, key=lambda browser: (browser.is_this, browser.at), reverse=True)


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
    """Those that still open something, the newest first."""
    still = Q(expiry=None) | Q(expiry__gt=timezone.now())
    return user.api_tokens.filter(still).prefetch_related("tournaments")


def token_named(user: User, name: str) -> ApiToken | None:
    """Find the token that the account's page calls so."""
    return user.api_tokens.filter(digest__startswith=name).first() if len(name) == SHORT else None


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
