"""Webhooks of an event and their deliveries."""

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.models import Delivery, Webhook


def webhooks_of(tournament: Tournament) -> QuerySet[Webhook]:
    """Return webhooks with the counts `waiting` and `failed`, and `arrived_at`, the time of the last success."""
    delivered = Delivery.objects.filter(webhook=OuterRef("pk"), state=Delivery.State.DELIVERED)
    waiting = Q(deliveries__state__in=(Delivery.State.WAITING, Delivery.State.SENDING))
    return tournament.webhooks.annotate(
        waiting=Coalesce(Count("deliveries", filter=waiting), 0),
        failed=Coalesce(Count("deliveries", filter=Q(deliveries__state=Delivery.State.FAILED)), 0),
        arrived_at=Subquery(delivered.order_by("-done_at").values("done_at")[:1]),
    )


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries, newest first."""
    return webhook.deliveries.select_related("webhook")
