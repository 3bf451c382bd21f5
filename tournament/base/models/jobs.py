"""Jobs of the worker: what it is to do, how far it is, and what became of it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament

ANSWER_WITHIN: Final = timedelta(seconds=15)
"""A worker that has not taken a job by then is not running, or has too much to do."""
DONE_WITHIN: Final = timedelta(minutes=10)
"""The longest job takes a minute: what is not done by then never will be."""
UNREACHABLE: Final = "worker_unreachable"
"""The error of a job that could not even be queued."""
CRASHED: Final = "crashed"


class Job(models.Model):
    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("failed")

    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    done_steps = models.PositiveSmallIntegerField(default=0)
    steps = models.PositiveSmallIntegerField(default=1)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True
        ordering = ["-requested_at"]


class TrialJob(Job):
    """A tournament to try things on. `tournament`: None until the worker has begun it."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="trial_jobs")
    players = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"Trial with {self.players} players: {self.state}"
