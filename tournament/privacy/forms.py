"""How long contact data is kept, and a name typed once more."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.privacy.selectors import LONGEST
from tournament.web.forms import Form


class PrivacyForm(Form):
    contact_days = forms.IntegerField(
        label=_("Days after the last session"),
        help_text=_(
            "For example 14: time to send results and settle what is owed. Then contact data is deleted."
        ),
        min_value=0,
        max_value=LONGEST,
    )


class ErasureForm(Form):
    """The name of whoever is erased, so that nobody is by a slip."""

    name = forms.CharField(label=_("Their name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
