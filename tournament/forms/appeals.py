"""What an umpire rules on an appeal, and why nothing follows from it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forms.problems import ServiceChecked
from tournament.forms.spoken import Form

LONGEST = 2000


class RulingForm(Form):
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
    alone = ServiceChecked(
        label=_("Why can nobody else rule on it?"),
        help_text=_("You took the decision that it is against. The log keeps this."),
        max_length=300,
    )

    def __init__(self, *args: Any, own: bool, **kwargs: Any) -> None:
        """`own`: the appeal is against a decision of who rules, an organiser."""
        super().__init__(*args, **kwargs)
        if not own:
            del self.fields["alone"]


class WaiverForm(Form):
    because = ServiceChecked(label=_("Why is nothing changed, or what was done instead?"), max_length=300)
