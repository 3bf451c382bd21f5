"""Where a target's page is, for letters."""

from __future__ import annotations

from django.urls import reverse

from tournament.messages.webhooks.models import Webhook


def link_of(webhook: Webhook) -> str:
    """It begins with what the organiser's browser said when the target was added."""
    path = reverse("organiser_webhook", args=[webhook.tournament.slug, webhook.number])
    return f"{webhook.site.rstrip('/')}{path}"
