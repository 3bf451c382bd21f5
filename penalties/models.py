"""Penalties given: the foul, the facts the umpire stated, and the sanction with its effect on the four scores."""

from django.conf import settings
from django.db import models

from penalties.engine import Sanction
from penalties.engine.sanctions import AT_TABLE


class Penalty(models.Model):
    """One foul and what followed from it. Never deleted: a cancelled one keeps who and why, and counts nothing."""

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
    """What the umpire stated, of `penalties.engine.facts.DETAILS`."""
    occurrence = models.PositiveSmallIntegerField(default=1)
    """Which time this was within the foul's scope, as counted when it was given."""
    sanction = models.JSONField()
    """The sanction imposed, as `penalties.engine` writes it."""
    proposed = models.JSONField(null=True, blank=True)
    """What the foul book said, where the umpire imposed something else; None where they agree."""
    because = models.CharField(max_length=300, blank=True)
    """Why the umpire imposed something else."""
    effects = models.JSONField(default=dict, blank=True)
    """Player number (as text) → points gained or lost, in the unit of the sanction's scope."""
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
        """The effects that count in the scores of the table."""
        points = Sanction.from_json(self.sanction).points
        return self.effects if points and points.scope in AT_TABLE else {}
