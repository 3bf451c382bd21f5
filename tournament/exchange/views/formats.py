"""Formats of files, for programs that read or write one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournament.exchange.event_file.schema import schema_text


@cache_control(public=True, max_age=3600)
@require_safe
def tournament_file(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of a tournament's file (docs/tournament-file.md)."""
    return HttpResponse(schema_text(), content_type="application/schema+json")
