"""What every page of the book does: it is read by anybody, and not sent again to who has it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

View = Callable[..., HttpResponse]


def book_page(view: View) -> View:
    """A view `(request, …)` of a page that follows from its address and the reader's language and look."""

    @require_safe
    @vary_on_headers("Cookie", "Accept-Language")
    @wraps(view)
    def answer(request: HttpRequest, *args: object, **where: object) -> HttpResponse:
        response = view(request, *args, **where)
        patch_cache_control(response, private=True, no_cache=True)
        return _unless_known(request, response)

    return answer


def _unless_known(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """304 for a reader who has this very page; who is signed in has a token of their own in every page."""
    if request.method != "GET" or request.user.is_authenticated:
        return response
    set_response_etag(response)
    known = get_conditional_response(request, etag=response["ETag"], response=response)
    return response if known is None else known


def drawn_close(template: str, context: dict[str, Any]) -> SafeString:
    """A long list without the indentation of its template: that is a third of it."""
    return SafeString(re.sub(r"\s*\n\s*", "\n", render_to_string(template, context)))
