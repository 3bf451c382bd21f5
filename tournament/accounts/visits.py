"""Browser sessions in Django's session store, with the account that each belongs to (SESSION_ENGINE).

The browser and the time of its last visit, which the account's page shows, are stored in the session. GET requests
update them every few minutes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any, Final, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest, HttpResponse

from config.front.addresses import rate_limit_key
from tournament.base.models.people import Visit

KEY: Final = "visit"
INTERVAL: Final = 5 * 60
"""Seconds between two updates of a session's visit."""
BROWSERS: Final = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("WeChat", r"MicroMessenger/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
"""Names and patterns of the User-Agent; the first match counts, because browsers also name those below them."""
SYSTEMS: Final = (
    ("iPhone", r"iPhone"),
    ("iPad", r"iPad"),
    ("Android", r"Android"),
    ("HarmonyOS", r"HarmonyOS|OpenHarmony"),
    ("Windows", r"Windows"),
    ("ChromeOS", r"CrOS"),
    ("macOS", r"Mac OS X|Macintosh"),
    ("Linux", r"Linux"),
)


class SessionStore(DatabaseStore):
    """Django's session store with the model `Visit`."""

    @classmethod
    def get_model_class(cls) -> type[Visit]:
        return Visit

    def create_model_instance(self, data: dict[str, Any]) -> Visit:
        visit = cast(Visit, super().create_model_instance(data))
        visit.user_id = data.get(SESSION_KEY) and int(data[SESSION_KEY])
        return visit


def visit_data(request: HttpRequest) -> dict[str, Any]:
    """Return {"at", "place", "browser", "system"} of a request; "at" is in seconds since 1970."""
    agent = request.META.get("HTTP_USER_AGENT", "")
    names = {"browser": _first_match(BROWSERS, agent), "system": _first_match(SYSTEMS, agent)}
    return {"at": int(time.time()), "place": rate_limit_key(request)} | names


def _first_match(patterns: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for name, pattern in patterns if re.search(pattern, agent)), "")


def record_sign_in(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Store the visit in the session when a user signs in (receiver of `user_logged_in`)."""
    request.session[KEY] = visit_data(request)


class VisitMiddleware:
    """Update the visit in the session of a signed-in user at GET requests. Never loads a session by itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if request.method != "GET" or not session.accessed or SESSION_KEY not in session:
            return response
        if session.get(KEY, {}).get("at", 0) + INTERVAL < time.time():
            session[KEY] = visit_data(request)
        return response
