"""What Django answers goes over the wire compressed, where that is worth it and tells nobody anything.

Pages that are the same for everybody are compressed once, where they are kept (`tournament.live.pages`); the live
stream never comes here; static files lie compressed beside themselves.
"""

from __future__ import annotations

import re
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXT: Final = re.compile(r"text/(?!event-stream)|application/(?:[\w.-]+\+)?json\b|image/svg\+xml")
OWN: Final = frozenset({"same-origin", "none"})
"""Where a browser says that a request came from: this site, or its address bar. One that is older says nothing."""


class Packed(GZipMiddleware):
    """Django's, for text alone, and never piece by piece.

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
