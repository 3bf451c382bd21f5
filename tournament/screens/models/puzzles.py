"""Puzzles that an organiser adds to the quiz of an event."""

from django.conf import settings
from django.db import models

from tournament.base.models.tournament import Tournament


class Puzzle(models.Model):
    """A hand to be judged: a whole one for what it is worth, thirteen tiles for what completes them."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="puzzles")
    uuid = models.UUIDField()
    """The client's own: added twice is added once."""
    record = models.JSONField()
    """The hand as the calculator reads it (`Hand.from_json`); of thirteen tiles without the winning one."""
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["made_at", "id"]
        constraints = [models.UniqueConstraint(fields=["tournament", "uuid"], name="one_puzzle_a_uuid")]

    def __str__(self) -> str:
        return f"{self.tournament}, puzzle {self.uuid}"
