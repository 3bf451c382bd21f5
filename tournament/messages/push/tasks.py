"""Sending notes to phones. What encrypts is loaded only where it is done: every process knows the tasks by name."""

from datetime import timedelta
from typing import Any

from celery import shared_task

from config.celery import periodic
from tournament.messages.push import services

AT_ONCE = 50
"""Notes in one task: between two a document is made, and another worker takes its share."""
TRIES = 3
PAUSE = 20
"""Seconds before what could not be sent is tried again; twice as many before the last time."""


@shared_task
def tell_phones(tournament_id: int, seq: int) -> None:
    """Tell the phones whom a write concerns."""
    from tournament.messages.push import telling

    _send(telling.notes_after(tournament_id, seq))


@shared_task
def welcome_phone(phone_id: int) -> None:
    """A phone's first message."""
    from tournament.messages.push import telling

    _send(telling.notes_for_new(phone_id))


@shared_task
def send_notes(notes: list[dict[str, Any]], attempt: int = 1) -> None:
    """Send notes to their phones. What is not taken is tried again, all of it together, and given up after TRIES.

    A phone that was never reached is given up with it, after a minute: its address may be made up.
    """
    from tournament.messages.push import telling

    left = telling.send(notes)
    if left and attempt < TRIES:
        send_notes.apply_async((left, attempt + 1), countdown=PAUSE * attempt)
    else:
        services.forget_unreached([note["phone"] for note in left])


@periodic(every=timedelta(days=1))
def forget_phones() -> None:
    """Delete the phones of tournaments that ended a week ago."""
    services.forget_phones()


def _send(notes: list[dict[str, Any]]) -> None:
    for start in range(0, len(notes), AT_ONCE):
        send_notes.delay(notes[start : start + AT_ONCE])
