"""An event's retention of contact data."""

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament

USUAL_DAYS = 14
"""The default number of days after the last session until contact data is deleted."""


class PrivacyPlan(models.Model):
    """How long contact data is stored, and how much was deleted. A tournament without one has the default."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="privacy_plan")
    contact_days = models.PositiveSmallIntegerField(
        _("days after the last session"),
        default=USUAL_DAYS,
        validators=[MaxValueValidator(366)],
        help_text=_(
            "For example 14: time to send results and settle payments. Then contact data is deleted."
        ),
    )
    deleted_at = models.DateTimeField(null=True, blank=True)
    """When contact data was last deleted."""
    deleted_people = models.PositiveIntegerField(default=0)
    """Of how many people contact data was deleted in all."""
    deleted_letters = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"privacy of {self.tournament}"
