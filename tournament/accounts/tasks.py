"""The tasks of accounts."""

from datetime import timedelta

from celery import shared_task
from django.contrib.auth.models import User
from django.utils import timezone

from config.celery import periodic
from tournament.accounts import services


@shared_task
def send_password_link(user_id: int, language: str) -> None:
    """Send the link to a new password."""
    services.send_password_link(User.objects.get(pk=user_id), language)


@periodic(every=timedelta(days=1))
def forget_sign_ins() -> None:
    """Delete browser sessions and tokens that expired a month ago. Until then a token gets the error "expired"."""
    services.delete_expired(timezone.now() - timedelta(days=30))
