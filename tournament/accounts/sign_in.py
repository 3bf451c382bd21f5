"""Signing in: attempts within limits, known devices, the second factor half way, and programs by their token.

An address that fails again and again is closed for a while (axes). A name that is tried from many addresses is not, for
then anybody could shut anybody out: it is slowed on devices that never signed in by it. Those that did have a limit of
their own, so that neither what others try nor what their neighbours in the hall mistype concerns them.
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

from scoring.engine.problems import problem_code
from scoring.refusals import CONTENT_TYPE, faults, problem
from tournament.accounts import services
from tournament.accounts.services import note_use
from tournament.base.database import PreparedQuery
from tournament.base.engine.text import is_mistyped
from tournament.base.errors import TooMany
from tournament.base.limits import QUARTER_HOUR, GuessLimit, Limit
from tournament.base.models.people import ApiToken
from tournament.base.problems import sentence
from tournament.base.requests import rate_limit_key
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


NAME: Final = GuessLimit.named("sign-in", burst=10, seconds=5)
DEVICE: Final = Limit("sign-in-device", most=20, within=QUARTER_HOUR)
CODES: Final = Limit("sign-in-codes", most=6, within=QUARTER_HOUR)
"""For one account: by who is signed in, by one known device, or from one address."""
CODES_FROM_ELSEWHERE: Final = GuessLimit.named("sign-in-codes-elsewhere", burst=12, seconds=120)
"""For one account from all devices that are not known, together. Of a million codes three are right at a time: whoever
has the password and guesses from many addresses without a pause finds one in four months with a chance of 1:2."""
PASSWORDS: Final = Limit("password-again", most=10, within=QUARTER_HOUR)


@sensitive_variables()
def who_signs_in(request: HttpRequest, name: str, password: str) -> User | None:
    """Return the user with this name and password; None if there is none, or the address is locked.

    TooMany when the name is slowed. A closed place is marked in the request, and axes calls `answer`.
    """
    device, place = device_of(request), place_of_name(name)
    is_known = device.knows(name)
    if is_known and DEVICE.exceeded_by(device.key):
        AxesProxyHandler.update_request(request)
        request.axes_locked_out = True  # type: ignore[attr-defined]
        return None
    if not is_known and AxesProxyHandler.is_allowed(request, {"username": name}):
        NAME.require(place, NAME_TRIED_AGAIN_AND_AGAIN(seconds=NAME.pace.within))
    # Axes denies a closed address, and says so.
    user = authenticate(request, username=name, password=password)
    if not isinstance(user, User):
        return None
    if is_known:
        DEVICE.undo_count(device.key)
    else:
        NAME.forgive(place)
    return user


@sensitive_variables()
def check_code(request: HttpRequest, user: User, code: str) -> bool:
    """Whether the code is one of the account's now, which it is once. TooMany after so many that were not.

    Neither who is signed in nor a known device is held up by what others try elsewhere.
    """
    name, device = user.get_username(), device_of(request)
    if request.user == user or device.knows(name):
        place = f"signed-in:{user.pk}" if request.user == user else device.key
        return counted(CODES, place, lambda: services.take_code(user, code))
    account = place_of_name(name)

    def is_right() -> bool:
        CODES_FROM_ELSEWHERE.require(
            account, NAME_TRIED_AGAIN_AND_AGAIN(seconds=CODES_FROM_ELSEWHERE.pace.within)
        )
        return services.take_code(user, code)

    right = counted(CODES, f"{account}:{rate_limit_key(request)}", is_right)
    if right:
        CODES_FROM_ELSEWHERE.forgive(account)
    return right


@sensitive_variables()
def check_password(user: User, password: str) -> bool:
    """Whether that is the password of who is signed in, asked once more. TooMany after so many that were not."""
    return counted(PASSWORDS, str(user.pk), lambda: user.check_password(password))


def counted(limit: Limit, place: str, is_right: Callable[[], bool]) -> bool:
    """Count an attempt at a secret; one that was right is given back."""
    if limit.exceeded_by(place):
        raise TooMany(SECRET_TRIED_TOO_OFTEN(minutes=limit.within // 60), limit.within)
    right = is_right()
    if right:
        limit.undo_count(place)
    return right


# --- Known devices ---


COOKIE: Final = "known"
SALT: Final = "tournament.accounts.sign_in"
A_YEAR: Final = 365 * 24 * 3600
MOST: Final = 10
"""People of one device; the one who signed in longest ago is forgotten."""
SHORT: Final = 24
"""Letters by which the cookie names one of them."""


@dataclass(frozen=True)
class Device:
    """What a device's cookie says: which one it is, and who has signed in there, the last one last.

    A known device is not held up by what others try elsewhere. The cookie is signed, and opens nothing. It is sent to
    the pages of signing in alone, so that every other page is the same with it and without.
    """

    key: str
    people: tuple[str, ...] = ()

    def knows(self, name: str) -> bool:
        return place_of_name(name)[:SHORT] in self.people


def place_of_name(name: str) -> str:
    """Return the key by which limits count a name: a hash, so that no name is in a cache or cookie."""
    plain = unicodedata.normalize("NFKC", name)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def device_of(request: HttpRequest) -> Device:
    """Return the device of a request; without a valid cookie it knows no name."""
    cookie = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=A_YEAR)
    key, *people = str(cookie).split(".")
    return Device(key or secrets.token_hex(8), tuple(people))


def is_known(request: HttpRequest, credentials: dict[str, Any] | None) -> bool:
    """Return whether axes should not count an attempt for the address (AXES_WHITELIST_CALLABLE)."""
    name = (credentials or {}).get("username")
    return isinstance(name, str) and device_of(request).knows(name)


def remember(request: HttpRequest, response: HttpResponse, name: str) -> HttpResponse:
    """Remember this device as one of that name's, by a cookie of the response."""
    device, short = device_of(request), place_of_name(name)[:SHORT]
    people = [*(person for person in device.people if person != short), short]
    response.set_signed_cookie(
        COOKIE,
        ".".join((device.key, *people[-MOST:])),
        salt=SALT,
        max_age=A_YEAR,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


# --- Half signed in ---


KEY: Final = "half-signed-in"
LASTS: Final = 10 * 60
"""Seconds."""


def begin(request: HttpRequest, user: User, to: str) -> None:
    """Record that the password was right; the code of the second factor is pending.

    It opens nothing but the page that asks for the code. It is kept in the browser's session, which gets another key as
    when somebody signs in, for ten minutes; a change of the password ends it. `to`: where to go afterwards; nothing for
    where the account's role leads.
    """
    request.session.cycle_key()
    request.session[KEY] = {
        "user": user.pk,
        "backend": getattr(user, "backend", ""),
        "to": to,
        "until": time.time() + LASTS,
        "hash": user.get_session_auth_hash(),
    }


def half_of(request: HttpRequest) -> tuple[User | None, str]:
    """Find who is half signed in here, and where to go afterwards.

    None once the time is over, or when the account has changed meanwhile.
    """
    begun = request.session.get(KEY)
    if begun is None or begun["until"] < time.time():
        return None, ""
    user = User.objects.filter(pk=begun["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), begun["hash"]):
        return None, ""
    user.backend = begun["backend"]  # as `authenticate` says it to `login`
    return user, begun["to"]


def end(request: HttpRequest) -> None:
    request.session.pop(KEY, None)


# --- Too many attempts ---


TOO_MANY = 429


def answer(
    request: HttpRequest, response: HttpResponse | None, credentials: dict[str, Any] | None
) -> HttpResponse:
    """Answer whose address or device has failed to sign in too often (AXES_LOCKOUT_CALLABLE).

    429 and when to come back: a page for people, problem+json at the address of tokens.
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


# --- Programs ---


SCHEMES: Final = ("bearer", "token")
"""RFC 6750's, and the one that was there before it."""
_TOKEN = PreparedQuery(
    lambda digest: ApiToken.objects.select_related("user").filter(pk=digest).order_by(), str
)


class ByToken(BaseAuthentication):
    """`Authorization: Bearer …`, or `Token …`. One that has run out says so, and one that is not known."""

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
        stored = _TOKEN.first(hash_token(token))
        if stored is None or not stored.user.is_active:
            text = _("This token is unknown or has been revoked. Sign in for a new one.")
            raise AuthenticationFailed(text, "token_unknown")
        if stored.expiry is not None and stored.expiry < timezone.now():
            raise AuthenticationFailed(_("This token has expired. Sign in for a new one."), "token_expired")
        note_use(stored)
        return stored.user, stored

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Hule"'
