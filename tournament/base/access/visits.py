"""Who visits, found as Django's own middleware finds it, for what is answered before Django."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.http.cookie import parse_cookie

from tournament.base.access import Actor


def visit_with(cookies: str) -> HttpRequest:
    """A request of whoever holds these cookies, with their session."""
    request = HttpRequest()
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return request


def visitor_with(cookies: str) -> Actor:
    return Actor.of(get_user(visit_with(cookies)))
