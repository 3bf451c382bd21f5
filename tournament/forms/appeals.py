"""What an umpire rules on an appeal."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.problems import ServiceChecked

LONGEST = 2000


class RulingForm(forms.Form):
    granted = forms.TypedChoiceField(
        label=_("The appeal is"),
        choices=[("yes", _("granted")), ("no", _("dismissed"))],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose one.")},
    )
    ruling = ServiceChecked(
        label=_("Ruling"),
        help_text=_("What is decided, and why."),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
