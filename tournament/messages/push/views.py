"""Subscribe and unsubscribe a phone: without an account, so rate-limited.

Pages are the same for everybody; what the button shows follows from the browser's own subscription.
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

from config.front.addresses import rate_limit_key
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused, TooMany
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.messages.push.services import Subscription, subscribe_phone, unsubscribe_phones
from tournament.web.views import actor_of, tournament_part, visible_tournament_or_404

MAX_BODY_BYTES = 4096
"""Of a subscription in JSON."""


@tournament_part
def manifest(request: HttpRequest, tournament: Tournament, audience: Audience, number: int) -> HttpResponse:
    """Return the web app manifest of a player's page: iOS only delivers push messages to home-screen apps."""
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


# A CSRF token would make the page personal and uncacheable; Sec-Fetch-Site is checked instead.
@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST", "DELETE"])
def phone(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """GET: return the public key. POST and DELETE: subscribe and unsubscribe, with the subscription as JSON."""
    if request.method in ("POST", "DELETE"):
        return _write(request, slug, number)
    get_object_or_404(visible_tournament_or_404(request, slug).players, number=number)
    from tournament.messages.push.keys import public_key  # imports cryptography, which is slow

    return JsonResponse({"key": public_key()})


def _write(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        return HttpResponseForbidden()
    subscription = _subscription(request)
    if subscription is None:
        return HttpResponseBadRequest()
    if request.method == "DELETE":
        # Whoever knows the endpoint is the phone, even if the tournament is no longer visible to it.
        unsubscribe_phones([subscription.endpoint])
        return HttpResponse(status=204)
    player = get_object_or_404(visible_tournament_or_404(request, slug).players, number=number)
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        language = get_language() or "en"
        subscribe_phone(
            player,
            actor_of(request),
            subscription,
            language=language,
            site=host,
            address=rate_limit_key(request),
        )
    except Refused as refused:
        status = 429 if isinstance(refused, TooMany) else 409
        return JsonResponse({"problem": sentence(refused.problems[0])}, status=status)
    return HttpResponse(status=204)


def _subscription(request: HttpRequest) -> Subscription | None:
    """Parse the body as `PushSubscription.toJSON` writes it; None if it is malformed."""
    if len(request.body) > MAX_BODY_BYTES:
        return None
    try:
        data = json.loads(request.body)
        texts = data["endpoint"], data["keys"]["p256dh"], data["keys"]["auth"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return Subscription(*texts) if all(isinstance(text, str) and text.isascii() for text in texts) else None
