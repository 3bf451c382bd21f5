"""A player's phone asks to be told, and stops it: without an account, so within limits.

What the page shows follows from the browser's own subscription: the page is the same for everybody.
"""

import json
from urllib.parse import urlsplit

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseForbidden,
    JsonResponse,
)
from django.shortcuts import get_object_or_404
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from tournament.base.access import Audience
from tournament.base.errors import Refused, TooMany
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.base.requests import place_of
from tournament.messages.push.services import Subscription, stop_telling, tell_phone
from tournament.web.views import actor_of, tournament_part, visible_tournament_or_404

LARGEST = 4096
"""Bytes of a subscription."""


@tournament_part
def manifest(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """The player's page as something that stands on the home screen: an iPhone tells of messages only from there."""
    player = get_object_or_404(tournament.players, number=number)
    address = reverse("player_page", args=[tournament.slug, number])
    content = {
        "id": address,
        "name": f"{player.name} · {tournament.name}",
        "short_name": tournament.name,
        "lang": get_language(),
        "start_url": address,
        "scope": "/",
        "display": "standalone",
        "icons": [{"src": static("icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(content, content_type="application/manifest+json")


# A page with a token of its own could not be kept for everybody; the browser itself says that a page of this site asks.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST", "DELETE"])
def phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give the key to subscribe with (GET); begin and stop telling (POST, DELETE, with a subscription as JSON)."""
    if request.method in ("POST", "DELETE"):
        return _write(request, slug, number)
    get_object_or_404(visible_tournament_or_404(request, slug).players, number=number)
    from tournament.messages.push.keys import public_key  # cryptography is loaded by the few that need it

    return JsonResponse({"key": public_key()})


def _write(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        return HttpResponseForbidden()
    wanted = _subscription(request)
    if wanted is None:
        return HttpResponseBadRequest()
    if request.method == "DELETE":
        stop_telling([wanted.endpoint])  # whoever knows the address is the phone, whatever it may see by now
        return HttpResponse(status=204)
    player = get_object_or_404(visible_tournament_or_404(request, slug).players, number=number)
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        language = get_language() or "en"
        tell_phone(player, actor_of(request), wanted, language=language, site=host, address=place_of(request))
    except Refused as refused:
        status = 429 if isinstance(refused, TooMany) else 409
        return JsonResponse({"problem": sentence(refused.problems[0])}, status=status)
    return HttpResponse(status=204)


def _subscription(request: HttpRequest) -> Subscription | None:
    """A subscription as `PushSubscription.toJSON` gives it; None for anything else."""
    if len(request.body) > LARGEST:
        return None
    try:
        given = json.loads(request.body)
        texts = given["endpoint"], given["keys"]["p256dh"], given["keys"]["auth"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return Subscription(*texts) if all(isinstance(text, str) and text.isascii() for text in texts) else None
