"""An account of one's own, made by whoever was invited."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournament.accounts.forms.sign_in import AGAIN
from tournament.web.forms.spoken import Spoken
from tournament.web.texts.fields import ACCOUNTS, USERNAME


class JoinForm(Spoken, BaseUserCreationForm):  # type: ignore[type-arg]
    """Name and password. Read only; a service writes."""

    full_name = forms.CharField(
        label=_("Your name"), help_text=_("The log shows it."), max_length=150, required=False
    )
    error_messages = {"password_mismatch": ACCOUNTS["password_mismatch"]}
    field_order = ["full_name", "username", "password1", "password2"]

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
