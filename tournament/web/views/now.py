"""The server's time, for the clocks on every screen."""

from __future__ import annotations

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def now(request: HttpRequest) -> JsonResponse:
    """{"now": milliseconds since 1970}"""
    return JsonResponse({"now": round(timezone.now().timestamp() * 1000)})
