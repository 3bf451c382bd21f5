"""Ceremonies: standings told from the last place to the first."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament


class Ceremony(models.Model):
    """One reveal. Its lines are those of the moment it began: a correction meanwhile moves nobody on the stage."""

    class Kind(models.TextChoices):
        PLAYERS = "players", _("Players")
        TEAMS = "teams", _("Teams")
        NATIONS = "nations", _("Nations")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="ceremonies")
    kind = models.CharField(max_length=8, choices=Kind)
    first = models.PositiveSmallIntegerField(null=True, blank=True)
    """So many places are told; None: all."""
    lines = models.JSONField()
    """[{"rank", "name", "country", "about", "table_points", "game_points"}] of these places, the best first. Only what
    `told` steps have reached is for anybody but the organisers."""
    told = models.PositiveSmallIntegerField(default=0)
    """How many steps have been told."""
    started_at = models.DateTimeField()
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["tournament_id", "-started_at", "-id"]
        verbose_name_plural = "ceremonies"
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"], condition=models.Q(ended_at=None), name="one_ceremony_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: ceremony of the {self.kind}"
