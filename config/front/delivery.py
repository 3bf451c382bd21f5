"""How answers go over the wire: a page with its sheet inside to who comes for the first time, and text compressed.

Nothing more is then asked for before the page is painted: behind a slow phone network that is a round trip of 400 ms
less. js/been.js then has the browser keep the sheet under its own address, and sets the cookie with which pages come
with a link. Without scripts each visit is a first one.

Pages that are the same for everybody are compressed once, where they are kept (`tournament.live.pages`); the live
stream never comes here; static files lie compressed beside themselves.
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
"""A whole page, as templates/base_document.html begins. Files and parts of pages are never looked through."""
LINK: Final = re.compile(rb'<link rel="stylesheet" href="(?P<address>[^"]*/joined/[\w.-]+\.css)">')
"""As components/styles.html writes it, in the head."""
THEME: Final = re.compile(rb'<script src="(?=[^"]*/js/theme\.)')
"""Sees to the look when somebody chooses another. What was chosen before is in the page: nothing waits for it."""
OF_THE_OTHER: Final = ("ETag", "Last-Modified")
"""A page with its sheet inside is not asked about again: a 304 brings a policy that does not let the sheet in."""


class Dressed(NamedTuple):
    """A page with its sheet inside, and the source that lets this sheet alone in (CSP: a digest)."""

    body: bytes
    source: str

    def policy(self, others: str) -> str:
        return f"{others}; style-src 'self' {self.source}"


class FirstVisit:
    """Middleware, outside the one that says the policy. Pages kept before Django have both forms (`live.pages`)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self.get_response(request)
        if COOKIE in request.COOKIES or not isinstance(answer, HttpResponse):
            return answer
        page = dressed(answer.content) if POLICY in answer.headers else None
        if page:
            answer.content = page.body
            answer.headers[POLICY] = page.policy(answer.headers[POLICY])
            for name in OF_THE_OTHER:
                answer.headers.pop(name, None)
            answer.headers["Content-Length"] = str(len(page.body))
            patch_vary_headers(answer, ["Cookie"])
        return answer


def dressed(body: bytes) -> Dressed | None:
    """None for what is no page, links to no joined sheet, or to one with pictures, looked for elsewhere then."""
    link = LINK.search(body, 0, body.find(HEAD_ENDS)) if body.startswith(PAGE) else None
    sheet = link and sheet_at(link["address"].decode())
    if not (link and sheet):
        return None
    text, source = sheet
    style = b'<style data-sheet="%s">%s</style>' % (link["address"], text)
    later = THEME.sub(b'<script async src="', body[: link.start()], count=1)
    return Dressed(later + style + body[link.end() :], source)


@lru_cache(maxsize=128)
def sheet_at(address: str) -> tuple[bytes, str] | None:
    """Its text and its digest. Its address changes with its text."""
    name = address.removeprefix(settings.STATIC_URL)
    if not staticfiles_storage.exists(name):  # the release before this one, from a page that was kept
        return None
    with staticfiles_storage.open(name) as file:
        text: bytes = file.read()
    if b"url(" in text or b"</" in text:
        return None
    return text, f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'"


def has_been_here(headers: Mapping[bytes, bytes]) -> bool:
    """Asked for every page that is kept, so without parsing: who is taken for the other sees the same page."""
    return f"{COOKIE}=".encode() in headers.get(b"cookie", b"")


TEXT: Final = re.compile(r"text/(?!event-stream)|application/(?:[\w.-]+\+)?json\b|image/svg\+xml")
OWN: Final = frozenset({"same-origin", "none"})
"""Where a browser says that a request came from: this site, or its address bar. One that is older says nothing."""


class Packed(GZipMiddleware):
    """Django's, for text alone, where it is worth it and tells nobody anything, and never piece by piece.

    The size of a compressed page tells whether what was asked for is also in the page (BREACH). For that somebody has
    to make a signed-in person's browser ask, again and again, from a page of their own: such answers stay as they are.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "")
        if not isinstance(response, HttpResponse) or not TEXT.match(kind) or is_led_here(request):
            return response
        return super().process_response(request, response)


def is_led_here(request: HttpRequest) -> bool:
    """Whether another site had somebody's browser ask in their name."""
    is_known = settings.SESSION_COOKIE_NAME in request.COOKIES
    return is_known and request.headers.get("Sec-Fetch-Site", "none") not in OWN
