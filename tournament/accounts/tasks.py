"""The tasks of accounts."""

from datetime import timedelta

from celery import shared_task
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.views.decorators.debug import sensitive_variables

from config.celery import periodic
from tournament.accounts.services import delete_expired
from tournament.accounts.texts import password_letter
from tournament.base.requests import site_address
from tournament.messages.mail import delivery


@shared_task
@sensitive_variables()
def send_password_link(user_id: int, language: str) -> None:
    """Send the link to a new password. It is stored nowhere, so that nobody else can read it."""
    user = User.objects.get(pk=user_id)
    key = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("password_new", args=[key, default_token_generator.make_token(user)])
    subject, text = password_letter(language, user.get_username(), f"{site_address()}{path}")
    delivery.send_now(user.email, subject, text)


@periodic(every=timedelta(days=1))
def forget_sign_ins() -> None:
    """Delete browser sessions and tokens that expired a month ago. Until then a token gets the error "expired"."""
    delete_expired(timezone.now() - timedelta(days=30))
