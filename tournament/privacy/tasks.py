"""The task that deletes contact data in time."""

from datetime import timedelta

from django.utils import timezone

from config.celery import periodic
from tournament.base.access import Actor
from tournament.privacy.services import delete_old_contacts


@periodic(every=timedelta(days=1))
def forget_contacts() -> None:
    """Delete contact data whose retention is over."""
    delete_old_contacts(Actor.system("worker"), timezone.now())
