"""Signing in: name and password, then the code of the second factor where there is one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_variables

from tournament.accounts.sign_in.attempts import check_code, check_password, who_signs_in
from tournament.base.errors import TooMany
from tournament.web.forms.problems import add_problems
from tournament.web.forms.spoken import Form, Spoken
from tournament.web.texts.fields import ACCOUNTS

AGAIN = _("The same password again")

CODE = {"autocomplete": "one-time-code", "inputmode": "numeric", "spellcheck": "false"}


class Waits(forms.BaseForm):
    """A form with a secret in it. `wait`: seconds until the next attempt is looked at; None when this one was."""

    wait: int | None = None

    def slowed(self, by: TooMany) -> None:
        self.wait = by.wait
        add_problems(self, by)


class SignInForm(Spoken, AuthenticationForm, Waits):
    """Django's own, within limits."""

    error_messages = {code: ACCOUNTS[code] for code in ("invalid_login", "inactive")}

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if not (name and password and self.request):
            return self.cleaned_data
        try:
            found = who_signs_in(self.request, name, password)
        except TooMany as slowed:
            self.slowed(slowed)
            return self.cleaned_data
        if found is None:
            raise self.get_invalid_login_error()
        self.user_cache = found
        self.confirm_login_allowed(found)
        return self.cleaned_data


class CodeForm(Form, Waits):
    """The code of the second factor, or a recovery code."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("Six digits from your authenticator app, or one of your recovery codes."),
        max_length=24,
        widget=forms.TextInput(attrs=CODE),
    )

    def __init__(self, request: HttpRequest, user: User, *args: Any, **kwargs: Any) -> None:
        self.request, self.user = request, user
        super().__init__(*args, **kwargs)

    @sensitive_variables()
    def clean(self) -> dict[str, Any]:
        if code := self.cleaned_data.get("code"):
            try:
                self.check(code)
            except TooMany as slowed:
                self.slowed(slowed)
        return self.cleaned_data

    @sensitive_variables()
    def check(self, code: str) -> None:
        self.check_code(code)

    @sensitive_variables()
    def check_code(self, code: str) -> None:
        if not check_code(self.request, self.user, code):
            self.add_error("code", _("This code is wrong, or it was used already."))


class PasswordAndCodeForm(CodeForm):
    """Both once more: for what somebody at a device that was left signed in is not to do."""

    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    field_order = ["password", "code"]

    @sensitive_variables()
    def check(self, code: str) -> None:
        password = self.cleaned_data.get("password")
        if password is None:
            return
        if not check_password(self.user, password):
            self.add_error("password", _("This is not your password."))
        else:
            self.check_code(code)


class FirstCodeForm(PasswordAndCodeForm):
    """The password once more, and the first code of a new app, which the service checks."""

    field_order = ["password", "code"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six digits that the app shows now.")

    def check_code(self, code: str) -> None:
        """Not here: it is no code of the account yet."""


class NewPasswordForm(Spoken, PasswordChangeForm, Waits):
    """Django's own; the old password is not to be guessed here either."""

    error_messages = {code: ACCOUNTS[code] for code in ("password_mismatch", "password_incorrect")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = _("The password you have now")
        self.fields["new_password2"].label = AGAIN
        self.fields["new_password2"].help_text = ""

    @sensitive_variables()
    def clean_old_password(self) -> str:
        given: str = self.cleaned_data["old_password"]
        try:
            if not check_password(self.user, given):
                self.add_error("old_password", _("This is not your password."))
        except TooMany as slowed:
            self.slowed(slowed)
        return given
