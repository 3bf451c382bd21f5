"""What follows for the standings when a player is not there."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.engine.attendance import Attendance, Credit


class AttendanceForm(forms.Form):
    stand_in = forms.ChoiceField(
        label=_("Where a stand-in plays to the end, the result is"),
        choices=[
            (Credit.NOBODY.value, _("nobody's: the player gets 0 table points and 0 points")),
            (Credit.PLAYER.value, _("the absent player's")),
        ],
    )
    withdrawn_ranked = forms.ChoiceField(
        label=_("Who withdraws"),
        choices=[("yes", _("keeps a rank")), ("no", _("is listed without a rank"))],
    )

    @staticmethod
    def of(attendance: Attendance) -> dict[str, Any]:
        """What the form starts from."""
        return {
            "stand_in": attendance.stand_in.value,
            "withdrawn_ranked": "yes" if attendance.withdrawn_ranked else "no",
        }

    def attendance(self) -> Attendance:
        """What was entered; call when the form is valid."""
        data = self.cleaned_data
        return Attendance(Credit(data["stand_in"]), data["withdrawn_ranked"] == "yes")
