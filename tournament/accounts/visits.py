"""Browsers' sessions, kept as Django keeps them, and whose they are (SESSION_ENGINE).

What an account's page says of each, the browser and when it was last seen, is in the session itself: it is read with
it, and written every few minutes by a page that is read, never by a write.
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

from tournament.base.models.people import Visit
from tournament.base.requests import rate_limit_key

KEY: Final = "seen"
EVERY: Final = 5 * 60
"""Seconds between two notes of the same browser."""
BROWSERS: Final = (
    ("Edge", r"Edg(e|A|iOS)?/"),
    ("Opera", r"OPR/|Opera"),
    ("Samsung Internet", r"SamsungBrowser/"),
    ("WeChat", r"MicroMessenger/"),
    ("Firefox", r"Firefox/|FxiOS/"),
    ("Chrome", r"Chrome/|CriOS/|Chromium/"),
    ("Safari", r"Safari/"),
)
"""The first that is named: each names those below it, to be served like them."""
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
    """Django's own over `Visit`."""

    @classmethod
    def get_model_class(cls) -> type[Visit]:
        return Visit

    def create_model_instance(self, data: dict[str, Any]) -> Visit:
        visit = cast(Visit, super().create_model_instance(data))
        visit.user_id = data.get(SESSION_KEY) and int(data[SESSION_KEY])
        return visit


def seen_now(request: HttpRequest) -> dict[str, Any]:
    """Say what a browser is, by proper names, and from where it was seen, in seconds since 1970."""
    agent = request.META.get("HTTP_USER_AGENT", "")
    names = {"browser": _named(BROWSERS, agent), "system": _named(SYSTEMS, agent)}
    return {"at": int(time.time()), "place": rate_limit_key(request)} | names


def _named(names: tuple[tuple[str, str], ...], agent: str) -> str:
    return next((name for name, sign in names if re.search(sign, agent)), "")


def note_sign_in(sender: Any, request: HttpRequest, user: User, **more: Any) -> None:
    """Record a sign-in (a receiver of Django's signal)."""
    request.session[KEY] = seen_now(request)


class NoteVisit:
    """Middleware: a page that is read by somebody signed in says when, every few minutes. It asks nothing itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        session = request.session
        if request.method != "GET" or not session.accessed or SESSION_KEY not in session:
            return response
        if session.get(KEY, {}).get("at", 0) + EVERY < time.time():
            session[KEY] = seen_now(request)
        return response
