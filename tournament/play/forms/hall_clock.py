"""Why the clock of the hall is paused, goes on, or runs longer: a usual reason to tap, or any other in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.play.services.timing import MOST
from tournament.web.forms.problems import ServiceChecked
from tournament.web.forms.spoken import Form


class ReasonForm(Form):
    """`usual`: the chips; the first is chosen beforehand where it nearly always is that."""

    usual: Sequence[str | Promise] = ()
    chosen = False

    why = forms.CharField(required=False, max_length=300)
    reason = ServiceChecked(
        label=_("Or in words"),
        required=False,
        max_length=300,
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    @property
    def said(self) -> str:
        """What was written, else what was tapped."""
        return str(self.cleaned_data.get("reason") or self.cleaned_data.get("why", ""))

    @property
    def chips(self) -> list[tuple[str, bool]]:
        """(reason, whether it is chosen)."""
        names = [str(name) for name in self.usual]
        tapped = self.data.get("why", "") if self.is_bound else names[0] if self.chosen else ""
        return [(name, name == tapped) for name in names]


class PauseForm(ReasonForm):
    usual = (_("Fire alarm"), _("Power or light"), _("Somebody needs help"), _("A word to everybody"))


class GoOnForm(ReasonForm):
    usual = (_("All clear"), _("Everybody is back"))
    chosen = True


class ExtendForm(ReasonForm):
    usual = (_("The start was late"), _("A disturbance"), _("Many tables are slow"))

    minutes = forms.IntegerField(
        label=_("How many minutes longer than planned?"),
        help_text=_("In all, for the whole hall; 0 takes them back."),
        min_value=0,
        max_value=MOST,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )

    def __init__(self, given: Any = None, *, longer: int = 0) -> None:
        super().__init__(given, initial={"minutes": longer or 5}, prefix=None)
        self.order_fields(["minutes", "why", "reason"])
