"""Signing in, and a new password of one's own."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.utils.translation import gettext_lazy as _

from tournament.forms.spoken import Spoken
from tournament.words.fields import ACCOUNTS

AGAIN = _("The same password again")


class SignInForm(Spoken, AuthenticationForm):
    error_messages = {code: ACCOUNTS[code] for code in ("invalid_login", "inactive")}


class NewPasswordForm(Spoken, PasswordChangeForm):
    error_messages = {code: ACCOUNTS[code] for code in ("password_mismatch", "password_incorrect")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("The password you have now")
        self.fields["new_password2"].label = AGAIN
        self.fields["new_password2"].help_text = ""
