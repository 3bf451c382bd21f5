"""The periodic job of accounts."""

from datetime import timedelta

from django.utils import timezone

from config.celery import periodic
from tournament.accounts.services import delete_expired


@periodic(every=timedelta(days=1))
def forget_sign_ins() -> None:
    """Delete browser sessions and tokens that expired a month ago. Until then a token gets the error "expired"."""
    delete_expired(timezone.now() - timedelta(days=30))
