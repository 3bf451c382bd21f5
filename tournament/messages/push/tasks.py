"""Tasks that send push notifications.

`notifications` imports cryptography, which is slow, so only the worker that needs it imports it.
"""

from datetime import timedelta
from typing import Any

from celery import shared_task

from config.celery import periodic
from tournament.messages.push import services

BATCH_SIZE = 50
"""Notifications per task, so that other tasks run in between and other workers can share the work."""
MAX_TRIES = 3
RETRY_SECONDS = 20
"""Seconds before the second try; twice as many before the third."""


@shared_task
def tell_phones(tournament_id: int, seq: int) -> None:
    """Queue the notifications for a log entry."""
    from tournament.messages.push import notifications

    _send(notifications.notifications_for_entry(tournament_id, seq))


@shared_task
def welcome_phone(phone_id: int) -> None:
    """Queue a phone's first notification."""
    from tournament.messages.push import notifications

    _send(notifications.welcome_notifications(phone_id))


@shared_task
def send_notes(notes: list[dict[str, Any]], attempt: int = 1) -> None:
    """Send notifications, and retry those that were not accepted until MAX_TRIES.

    Phones that were never reached are deleted then: their endpoints may be invented.
    """
    from tournament.messages.push import notifications

    failed = notifications.send(notes)
    if failed and attempt < MAX_TRIES:
        send_notes.apply_async((failed, attempt + 1), countdown=RETRY_SECONDS * attempt)
    else:
        services.delete_unreached([note["phone"] for note in failed])


@periodic(every=timedelta(days=1))
def forget_phones() -> None:
    """Delete the phones of tournaments that ended a week ago."""
    services.delete_expired_phones()


def _send(notes: list[dict[str, Any]]) -> None:
    for start in range(0, len(notes), BATCH_SIZE):
        send_notes.delay(notes[start : start + BATCH_SIZE])
