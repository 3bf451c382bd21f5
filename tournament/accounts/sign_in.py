"""Signing in: limits on attempts, known devices, the step between password and code, and API tokens.

An address with many failures is locked for a while (django-axes). A username that is tried from many addresses is not
locked, because then anybody could lock anybody out: attempts for it are slowed down, on devices that have never signed
in with it. Devices that have are known by a cookie and have a limit of their own, so that attempts of others, at
other places or at the same address in the hall, do not affect them.
"""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from knox.crypto import hash_token
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from config.front.addresses import address_key, rate_limit_key
from scoring.engine.problems import problem_code
from scoring.refusals import CONTENT_TYPE, faults, problem
from tournament.accounts import services
from tournament.accounts.services import record_token_use
from tournament.base.engine.text import is_mistyped
from tournament.base.errors import TooMany
from tournament.base.limits import QUARTER_HOUR, GuessLimit, Limit
from tournament.base.models.people import ApiToken
from tournament.base.problems import sentence
from tournament.base.sql import find_token
from tournament.web.api.rates import AddressThrottle

NAME_TRIED_AGAIN_AND_AGAIN = problem_code(
    "name_tried_again_and_again",
    "Too many attempts for this name. Wait {seconds} second and try again.",
    "Too many attempts for this name. Wait {seconds} seconds and try again.",
    by="seconds",
)
SIGN_IN_CLOSED = problem_code(
    "sign_in_closed",
    "Too many wrong passwords or codes from this address. Nobody can sign in from here for {minutes} minute.",
    "Too many wrong passwords or codes from this address. Nobody can sign in from here for {minutes} minutes.",
    by="minutes",
)
SECRET_TRIED_TOO_OFTEN = problem_code(
    "secret_tried_too_often",
    "Too many attempts. Wait {minutes} minute and try again.",
    "Too many attempts. Wait {minutes} minutes and try again.",
    by="minutes",
)

# --- Attempts ---


NAME_LIMIT: Final = GuessLimit.named("sign-in", burst=10, seconds=5)
DEVICE_LIMIT: Final = Limit("sign-in-device", maximum=20, within=QUARTER_HOUR)
CODE_LIMIT: Final = Limit("sign-in-codes", maximum=6, within=QUARTER_HOUR)
"""For one account: by the signed-in user, on one known device, or from one address."""
UNKNOWN_DEVICES_CODE_LIMIT: Final = Limit("sign-in-codes-elsewhere", maximum=12, within=QUARTER_HOUR)
"""For one account from all unknown devices together. Beyond it each site (an IPv4 address or an IPv6 network) may try
`SITE_CODE_LIMIT`, so that the account's owner gets in with a new device whatever others try elsewhere."""
SITE_CODE_LIMIT: Final = Limit("sign-in-codes-of-site", maximum=2, within=12 * 3600)
"""Three of a million codes are right at any time: somebody who has the password and guesses from a thousand sites
without a pause has an even chance of success after six weeks."""
SITE_PREFIX: Final = 48
"""Bits of an IPv6 network that providers give to one site."""
PASSWORD_LIMIT: Final = Limit("password-again", maximum=10, within=QUARTER_HOUR)


@sensitive_variables()
def authenticate_within_limits(request: HttpRequest, name: str, password: str) -> User | None:
    """Return the user with this name and password; None if there is none, or the address or device is locked.

    A lock is marked in the request, and axes then calls `lockout_response`. Raises TooMany if attempts for the name are
    too fast.
    """
    device, key = read_device(request), name_key(name)
    is_known = device.knows(name)
    if is_known and DEVICE_LIMIT.exceeded_by(device.key):
        AxesProxyHandler.update_request(request)
        request.axes_locked_out = True  # type: ignore[attr-defined]
        return None
    if not is_known and AxesProxyHandler.is_allowed(request, {"username": name}):
        NAME_LIMIT.require(key, NAME_TRIED_AGAIN_AND_AGAIN(seconds=NAME_LIMIT.pace.within))
    # For a locked address axes denies this and marks the request.
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        return None
    if is_known:
        DEVICE_LIMIT.undo_count(device.key)
    else:
        NAME_LIMIT.forgive(key)
    return user


@sensitive_variables()
def check_code(request: HttpRequest, user: User, code: str) -> bool:
    """Return whether the code is right, and mark it as used. Raises TooMany after too many wrong ones.

    The signed-in user and known devices have limits of their own, which attempts on other devices do not affect.
    """
    name, device = user.get_username(), read_device(request)
    if request.user == user or device.knows(name):
        key = f"signed-in:{user.pk}" if request.user == user else device.key
        return check_within_limit(CODE_LIMIT, key, lambda: services.use_code(user, code))
    account = name_key(name)
    site = f"{account}:{address_key(request.META.get('REMOTE_ADDR', ''), SITE_PREFIX)}"

    def is_right() -> bool:
        if not UNKNOWN_DEVICES_CODE_LIMIT.exceeded_by(account):
            return services.use_code(user, code)
        return check_within_limit(SITE_CODE_LIMIT, site, lambda: services.use_code(user, code))

    if check_within_limit(CODE_LIMIT, f"{account}:{rate_limit_key(request)}", is_right):
        UNKNOWN_DEVICES_CODE_LIMIT.undo_count(account)
        return True
    return False


@sensitive_variables()
def check_password(user: User, password: str) -> bool:
    """Return whether this is the signed-in user's password. Raises TooMany after too many wrong ones."""
    return check_within_limit(PASSWORD_LIMIT, str(user.pk), lambda: user.check_password(password))


