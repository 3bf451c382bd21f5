"""What follows for the standings when a player is not there."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from penalties.engine.sanctions import MOST_POINTS
from tournament.base.engine.attendance import Attendance, Credit
from tournament.web.forms.spoken import Form


class AttendanceForm(Form):
    stand_in = forms.ChoiceField(
        label=_("Where a stand-in plays to the end, the result is"),
        choices=[
            (
                Credit.NOBODY.value,
                _(
                    "nobody’s: no place at the table, and the absent player has 0 table points and what they owe"
                ),
            ),
            (Credit.PLAYER.value, _("the absent player’s, with the place")),
        ],
    )
    withdrawn_ranked = forms.ChoiceField(
        label=_("Who withdraws after having played"),
        help_text=_("Who withdraws before that is neither ranked nor counted."),
        choices=[("yes", _("keeps a rank")), ("no", _("is listed without a rank"))],
    )

    starting_points = forms.IntegerField(
        label=_("Points a player starts a session with"),
        help_text=_(
            "Lateness docks no more than a player holds. 0: nobody starts with points, and it grows on."
        ),
        min_value=0,
        max_value=MOST_POINTS,
    )

    @staticmethod
    def of(attendance: Attendance) -> dict[str, Any]:
        """What the form starts from."""
        return {
            "stand_in": attendance.stand_in.value,
            "withdrawn_ranked": "yes" if attendance.withdrawn_ranked else "no",
            "starting_points": attendance.starting_points,
        }

    def attendance(self) -> Attendance:
        """What was entered; call when the form is valid."""
        data = self.cleaned_data
        return Attendance(
            Credit(data["stand_in"]), data["withdrawn_ranked"] == "yes", data["starting_points"]
        )
