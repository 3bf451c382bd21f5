"""The flags of a tournament, as one picture."""

from __future__ import annotations

import math

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from tournament.live.page_cache import offer
from tournament.web.display.flags import drawn, flag_sheet
from tournament.web.views.common import visible_tournament_or_404

A_YEAR = 365 * 24 * 3600


@require_safe
def sheet(request: HttpRequest, slug: str, digest: str) -> HttpResponse:
    """Kept for good under its digest. A page that is older than the newest country gets the newest sheet, for now."""
    tournament = visible_tournament_or_404(request, slug)
    offer(request, tournament.pk, tournament.public_version, math.inf)
    flags = flag_sheet(tournament)
    answer = HttpResponse(drawn(flags.codes), content_type="image/svg+xml")
    if flags.address == request.path:
        patch_cache_control(answer, private=True, max_age=A_YEAR, immutable=True)
    else:
        patch_cache_control(answer, private=True, no_cache=True)
    return answer