def check_within_limit(limit: Limit, key: str, is_right: Callable[[], bool]) -> bool:
    """Return `is_right()`; count the attempt unless it is right. Raises TooMany over the limit."""
    if limit.exceeded_by(key):
        raise TooMany(SECRET_TRIED_TOO_OFTEN(minutes=limit.within // 60), limit.within)
    if is_right():
        limit.undo_count(key)
        return True
    return False


# --- Known devices ---


COOKIE: Final = "known_device"
SALT: Final = "tournament.accounts.sign_in"
COOKIE_SECONDS: Final = 365 * 24 * 3600
MAX_PEOPLE: Final = 10
"""The number of accounts that a device's cookie holds; one more replaces the one that signed in longest ago."""
NAME_HASH_LENGTH: Final = 24
"""Characters of the hash by which the cookie holds a username."""


@dataclass(frozen=True)
class Device:
    """The content of a device's cookie: its key, and hashes of the usernames that signed in, the last one last.

    The cookie is signed and grants no access. Its path is that of the sign-in pages, so that it does not affect the
    caching of other pages.
    """

    key: str
    people: tuple[str, ...] = ()

    def knows(self, name: str) -> bool:
        return name_key(name)[:NAME_HASH_LENGTH] in self.people


def name_key(name: str) -> str:
    """Return a hash of a username, so that neither caches nor cookies contain names."""
    plain = unicodedata.normalize("NFKC", name)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def read_device(request: HttpRequest) -> Device:
    """Return the device of a request; a new one if there is no valid cookie."""
    cookie = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=COOKIE_SECONDS)
    key, *people = str(cookie).split(".")
    return Device(key or secrets.token_hex(8), tuple(people))


def is_known_device(request: HttpRequest, credentials: dict[str, Any] | None) -> bool:
    """Return whether axes should ignore an attempt, because the device is known (AXES_WHITELIST_CALLABLE)."""
    name = (credentials or {}).get("username")
    return isinstance(name, str) and read_device(request).knows(name)


def remember_device(request: HttpRequest, response: HttpResponse, name: str) -> HttpResponse:
    """Add the username to the device's cookie."""
    device, name_hash = read_device(request), name_key(name)[:NAME_HASH_LENGTH]
    people = [*(person for person in device.people if person != name_hash), name_hash]
    response.set_signed_cookie(
        COOKIE,
        ".".join((device.key, *people[-MAX_PEOPLE:])),
        salt=SALT,
        max_age=COOKIE_SECONDS,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


# --- Between password and code ---


KEY: Final = "password_checked"
CODE_STEP_SECONDS: Final = 10 * 60


def begin_code_step(request: HttpRequest, user: User, to: str) -> None:
    """Store in the session that the password was right and the code of the second factor is pending.

    The session gets a new key, as when somebody signs in. The step ends after ten minutes or with a change of the
    password. `to`: the URL to go to afterwards; "" for the page of the account's role.
    """
    request.session.cycle_key()
    request.session[KEY] = {
        "user": user.pk,
        "backend": getattr(user, "backend", ""),
        "to": to,
        "until": time.time() + CODE_STEP_SECONDS,
        "hash": user.get_session_auth_hash(),
    }


def pending_sign_in(request: HttpRequest) -> tuple[User | None, str]:
    """Return the user of the step between password and code, and the URL to go to afterwards.

    None and "" if there is no such step, its time is over, or the account has changed.
    """
    data = request.session.get(KEY)
    if data is None or data["until"] < time.time():
        return None, ""
    user = User.objects.filter(pk=data["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), data["hash"]):
        return None, ""
    user.backend = data["backend"]  # `login` needs it, as `authenticate` sets it.
    return user, data["to"]


def end_code_step(request: HttpRequest) -> None:
    request.session.pop(KEY, None)


# --- Too many attempts ---


TOO_MANY = 429


def lockout_response(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Return 429 with Retry-After for a locked address or device (AXES_LOCKOUT_CALLABLE).

    A page, or problem+json at the endpoint of tokens.
    """
    page: HttpResponse
    if request.path == reverse("api_token"):
        fault = SIGN_IN_CLOSED(minutes=QUARTER_HOUR // 60)
        body = problem(TOO_MANY, sentence(fault), faults([fault], sentence))
        page = JsonResponse(body, status=TOO_MANY, content_type=CONTENT_TYPE)
    else:
        page = render(request, "accounts/locked.html", {"minutes": QUARTER_HOUR // 60}, status=TOO_MANY)
    page.headers["Retry-After"] = str(QUARTER_HOUR)
    return page


# --- API tokens ---


SCHEMES: Final = ("bearer", "token")
"""The scheme of RFC 6750, and the older one."""


class TokenAuthentication(BaseAuthentication):
    """Authentication by `Authorization: Bearer …` or `Token …`, with separate errors for expired and unknown tokens."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, *rest = get_authorization_header(request).split() or [b""]
        if kind.lower().decode("latin-1") not in SCHEMES:
            return None
        try:
            return self.authenticate_credentials(b" ".join(rest))
        except AuthenticationFailed:
            if not (throttle := AddressThrottle()).allow_request(request, None):
                raise Throttled(throttle.wait()) from None
            raise

    def authenticate_credentials(self, letters: bytes) -> tuple[User, ApiToken]:
        token = letters.decode("utf-8", "replace")
        if is_mistyped(token):
            raise AuthenticationFailed(_("This token is incomplete. Copy it again."), "token_mistyped")
        stored = find_token(hash_token(token))
        if stored is None or not stored.user.is_active:
            text = _("This token is unknown or has been revoked. Sign in for a new one.")
            raise AuthenticationFailed(text, "token_unknown")
        if stored.expiry is not None and stored.expiry < timezone.now():
            raise AuthenticationFailed(_("This token has expired. Sign in for a new one."), "token_expired")
        record_token_use(stored)
        return stored.user, stored

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Hule"'
