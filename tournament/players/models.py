"""Until when people have to be there, and whether they may say so themselves."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament


class CheckIn(models.Model):
    """How people are checked in. A tournament without one goes by its timetable, and at the desk alone.

    Who is there stands with the player: `Player.checked_in_at`.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="check_in")
    ends_at = models.DateTimeField(_("be there by"), null=True, blank=True)
    """None: a quarter of an hour before the first session."""
    by_themselves = models.BooleanField(_("people may check themselves in"), default=False)
    """With the code that a screen at the door shows."""

    def __str__(self) -> str:
        return f"check-in of {self.tournament}"
