"""The first organiser's account, made on the first visit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import Problem
from tournament.accounts import setup_code
from tournament.accounts.forms.sign_in import AGAIN
from tournament.web.forms.spoken import Spoken
from tournament.web.texts.fields import ACCOUNTS, USERNAME
from tournament.web.texts.problems import sentence


class FirstOrganiserForm(Spoken, BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password, guarded by the code that was printed when Hule started. Read only; a service writes."""

    code = forms.CharField(
        label=_("Code"),
        help_text=_("It was printed where Hule was started."),
        max_length=40,
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters", "spellcheck": "false"}
        ),
    )
    full_name = forms.CharField(
        label=_("Your name"), help_text=_("The log shows it."), max_length=150, required=False
    )
    error_messages = {"password_mismatch": ACCOUNTS["password_mismatch"]}
    field_order = ["code", "full_name", "username", "password1", "password2"]

    class Meta:
        model = User
        fields = ["username"]
        labels = {"username": _("Name to sign in with")}
        help_texts = {"username": ""}
        error_messages = {"username": {"invalid": USERNAME}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password2"].label = AGAIN
        self.fields["password2"].help_text = ""

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not setup_code.check(code):
            raise forms.ValidationError(sentence(Problem("wrong_setup_code")))
        return code
