"""The task that deletes expired registrations."""

from datetime import timedelta

from django.utils import timezone

from config.celery import periodic
from tournament.registration.services import registrations


@periodic(every=timedelta(days=1))
def forget_unconfirmed() -> None:
    """Delete registrations that were not confirmed in time."""
    registrations.delete_expired(timezone.now())
