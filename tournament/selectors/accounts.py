"""What an account is guarded by, and where it is in use: its second factor, its browsers, its programs."""

from __future__ import annotations

from django.contrib.auth.models import User
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice


def has_second_factor(user: User) -> bool:
    return TOTPDevice.objects.filter(user=user, confirmed=True).exists()


def second_factor_begun(user: User) -> TOTPDevice | None:
    """The secret that waits for the app's first code."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def recovery_codes_left(user: User) -> int:
    return StaticToken.objects.filter(device__user=user).count()
