"""Forms for ruling on an appeal, naming its committee, and closing a granted one without a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from tournament.base.models.log import name_of
from tournament.fouls.services.appeals import LONGEST_TEXT
from tournament.web.forms import Form, ServiceChecked


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
        max_length=LONGEST_TEXT,
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


class CommitteeForm(Form):
    """Which three of those who may rule on the appeal. None ticked: no committee."""

    members = forms.TypedMultipleChoiceField(
        label=_("Committee"),
        help_text=_(
            "The chief umpire and two. Who took the decision, or plays at that table, is not offered."
        ),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, people: Sequence[User], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {user.pk: user for user in people}
        chooser = self.fields["members"]
        assert isinstance(chooser, forms.MultipleChoiceField)
        chooser.choices = [(user.pk, name_of(user)) for user in people]

    def named(self) -> list[User]:
        """Return who was ticked; call when the form is valid."""
        return [self.people[key] for key in self.cleaned_data["members"]]


class WaiverForm(Form):
    because = ServiceChecked(label=_("Why is nothing changed, or what was done instead?"), max_length=300)
