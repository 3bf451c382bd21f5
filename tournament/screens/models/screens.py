"""Screens in the hall: what each goes through, and how it is steered."""

from datetime import datetime

from django.db import models

from tournament.base.models.tournament import Tournament
from tournament.screens.engine.screens import Kind, Steering, Turn

MAIN = "main"
"""The screen that every tournament has, arranged or not."""


class Screen(models.Model):
    """A rotation under a name; any number of projectors show it, all the same page.

    Without `turns` it chooses by itself.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="screens")
    name = models.SlugField(max_length=40, allow_unicode=True)
    turns = models.JSONField(default=list, blank=True)
    """[{"kind", "seconds"}], in order."""
    since = models.DateTimeField()
    """When the rotation was at its start."""
    only = models.CharField(max_length=20, blank=True)
    """The one kind that is shown; empty for all."""
    page = models.PositiveSmallIntegerField(default=0)
    """The page of it that is held; 0 for all, by turns."""
    turn = models.SmallIntegerField(default=-1)
    """The place in the rotation of what is held."""
    steered_at = models.DateTimeField()

    class Meta:
        ordering = ["tournament_id", "name"]
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="one_screen_a_name")]

    def __str__(self) -> str:
        return f"{self.tournament}, screen {self.name}"

    @property
    def is_automatic(self) -> bool:
        return not self.turns

    @property
    def rotation(self) -> tuple[Turn, ...]:
        return tuple(Turn(Kind(one["kind"]), one["seconds"]) for one in self.turns)

    @property
    def steering(self) -> Steering:
        return Steering(as_ms(self.since), Kind(self.only) if self.only else None, self.page, self.turn)


def as_ms(moment: datetime) -> int:
    """Milliseconds since 1970."""
    return round(moment.timestamp() * 1000)
