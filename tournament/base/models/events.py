"""What is told about an event, and its timetable."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament


class EventPage(models.Model):
    """What an organiser tells about an event besides its days and rules: where, for how much, by whom.

    Texts are {language: text}: where a reader's language has none, another stands in. A tournament without one has said
    nothing yet.
    """

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


class TimetableItem(models.Model):
    """A line of the timetable, by the clock on the wall: a session, drawn or still to be, or anything with a title.

    Day and time are kept as they were said: should the tournament turn out to be in another time zone, it still begins
    at nine in the morning.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="timetable")
    uuid = models.UUIDField(unique=True, default=uuid4)
    """Stays the same while the line is changed: calendars know it by this."""
    session = models.PositiveSmallIntegerField(null=True, blank=True)
    """The number of the session that begins; None for everything else."""
    title = models.CharField(_("what"), max_length=80, blank=True)
    """Empty for a session."""
    day = models.DateField(_("day"))
    starts = models.TimeField(_("start"))
    ends = models.TimeField(_("end"), null=True, blank=True)
    """None for a session, which takes the tournament's minutes, and where nobody said."""

    class Meta:
        ordering = ["tournament_id", "day", "starts", "session", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "session"], name="one_line_a_session"),
            models.CheckConstraint(
                condition=models.Q(session__isnull=False, title="", ends=None)
                | (models.Q(session=None) & ~models.Q(title="")),
                name="a_session_or_a_title",
            ),
            models.CheckConstraint(
                condition=models.Q(ends=None) | models.Q(ends__gt=models.F("starts")), name="hours_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, {self.title or f'session {self.session}'}: {self.day} {self.starts:%H:%M}"

    @property
    def starts_at(self) -> datetime:
        return datetime.combine(self.day, self.starts, self.tournament.zone)

    @property
    def ends_at(self) -> datetime | None:
        if self.session is not None:
            # In UTC, since a session lasts as long in the night that changes the clocks.
            return self.starts_at.astimezone(UTC) + timedelta(minutes=self.tournament.minutes)
        return datetime.combine(self.day, self.ends, self.tournament.zone) if self.ends else None
