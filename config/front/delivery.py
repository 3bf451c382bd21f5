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
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

COOKIE: Final = "been"
POLICY: Final = "Content-Security-Policy"
PAGE, HEAD_ENDS = b"<!doctype html>", b"</head>"
"""The start of a whole page and the end of its head (templates/base_document.html); only heads are searched."""
LINK: Final = re.compile(rb'<link rel="stylesheet" href="(?P<address>[^"]*/joined/[\w.-]+\.css)">')
"""The link to a sheet in components/styles.html."""
THEME: Final = re.compile(rb'<script src="(?=[^"]*/js/theme\.)')
"""Only needed when somebody changes the theme, so a first page need not wait for it."""
VALIDATORS: Final = ("ETag", "Last-Modified")
"""Removed from an inlined page: the CSP of a 304 would not allow its sheet."""


class InlinedPage(NamedTuple):
    """A page with its sheet inlined, and the CSP source (a digest) that allows this sheet."""

    body: bytes
    source: str

    def policy(self, directives: str) -> str:
        return f"{directives}; style-src 'self' {self.source}"


class FirstVisit:
    """Middleware that inlines the sheet. It runs outside the CSP middleware; `live.pages` caches both forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if COOKIE in request.COOKIES or not isinstance(response, HttpResponse):
            return response
        page = inline_sheet(response.content) if POLICY in response.headers else None
        if page:
            response.content = page.body
            response.headers[POLICY] = page.policy(response.headers[POLICY])
            for name in VALIDATORS:
                response.headers.pop(name, None)
            response.headers["Content-Length"] = str(len(page.body))
            patch_vary_headers(response, ["Cookie"])
        return response


def inline_sheet(body: bytes) -> InlinedPage | None:
    """Return the page with its sheet inlined; None for a part of a page or without a sheet that can be inlined."""
    link = LINK.search(body, 0, body.find(HEAD_ENDS)) if body.startswith(PAGE) else None
    sheet = link and sheet_at(link["address"].decode())
    if not (link and sheet):
        return None
    text, source = sheet
    style = b'<style data-sheet="%s">%s</style>' % (link["address"], text)
    start = THEME.sub(b'<script async src="', body[: link.start()], count=1)
    return InlinedPage(start + style + body[link.end() :], source)


@lru_cache(maxsize=128)
def sheet_at(address: str) -> tuple[bytes, str] | None:
    """Return a sheet's text and CSP source; None if it is gone or contains `url()`. The address is a content hash."""
    name = address.removeprefix(settings.STATIC_URL)
    if not staticfiles_storage.exists(name):
        return None  # A cached page may link to a sheet of an earlier release.
    with staticfiles_storage.open(name) as file:
        text: bytes = file.read()
    if b"url(" in text or b"</" in text:
        return None
    return text, f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


def has_visited(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether the visitor has the cookie. Not parsed, for speed: a wrong guess shows the same page."""
    return f"{COOKIE}=".encode() in headers.get(b"cookie", b"")


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
