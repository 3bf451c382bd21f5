"""Devices that are known: one on which somebody has signed in before is not held up by what others try elsewhere.

A signed cookie says as whom; it opens nothing. It is sent to the pages of signing in alone, so that every other page is
the same with it and without.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse

COOKIE: Final = "known"
SALT: Final = "tournament.accounts.sign_in.known"
A_YEAR: Final = 365 * 24 * 3600
MOST: Final = 10
"""People of one device; the one who signed in longest ago is forgotten."""


@dataclass(frozen=True)
class Device:
    """What a device's cookie says: which one it is, and who has signed in there, the last one last."""

    key: str
    people: tuple[str, ...] = ()

    def knows(self, name: str) -> bool:
        return place_of_name(name)[:SHORT] in self.people

    def with_name(self, name: str) -> Device:
        short = place_of_name(name)[:SHORT]
        others = [one for one in self.people if one != short]
        return Device(self.key, (*others, short)[-MOST:])


SHORT: Final = 24


def place_of_name(name: str) -> str:
    """What limits count a name by: of one length, whatever was typed, and no name in a cache or cookie."""
    plain = unicodedata.normalize("NFKC", name)
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def device_of(request: HttpRequest) -> Device:
    """The device that asks; one without a cookie, or with one that is not ours, knows nobody."""
    said = request.get_signed_cookie(COOKIE, default="", salt=SALT, max_age=A_YEAR)
    key, *people = str(said).split(".")
    return Device(key or secrets.token_hex(8), tuple(people))


def is_known(request: HttpRequest, credentials: dict[str, Any] | None) -> bool:
    """What axes asks before it counts an attempt for the address (AXES_WHITELIST_CALLABLE)."""
    name = (credentials or {}).get("username")
    return isinstance(name, str) and device_of(request).knows(name)


def remember(request: HttpRequest, response: HttpResponseBase, name: str) -> None:
    """From now on this device is known as one of that name's."""
    device = device_of(request).with_name(name)
    response.set_signed_cookie(
        COOKIE,
        ".".join((device.key, *device.people)),
        salt=SALT,
        max_age=A_YEAR,
        path=reverse("login"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
