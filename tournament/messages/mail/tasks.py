"""Tasks that send mail."""

from datetime import timedelta

from celery import shared_task
from django.conf import settings

from config.celery import periodic
from tournament.messages.mail import delivery


@shared_task
def send_mail(mail_id: int) -> None:
    """Send every mail that is due, not only the one that was just queued."""
    delivery.deliver()


@periodic(every=timedelta(minutes=1), enabled=bool(settings.EMAIL_HOST))
def send_mail_due() -> None:
    """Send the mails that are due for a retry, or were queued while the task queue was unreachable."""
    delivery.expire_claims()
    delivery.deliver()
