"""Jobs that make a document: the worker's to-do list and the place its result is kept."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.jobs import Job
from tournament.models.tournament import Tournament


class DocumentJob(Job):
    class Kind(models.TextChoices):
        STANDINGS = "standings", _("Standings")

    class Paper(models.TextChoices):
        A4 = "a4", "A4"
        LETTER = "letter", _("US Letter")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20, choices=Kind)
    language = models.CharField(max_length=10)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    standings_version = models.PositiveIntegerField(null=True)
    standings_state = models.CharField(max_length=12, blank=True)
    """How far they could be relied on when the document was made (`selectors.ranking.State`)."""
    file = models.FileField(upload_to="documents/", blank=True)

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.tournament} ({self.language}): {self.state}"
