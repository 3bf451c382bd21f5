"""Appeals: an objection to what a table's sheet says, and the ruling on it."""

from django.conf import settings
from django.db import models

from tournament.models.people import Player
from tournament.models.play import Table


class Appeal(models.Model):
    """Open until ruled. A ruling moves no figure: a hand is corrected or a penalty cancelled beside it."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="appeals")
    uuid = models.UUIDField(unique=True)
    player = models.ForeignKey(Player, models.PROTECT, related_name="appeals")
    """Who appeals."""
    hand_number = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField()
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    granted = models.BooleanField(null=True, blank=True)
    ruling = models.TextField(blank=True)
    ruled_at = models.DateTimeField(null=True, blank=True)
    ruled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["opened_at", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ruled_at=None, granted=None, ruling="")
                | (models.Q(ruled_at__isnull=False, granted__isnull=False) & ~models.Q(ruling="")),
                name="a_ruling_is_whole",
            )
        ]

    def __str__(self) -> str:
        return f"appeal of {self.player} at {self.table}"

    @property
    def is_open(self) -> bool:
        return self.ruled_at is None
