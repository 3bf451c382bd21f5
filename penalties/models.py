"""Penalties: the foul, the facts that the umpire stated, and the sanction with its effect on the scores."""

from django.conf import settings
from django.db import models

from penalties.engine import Sanction
from penalties.engine.sanctions import AT_TABLE


class Penalty(models.Model):
    """A foul and its sanction. Never deleted: a cancelled penalty stays on record and does not count."""

    tournament = models.ForeignKey("tournament.Tournament", models.CASCADE, related_name="penalties")
    table = models.ForeignKey("tournament.Table", models.CASCADE, related_name="penalties")
    player = models.ForeignKey("tournament.Player", models.PROTECT, related_name="penalties")
    victim = models.ForeignKey(
        "tournament.Player", models.PROTECT, null=True, blank=True, related_name="penalties_suffered"
    )
    uuid = models.UUIDField(unique=True)
    foul = models.CharField(max_length=40)
    hand_number = models.PositiveSmallIntegerField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    """The stated facts of `penalties.engine.facts.DETAILS`."""
    occurrence = models.PositiveSmallIntegerField(default=1)
    """1 for the first such foul within the foul's scope, as counted when the penalty was given."""
    sanction = models.JSONField()
    """The sanction imposed (`Sanction.to_json`)."""
    proposed = models.JSONField(null=True, blank=True)
    """The foul book's sanction if the umpire imposed another; else None."""
    because = models.CharField(max_length=300, blank=True)
    """Why the umpire imposed another sanction."""
    effects = models.JSONField(default=dict, blank=True)
    """Changes of points by player number (as text), in the sanction's scope."""
    note = models.CharField(max_length=300, blank=True)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    given_at = models.DateTimeField()
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_because = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["given_at", "id"]
        verbose_name_plural = "penalties"

    def __str__(self) -> str:
        return f"{self.foul}: {self.player} at {self.table}"

    @property
    def is_cancelled(self) -> bool:
        return self.cancelled_at is not None

    @property
    def effects_at_table(self) -> dict[str, int]:
        """The effects on the scores of the table."""
        points = Sanction.from_json(self.sanction).points
        return self.effects if points and points.scope in AT_TABLE else {}
