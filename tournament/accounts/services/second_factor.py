"""The second factor of an account: an authenticator app's code (RFC 6238), and recovery codes for when it is away.

django-otp keeps both. The recovery codes are stored as a keyed hash, so that neither the database nor a copy of it
opens anything.
"""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import salted_hmac
from django.views.decorators.debug import sensitive_variables
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.base.errors import refuse

CODES: Final = 10
CODE_LENGTH: Final = 10
"""Digits of a recovery code; an app's code has six."""
STORED_LENGTH: Final = 16
"""Letters that django-otp keeps of one: 64 bits."""


@transaction.atomic
def begin_second_factor(user: User) -> TOTPDevice:
    """A secret to put into an app. It counts for nothing until it is confirmed; an earlier one of the kind is gone."""
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()
    return TOTPDevice.objects.create(user=user, name="app", confirmed=False)


@sensitive_variables()
@transaction.atomic
def confirm_second_factor(user: User, code: str) -> list[str]:
    """The app has it: from now on it is asked for. Returns the recovery codes, which nobody can look up later."""
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=False).first()
    if device is None or not device.verify_token(_digits(code)):
        raise refuse("second_factor_code_wrong", "code")
    TOTPDevice.objects.filter(user=user, confirmed=True).delete()
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    return renew_recovery_codes(user)


@sensitive_variables()
@transaction.atomic
def renew_recovery_codes(user: User) -> list[str]:
    """New ones; those before open nothing any more."""
    StaticDevice.objects.filter(user=user).delete()
    kept = StaticDevice.objects.create(user=user, name="recovery codes")
    made = [f"{secrets.randbelow(10**CODE_LENGTH):0{CODE_LENGTH}}" for _code in range(CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=kept, token=_stored(user, one)) for one in made)
    return [f"{one[: CODE_LENGTH // 2]} {one[CODE_LENGTH // 2 :]}" for one in made]


@sensitive_variables()
@transaction.atomic
def take_code(user: User, code: str) -> bool:
    """Whether the app shows this now, or it is a recovery code. It counts once."""
    digits = _digits(code)
    if len(digits) == CODE_LENGTH:
        kept = StaticDevice.objects.select_for_update().filter(user=user).first()
        return kept is not None and kept.verify_token(_stored(user, digits))
    device = TOTPDevice.objects.select_for_update().filter(user=user, confirmed=True).first()
    return device is not None and device.verify_token(digits)


@transaction.atomic
def end_second_factor(user: User) -> bool:
    """The password is enough again; whether there was a second factor."""
    gone, _kinds = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return bool(gone)


def _digits(code: str) -> str:
    return "".join(one for one in code if one.isdecimal() and one.isascii())


def _stored(user: User, code: str) -> str:
    return salted_hmac("tournament.recovery-code", f"{user.pk}:{code}", algorithm="sha256").hexdigest()[
        :STORED_LENGTH
    ]
