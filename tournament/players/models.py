"""The settings of check-in."""

from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.errors import Invalid
from tournament.base.models.tournament import Tournament

CHECK_IN_OFF_DAY = problem_code("check_in_off_day", "Choose a day of the tournament, or the one before.")


class CheckIn(models.Model):
    """When check-in ends, and whether people may check themselves in. Who is there is in `Player.checked_in_at`."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="check_in")
    ends_at = models.DateTimeField(
        _("check-in closes at"),
        null=True,
        blank=True,
        help_text=_("Leave empty for a quarter of an hour before the first session."),
    )
    self_check_in = models.BooleanField(
        _("players may check themselves in"),
        default=False,
        help_text=_("With a code shown on a screen at the door. It changes every five minutes."),
    )

    def __str__(self) -> str:
        return f"check-in of {self.tournament}"

    def clean(self) -> None:
        """Check that it ends on a day of the event or the day before."""
        event = self.tournament
        day = self.ends_at and self.ends_at.astimezone(event.zone).date()
        if day and not event.starts_on - timedelta(days=1) <= day <= event.ends_on:
            raise ValidationError({"ends_at": Invalid(CHECK_IN_OFF_DAY())})
