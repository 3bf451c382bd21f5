"""Calls for the umpire."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.play import Table


class Call(models.Model):
    """A table waits for an umpire: raised, taken by one, done. A table has one call at a time."""

    class Topic(models.TextChoices):
        TILES = "tiles", _("wrong tile count")
        CLAIM = "claim", _("disputed claim")
        FOUL = "foul", _("foul")
        SCORE = "score", _("score differs")
        OTHER = "other", _("something else")

    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    topic = models.CharField(max_length=8, choices=Topic)
    called_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True, blank=True)
    taken_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["called_at", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(done_at=None), name="one_open_call_a_table"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.topic}"

    @property
    def is_open(self) -> bool:
        return self.done_at is None
