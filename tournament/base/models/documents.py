"""Document jobs, and the design of certificates."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.validators import MaxLengthValidator, MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Job, Tournament

MAX_TEXT_LENGTH: Final = 600


class CertificateDesign(models.Model):
    """The text and look of an organiser's certificates; without one, Hule's text on white paper."""

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="certificate_design")
    text = models.TextField(
        _("your own text"),
        max_length=MAX_TEXT_LENGTH,
        blank=True,
        validators=[MaxLengthValidator(MAX_TEXT_LENGTH)],
        help_text=_("On every certificate, below the name and the achievement."),
    )
    places = models.PositiveSmallIntegerField(
        _("number of places with a certificate"),
        default=3,
        validators=[MaxValueValidator(100)],
        help_text=_("Counted from the first place; 0 for none."),
    )
    best_hand = models.BooleanField(_("certificate for the best hand, with its tiles"), default=True)
    file = models.FileField(upload_to="documents/", blank=True)
    """The background picture, re-encoded as JPEG."""

    def __str__(self) -> str:
        return f"certificates of {self.tournament}"

    def clean(self) -> None:
        """Tidy the words."""
        self.text = self.text.strip()


class DocumentJob(Job):
    """A document to be made by the worker, and its file."""

    class Kind(models.TextChoices):
        STANDINGS = "standings", _("Standings")
        TEAMS = "teams", _("Standings of teams")
        NATIONS = "nations", _("Standings of nations")
        SESSION = "session-standings", _("Standings of one session")
        STATISTICS = "statistics", _("Statistics")
        SEATS = "seats", _("Seats")
        SCHEDULES = "schedules", _("Seat cards")
        SCORE_SHEETS = "score-sheets", _("Score sheets")
        TABLE_NUMBERS = "table-numbers", _("Table numbers")
        CARD = "card", _("Umpire’s card")
        BADGES = "badges", _("Badges")
        CERTIFICATES = "certificates", _("Certificates")
        FOULS = "foul-record", _("Foul record")
        TABULATION = "tabulation", _("Points so far")
        CHECK_IN = "check-in-list", _("Check-in list")
        DUES = "dues-list", _("List of payments")
        ROUNDS = "umpires", _("Umpires’ tables")
        REPORT = "report", _("Tournament report")
        APPLICATION = "ema-application", _("Application to the EMA")
        OBSERVER = "observer-report", _("Observer’s report")
        BUNDLE = "session-papers", _("All papers of a session")
        SITE = "site", _("Web site of the event")

    class Paper(models.TextChoices):
        A4 = "a4", "A4"
        LETTER = "letter", _("US Letter")
        A6 = "a6", _("A6 booklet")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="documents")
    kind = models.CharField(max_length=20, choices=Kind)
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    second = models.CharField(max_length=10, choices=settings.LANGUAGES, blank=True)
    """A second language for headings and labels; empty for none."""
    paper = models.CharField(max_length=8, choices=Paper, default=Paper.A4)
    session = models.PositiveSmallIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    """The session's number; None for documents of the whole event."""
    site = models.CharField(max_length=200, blank=True)
    """The address that Hule was opened at, "https://hall.example/": codes on paper lead there. Empty: no codes."""
    edition = models.CharField(max_length=80, blank=True)
    """Identifies the data it is made from (`documents.selectors`): while it is the same, so is the file."""
    digest = models.CharField(max_length=64, blank=True)
    """Hash of the printed content without its time: a job with the same digest takes the older file."""
    standings_version = models.PositiveIntegerField(null=True)
    """None for a document without standings."""
    standings_state = models.CharField(max_length=12, blank=True)
    """`ranking.selectors.ranking.State` when the document was made."""
    file = models.FileField(upload_to="documents/", blank=True)

    @classmethod
    def papers_of(cls, kind: str) -> tuple[DocumentJob.Paper, ...]:
        """Return the paper sizes of a kind of document, the default first."""
        if kind == cls.Kind.SITE:
            return (cls.Paper.A4,)
        return tuple(cls.Paper) if kind == cls.Kind.CARD else (cls.Paper.A4, cls.Paper.LETTER)

    @classmethod
    def is_of_session(cls, kind: str) -> bool:
        """Return whether a kind of document is about one session."""
        return kind in OF_SESSION

    @property
    def content_type(self) -> str:
        return "application/zip" if self.kind == self.Kind.SITE else "application/pdf"

    @property
    def format_name(self) -> str:
        return "ZIP" if self.kind == self.Kind.SITE else "PDF"

    @property
    def file_name(self) -> str:
        """standings-318-zh-hans-a4.pdf, badges-en+zh-hans-a4.pdf, score-sheets-session-3-en-a4.pdf.

        Documents without standings have no version in their names, which may not show while results are hidden.
        """
        kind = "payments" if self.kind == self.Kind.DUES else self.kind
        about = "" if self.standings_version is None else f"-{self.standings_version}"
        about += "" if self.session is None else f"-session-{self.session}"
        if self.kind == self.Kind.SITE:
            return f"{kind}{about}-{self.language}.zip"
        return f"{kind}{about}-{self.languages}-{self.paper}.pdf"

    @property
    def languages(self) -> str:
        """en, or en+zh-hans."""
        return f"{self.language}+{self.second}" if self.second else self.language

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.tournament} ({self.languages}): {self.state}"


OF_SESSION: Final = frozenset(
    {
        DocumentJob.Kind.SESSION,
        DocumentJob.Kind.SCORE_SHEETS,
        DocumentJob.Kind.FOULS,
        DocumentJob.Kind.TABULATION,
        DocumentJob.Kind.BUNDLE,
    }
)
"""Kinds of documents about one session."""
