"""Turning the second factor of one's own account on and off, and its recovery codes."""

from __future__ import annotations

from base64 import b32encode

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournament.accounts.forms.sign_in import FirstCodeForm, PasswordAndCodeForm
from tournament.accounts.selectors import has_second_factor, second_factor_begun
from tournament.accounts.services.second_factor import (
    begin_second_factor,
    confirm_second_factor,
    end_second_factor,
    renew_recovery_codes,
)
from tournament.accounts.views.account import of_account
from tournament.accounts.views.signing_in import slowed
from tournament.base.errors import Refused
from tournament.web.display.qr import qr_of
from tournament.web.forms.problems import add_problems


@require_POST
@of_account
def begin(request: HttpRequest, user: User) -> HttpResponse:
    """A secret for the app, shown on the next page until it is confirmed."""
    if has_second_factor(user):
        return redirect("account")
    begin_second_factor(user)
    return redirect("second_factor")


@sensitive_post_parameters()
@sensitive_variables()
@of_account
def confirm(request: HttpRequest, user: User) -> HttpResponse:
    """The secret as a picture and as text; a code from it turns the second factor on."""
    device = second_factor_begun(user)
    if device is None:
        return redirect("account")
    form = FirstCodeForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            codes = confirm_second_factor(user, form.cleaned_data["code"])
        except Refused as refused:
            add_problems(form, refused)
        else:
            return _told(request, codes)
    context = {"form": form, "qr": qr_of(device.config_url), "secret": _spelled(device)}
    return slowed(render(request, "accounts/second_factor.html", context), form)


@sensitive_post_parameters()
@sensitive_variables()
@of_account
def turn_off(request: HttpRequest, user: User) -> HttpResponse:
    """With the password and a code."""
    if not has_second_factor(user):
        return redirect("account")
    form = PasswordAndCodeForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        end_second_factor(user)
        messages.success(request, _("The second factor is off: the password is enough again."))
        return redirect("account")
    return slowed(render(request, "accounts/second_factor_off.html", {"form": form}), form)


@sensitive_post_parameters()
@sensitive_variables()
@of_account
def new_codes(request: HttpRequest, user: User) -> HttpResponse:
    """With the password and a code. Those before open nothing any more."""
    if not has_second_factor(user):
        return redirect("account")
    form = PasswordAndCodeForm(request, user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _told(request, renew_recovery_codes(user))
    return slowed(render(request, "accounts/recovery_codes_new.html", {"form": form}), form)


def _told(request: HttpRequest, codes: list[str]) -> HttpResponse:
    """Once: the answer to what made them, and to nothing else."""
    return render(request, "accounts/recovery_codes.html", {"codes": codes})


def _spelled(device: TOTPDevice) -> str:
    """The secret as an app takes it, in groups of four to be typed."""
    secret = b32encode(device.bin_key).decode()
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
