"""Sending mail."""

from datetime import timedelta

from celery import shared_task
from django.conf import settings

from config.celery import periodic
from tournament.messages.mail import delivery


@shared_task
def send_mail(mail_id: int) -> None:
    """Send a letter that was just posted, and whatever else is due: the first of many posted together sends all."""
    delivery.deliver()


@periodic(every=timedelta(minutes=1), enabled=bool(settings.EMAIL_HOST))
def send_mail_due() -> None:
    """Send the letters that are to be tried again, and those that were posted while the queue was away."""
    delivery.let_go()
    delivery.deliver()
