"""Scripts that a browser keeps running. Each rules what lies below its own address, so that is not under /static/."""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest, script: str) -> HttpResponse:
    """A static script by its name, asked for anew each time."""
    path = finders.find(script)
    if not isinstance(path, str):
        raise Http404
    with open(path, encoding="utf-8") as text:
        return HttpResponse(text.read(), content_type="text/javascript; charset=utf-8")
