"""Tasks that send webhook deliveries."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from config.celery import periodic
from tournament.messages.webhooks import delivery


@shared_task
def send_webhooks() -> None:
    """Send every delivery that is due, not only those that were just queued."""
    delivery.deliver()


@periodic(every=timedelta(minutes=1))
def send_webhooks_due() -> None:
    """Send the deliveries that are due for a retry, or were queued while the task queue was unreachable."""
    delivery.requeue_stale()
    delivery.deliver()


@periodic(every=timedelta(days=1))
def forget_deliveries() -> None:
    delivery.delete_old(timezone.now())
