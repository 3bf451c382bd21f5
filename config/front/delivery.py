"""How responses are sent: with the sheet inlined on a first visit, and text compressed.

An inlined sheet saves the round trip before the page is painted, 400 ms on a slow phone network. js/first-visit.js then
caches the sheet under its own address and sets the cookie of a returning visitor, whose pages link to it. Without
scripts every visit is a first one.

Public pages are compressed once, in the page cache (`tournament.live.pages`); static files are compressed on disk;
the live stream does not pass through here.
"""

import base64
import hashlib
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

COOKIE: Final = "visited"
POLICY: Final = "Content-Security-Policy"
VALIDATORS: Final = ("ETag", "Last-Modified")
"""Removed from an inlined page: the CSP of a 304 would not allow its sheet."""


class FirstVisit:
    """Middleware that lets the CSP allow the sheet that `{% styles %}` has inlined. It runs outside the CSP’s own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        source = getattr(request, "inlined_sheet", None)
        if source and POLICY in response.headers:
            response.headers[POLICY] = f"{response.headers[POLICY]}; style-src 'self' {source}"
            for name in VALIDATORS:
                response.headers.pop(name, None)
            patch_vary_headers(response, ["Cookie"])
        return response


def inlined_sheet(request: HttpRequest, name: str) -> str:
    """Return the text of a sheet for a first visit, and allow it in this response; "" if a link is better."""
    sheet = None if COOKIE in request.COOKIES else sheet_at(staticfiles_storage.stored_name(name))  # type: ignore[attr-defined]
    if sheet is None:
        return ""
    text, request.inlined_sheet = sheet  # type: ignore[attr-defined]
    return text


@lru_cache(maxsize=128)
def sheet_at(name: str) -> tuple[str, str] | None:
    """Return the text of a collected sheet and its CSP source (a digest); None if it contains `url()`."""
    with staticfiles_storage.open(name) as file:
        text: bytes = file.read()
    if b"url(" in text or b"</" in text:
        return None
    return text.decode(), f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


TEXT: Final = re.compile(r"text/(?!event-stream)|application/(?:[\w.-]+\+)?json\b|image/svg\+xml")
OWN: Final = frozenset({"same-origin", "none"})
"""Values of Sec-Fetch-Site for requests from this site or the address bar; old browsers do not send it."""


class CompressText(GZipMiddleware):
    """Django's middleware, for text only, and never for cross-site requests of signed-in users.

    The size of a compressed page reveals whether a guess of its content is right (BREACH), if another site can make a
    signed-in user's browser request it repeatedly.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "")
        if not isinstance(response, HttpResponse) or not TEXT.match(kind) or is_cross_site(request):
            return response
        return super().process_response(request, response)


def is_cross_site(request: HttpRequest) -> bool:
    """Return whether another site caused this request of a signed-in user."""
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES
    return is_known and request.headers.get("Sec-Fetch-Site", "none") not in OWN
