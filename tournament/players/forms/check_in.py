"""Until when people have to be there, and how they say that they are."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament
from tournament.players.models import CheckIn
from tournament.web.forms.spoken import Form


class CheckInForm(Form):
    day = forms.DateField(
        label=_("Be there by: day"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    time = forms.TimeField(
        label=_("Time"),
        help_text=_("Empty: a quarter of an hour before the first session, by the timetable."),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
    )
    by_themselves = forms.BooleanField(
        label=_("People may check themselves in"),
        help_text=_("With the code that a screen at the door shows. It changes every five minutes."),
        required=False,
    )

    def __init__(self, tournament: Tournament, given: Any = None, **more: Any) -> None:
        super().__init__(given, **more)
        self._tournament = tournament

    @staticmethod
    def of(plan: CheckIn) -> dict[str, Any]:
        """What the form starts from."""
        at = timezone.localtime(plan.ends_at) if plan.ends_at else None
        return {
            "day": at.date() if at else plan.tournament.starts_on,
            "time": at.time() if at else None,
            "by_themselves": plan.by_themselves,
        }

    def clean_day(self) -> Any:
        day, event = self.cleaned_data["day"], self._tournament
        if day and not event.starts_on - timedelta(days=1) <= day <= event.ends_on:
            raise forms.ValidationError(_("Choose a day of the tournament, or the one before."))
        return day

    def ends_at(self) -> datetime | None:
        """The moment, by the hall's clock; call when the form is valid."""
        day, time = self.cleaned_data["day"] or self._tournament.starts_on, self.cleaned_data["time"]
        return datetime.combine(day, time, self._tournament.zone) if time else None
