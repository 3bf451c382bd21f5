"""An address, answered by its view as for a stranger: what is hidden from everybody is so from the site."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.urls import resolve
from django.utils.translation import get_language
from django_htmx.middleware import HtmxDetails

NOWHERE = "site.invalid"
"""The host of addresses that would be whole: there is none, so links to it are taken out."""


class _Stranger(HttpRequest):
    """As a request comes through the middleware, from somebody who is not signed in."""

    def __init__(self, address: str) -> None:
        super().__init__()
        parts = urlsplit(address)
        self.method, self.path, self.path_info = "GET", parts.path, parts.path
        self.META = {"REQUEST_METHOD": "GET", "QUERY_STRING": parts.query, "SERVER_NAME": NOWHERE}
        self.GET = QueryDict(parts.query)
        self.user = AnonymousUser()
        self.session = SessionStore()
        self.LANGUAGE_CODE = get_language() or ""
        self.htmx = HtmxDetails(self)

    def get_host(self) -> str:
        return NOWHERE


def answer_to(address: str) -> bytes | None:
    """What stands there; None where there is nothing for everybody."""
    request = _Stranger(address)
    try:
        found = resolve(request.path)
        request.resolver_match = found
        answer: Any = found.func(request, *found.args, **found.kwargs)
    except Http404:
        return None
    if not isinstance(answer, HttpResponseBase) or answer.status_code != 200:
        return None
    if hasattr(answer, "render"):
        answer = answer.render()
    if isinstance(answer, StreamingHttpResponse):
        return b"".join(answer)
    return bytes(answer.content)
