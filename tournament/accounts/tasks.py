"""Forgetting who was signed in."""

from datetime import timedelta

from django.utils import timezone

from config.celery import periodic
from tournament.accounts.services import forget_what_is_over


@periodic(every=timedelta(days=1))
def forget_sign_ins() -> None:
    """Delete sessions and tokens that ran out a month ago. Until then a token can say that it did."""
    forget_what_is_over(timezone.now() - timedelta(days=30))
