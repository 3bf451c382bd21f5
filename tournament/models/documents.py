"""Jobs that make a document: the worker's to-do list and the place its result is kept."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.models.jobs import Job
from tournament.models.tournament import Tournament


class DocumentJob(Job):
    class Kind(models.TextChoices):
        STANDINGS = "standings", _("Standings")
        CARD = "card", _("Umpire's card")

    class Paper(models.TextChoices):
        A4 = "a4", "A4"
        LETTER = "letter", _("US Letter")
        A6 = "a6", _("A6 booklet")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20, choices=Kind)
    language = models.CharField(max_length=10)
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    standings_version = models.PositiveIntegerField(null=True)
    """The version of the standings in it; None for what shows none."""
    standings_state = models.CharField(max_length=12, blank=True)
    """How far they could be relied on when the document was made (`selectors.ranking.State`)."""
    file = models.FileField(upload_to="documents/", blank=True)

    @classmethod
    def papers_of(cls, kind: str) -> tuple[DocumentJob.Paper, ...]:
        """The sizes of paper a kind of document is laid out for, the usual one first."""
        return tuple(cls.Paper) if kind == cls.Kind.CARD else (cls.Paper.A4, cls.Paper.LETTER)

    @property
    def file_name(self) -> str:
        """standings-318-zh-hans-a4.pdf; a card is of no version, for none may be told while results are hidden."""
        version = "" if self.standings_version is None else f"-{self.standings_version}"
        return f"{self.kind}{version}-{self.language}-{self.paper}.pdf"

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.tournament} ({self.language}): {self.state}"
