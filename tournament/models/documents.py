"""Jobs that make a document: the worker's to-do list and the place its result is kept."""

from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.tournament import Tournament

ANSWER_WITHIN: Final = timedelta(seconds=15)
"""A worker that has not taken a job by then is not running, or has too much to do."""
UNREACHABLE: Final = "worker_unreachable"
"""The error of a job that could not even be queued."""


class DocumentJob(models.Model):
    class Kind(models.TextChoices):
        STANDINGS = "standings", _("Standings")

    class Paper(models.TextChoices):
        A4 = "a4", "A4"
        LETTER = "letter", _("US Letter")

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("failed")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20, choices=Kind)
    language = models.CharField(max_length=10)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    done_steps = models.PositiveSmallIntegerField(default=0)
    steps = models.PositiveSmallIntegerField(default=1)
    standings_version = models.PositiveIntegerField(null=True)
    standings_state = models.CharField(max_length=12, blank=True)
    """How far they could be relied on when the document was made (`selectors.ranking.State`)."""
    file = models.FileField(upload_to="documents/", blank=True)
    error = models.TextField(blank=True)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    requested_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-requested_at"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.tournament} ({self.language}): {self.state}"
