"""Sending messages to programs and chats."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from config.celery import periodic
from tournament.messages.webhooks import delivery


@shared_task
def send_webhooks() -> None:
    """Tell programs and chats what has just happened, and whatever else is due."""
    delivery.deliver()


@periodic(every=timedelta(minutes=1))
def send_webhooks_due() -> None:
    """Send the messages that are to be tried again, and those that were written while the queue was away."""
    delivery.take_up_again()
    delivery.deliver()


@periodic(every=timedelta(days=1))
def forget_deliveries() -> None:
    """Delete messages to programs and chats that were written a month ago."""
    delivery.forget_old(timezone.now())
