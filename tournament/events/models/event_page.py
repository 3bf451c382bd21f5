"""What an organiser tells about an event besides its days and rules: where, for how much, by whom, and papers to take
along."""

from __future__ import annotations

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament


class EventPage(models.Model):
    """The event in its organiser's words. Texts are {language: text}: where a reader's language has none, another
    stands in. A tournament without one has said nothing yet."""

    class Mers(models.TextChoices):
        """Whether the ranking of the European Mahjong Association counts it."""

        NO = "", _("no")
        RANKED = "ranked", _("yes")
        CHAMPIONSHIP = "championship", _("yes, as a championship with qualification")

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="event_page")
    description = models.JSONField(default=dict)
    """Markdown."""
    fee = models.JSONField(default=dict)
    rules_note = models.JSONField(default=dict)
    """What is agreed besides the rulebook; Markdown."""
    address = models.TextField(_("address of the venue"), blank=True)
    country = models.CharField(_("country"), max_length=3, blank=True, db_index=True)
    """Where it is held: ISO 3166 alpha-3, or empty."""
    map_url = models.URLField(_("link to a map"), max_length=500, blank=True)
    website = models.URLField(_("website"), max_length=500, blank=True)
    referees = models.CharField(_("umpires"), max_length=300, blank=True)
    contact = models.CharField(_("contact"), max_length=200, blank=True)
    """Chosen to be shown to everybody: an address of the event, a telephone."""
    mers = models.CharField(max_length=12, choices=Mers, default=Mers.NO, blank=True)

    def __str__(self) -> str:
        return f"page of {self.tournament}"


class EventDocument(models.Model):
    """A file to download from the event's page. What it is was read from its content, and its name is its title."""

    class Kind(models.TextChoices):
        PDF = "pdf", "PDF"
        PNG = "png", "PNG"
        JPEG = "jpeg", "JPEG"
        WEBP = "webp", "WebP"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="event_documents")
    uuid = models.UUIDField(unique=True, default=uuid4)
    title = models.CharField(_("title"), max_length=80)
    kind = models.CharField(max_length=4, choices=Kind)
    size = models.PositiveIntegerField()
    file = models.FileField(upload_to="documents/")
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament_id", "added_at", "pk"]

    def __str__(self) -> str:
        return f"{self.title} ({self.kind}) of {self.tournament}"

    @property
    def content_type(self) -> str:
        return "application/pdf" if self.kind == self.Kind.PDF else f"image/{self.kind}"
