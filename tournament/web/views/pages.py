"""Small answers that belong to no event: the look, the time, flags, and scripts a browser keeps."""

from __future__ import annotations

import math

from django.contrib.staticfiles import finders
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseRedirect,
    JsonResponse,
)
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from tournament.base import requests
from tournament.live.page_cache import offer
from tournament.web.display import drawn, flag_sheet
from tournament.web.views.frame import visible_tournament_or_404

A_YEAR = 365 * 24 * 3600


@csrf_exempt  # a look harms nobody, and pages without a token of their own can be kept for everybody
@require_POST
def set_appearance(request: HttpRequest) -> HttpResponse:
    """Choose light or dark, or the contrast, without JavaScript.

    POST theme= or contrast= (empty: as the device) and next=: keeps the choice and goes back.
    """
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = "/"
    response = HttpResponseRedirect(back)
    for name in requests.CHOICES:
        value = request.POST.get(name)
        if value is None:
            continue
        if value not in requests.CHOICES[name]:
            return HttpResponseBadRequest()
        requests.choose(response, name, value)
    return response


@require_safe
def flags_picture(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Draw the flags of a tournament as one picture, kept for good under its digest.

    A page that is older than the newest country gets the newest sheet, for now.
    """
    tournament = visible_tournament_or_404(request, slug)
    offer(request, tournament.pk, tournament.public_version, math.inf)
    flags = flag_sheet(tournament)
    answer = HttpResponse(drawn(flags.codes), content_type="image/svg+xml")
    if flags.address == request.path:
        patch_cache_control(answer, private=True, max_age=A_YEAR, immutable=True)
    else:
        patch_cache_control(answer, private=True, no_cache=True)
    return answer


@require_safe
@never_cache
def now(request: HttpRequest) -> JsonResponse:
    """Tell the server's time, for the clocks on every screen: {"now": milliseconds since 1970}."""
    return JsonResponse({"now": round(timezone.now().timestamp() * 1000)})


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest, script: str) -> HttpResponse:
    """Send a script that a browser keeps running, asked for anew each time.

    Each rules what lies below its own address, so that is not under /static/.
    """
    path = finders.find(script)
    if not isinstance(path, str):
        raise Http404
    with open(path, encoding="utf-8") as text:
        return HttpResponse(text.read(), content_type="text/javascript; charset=utf-8")
