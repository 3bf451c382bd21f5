"""The seed of a draw."""

from __future__ import annotations

import secrets

from django import forms
from django.utils.translation import gettext_lazy as _


def proposed_seed() -> str:
    """Six numbers, as a lottery draws them; anything else serves as well."""
    numbers = sorted(secrets.SystemRandom().sample(range(1, 50), 6))
    return " · ".join(map(str, numbers))


class SeedForm(forms.Form):
    seed = forms.CharField(
        label=_("Seed"),
        help_text=_(
            "The same players and the same seed give the same seats, whoever draws. "
            "Take something the hall can check: lottery numbers, a word called out."
        ),
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
