"""Forgetting registrations that nobody confirmed."""

from datetime import timedelta

from django.utils import timezone

from config.celery import periodic
from tournament.registration.services import registrations


@periodic(every=timedelta(days=1))
def forget_unconfirmed() -> None:
    """Delete registrations whose link to confirm has run out."""
    registrations.forget_unconfirmed(timezone.now())
