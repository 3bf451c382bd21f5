"""Half signed in: the password was right, the second factor's code is still to come. It opens nothing but that page.

It is kept in the browser's session, for ten minutes, and ends with a change of the password.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare

KEY: Final = "half-signed-in"
LASTS: Final = 10 * 60
"""Seconds."""


@dataclass(frozen=True)
class Half:
    user: User
    backend: str
    to: str
    """Where to go afterwards; nothing for where the account's role leads."""


def begin(request: HttpRequest, user: User, to: str) -> None:
    """The password was right just now. The session gets another key, as it does when somebody signs in."""
    request.session.cycle_key()
    request.session[KEY] = {
        "user": user.pk,
        "backend": getattr(user, "backend", ""),
        "to": to,
        "until": time.time() + LASTS,
        "hash": user.get_session_auth_hash(),
    }


def half_of(request: HttpRequest) -> Half | None:
    """Who is half signed in here; None once the time is over, or when the account has changed meanwhile."""
    kept = request.session.get(KEY)
    if kept is None or kept["until"] < time.time():
        return None
    user = User.objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["hash"]):
        return None
    return Half(user, kept["backend"], kept["to"])


def end(request: HttpRequest) -> None:
    request.session.pop(KEY, None)
