"""The public description of an event, its files and its timetable."""

import hashlib
import json
from datetime import UTC, datetime, time, timedelta
from typing import Any, Final
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.errors import Invalid
from tournament.base.fields import CountryField, LinkField, TextsField, normalize_newlines
from tournament.base.models.tournament import Tournament
from tournament.base.problems import LINE_FAR_FROM_THE_DAYS, VALUE_MISSING

LINE_ENDS_BEFORE_IT_STARTS = problem_code("line_ends_before_it_starts", "The end comes before the start.")
NO_SUCH_CLOCK_TIME = problem_code(
    "no_such_clock_time", "The clocks are put forward that night: {time} does not exist in {zone}."
)
SESSION_OUTSIDE_THE_DAYS = problem_code("session_outside_the_days", "The tournament is not on that day.")
MAX_DAYS_AWAY: Final = 31
"""Days before and after the tournament that a timetable item may be planned for."""


class EventPage(models.Model):
    """The description on an event's public page.

    Texts are {language: text}; a missing language falls back to another one.
    """

    class Mers(models.TextChoices):
        """Whether the ranking of the European Mahjong Association counts it."""

        NO = "", _("no")
        RANKED = "ranked", _("yes")
        CHAMPIONSHIP = "championship", _("yes, as a championship with qualification")

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="event_page")
    description = TextsField(
        _("description"),
        max_length=20_000,
        help_text=_(
            "What participants can expect. A line that starts with # is a heading, one that starts "
            "with - a list item; [text](https://…) is a link."
        ),
    )
    rules_note = TextsField(
        _("rules, besides the rulebook"),
        max_length=5_000,
        help_text=_("For example: no photographs during play. Headings, lists and links as above."),
    )
    address = models.CharField(_("address of the venue"), max_length=500, blank=True)
    country = CountryField(_("country"), blank=True, db_index=True)
    """Of the venue: ISO 3166 alpha-3, or empty."""
    map_url = LinkField(
        _("link to a map"),
        max_length=500,
        blank=True,
        help_text=_("For example from OpenStreetMap: the page links to it, and shows no map itself."),
    )
    website = LinkField(_("website"), max_length=500, blank=True)
    referees = models.CharField(
        _("umpires"), max_length=300, blank=True, help_text=_("As they should be shown on the page.")
    )
    contact = models.CharField(
        _("contact"),
        max_length=200,
        blank=True,
        help_text=_(
            "This is public, and programs collect such addresses: use one for the event, not your private one."
        ),
    )
    mers = models.CharField(
        _("counts for the European ranking (MERS)"),
        max_length=12,
        choices=Mers,
        default=Mers.NO,
        blank=True,
    )

    colour = models.CharField(
        _("colour"),
        max_length=7,
        blank=True,
        validators=[RegexValidator(r"^#[0-9a-f]{6}$")],
        help_text=_("A band of this colour is on the event page, screens, papers and certificates."),
    )
    """#1b6b4a, or empty."""

    def __str__(self) -> str:
        return f"page of {self.tournament}"

    def clean(self) -> None:
        """Tidy the address."""
        self.address = normalize_newlines(self.address)

    def content(self) -> dict[str, Any]:
        """Return the content: field → value."""
        names = [field.name for field in self._meta.fields if field.name not in ("id", "tournament")]
        return {name: getattr(self, name) for name in names}

    @property
    def fingerprint(self) -> str:
        """A short hash of the content."""
        return hashlib.sha256(json.dumps(self.content(), sort_keys=True).encode()).hexdigest()[:16]


class EventDocument(models.Model):
    """A file to download from the event's page. Its kind was detected from its content."""

    class Kind(models.TextChoices):
        PDF = "pdf", "PDF"
        PNG = "png", "PNG"
        JPEG = "jpeg", "JPEG"
        WEBP = "webp", "WebP"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="event_documents")
    uuid = models.UUIDField(unique=True, default=uuid4)
    title = models.CharField(
        _("file description"), max_length=80, help_text=_("For example: Travel and hotels.")
    )
    kind = models.CharField(max_length=4, choices=Kind)
    size = models.PositiveIntegerField()
    file = models.FileField(upload_to="documents/")
    is_logo = models.BooleanField(_("use it as the event’s logo"), default=False)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["tournament_id", "added_at", "pk"]

    def __str__(self) -> str:
        return f"{self.title} ({self.kind}) of {self.tournament}"

    @property
    def is_picture(self) -> bool:
        return self.kind != self.Kind.PDF

    @property
    def content_type(self) -> str:
        return f"image/{self.kind}" if self.is_picture else "application/pdf"


class TimetableItem(models.Model):
    """A line of the timetable in local time: a session, drawn or not, or anything with a title.

    Day and time are stored without a time zone: if the tournament's zone is corrected, it still begins at nine.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="timetable")
    uuid = models.UUIDField(unique=True, default=uuid4)
    """Stays the same when the line changes: calendars identify it by this."""
    session = models.PositiveSmallIntegerField(null=True, blank=True)
    """The number of a session; None for anything else."""
    title = models.CharField(_("title"), max_length=80, blank=True)
    """Empty for a session."""
    day = models.DateField(_("day"))
    starts = models.TimeField(_("start"))
    ends = models.TimeField(_("end"), null=True, blank=True)
    """None for a session, which takes the tournament's minutes, and if unknown."""

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

    def clean(self) -> None:
        """Check title, day and end. A session has no title and no end."""
        if self.session is not None:
            self.title, self.ends = "", None
        errors = {}
        if self.session is None and not self.title:
            errors["title"] = Invalid(VALUE_MISSING())
        if self.session is not None and self.days_away:
            errors["day"] = Invalid(SESSION_OUTSIDE_THE_DAYS())
        elif self.days_away > MAX_DAYS_AWAY:
            errors["day"] = Invalid(LINE_FAR_FROM_THE_DAYS(days=MAX_DAYS_AWAY))
        if self.starts is not None and self.ends is not None and self.ends <= self.starts:
            errors["ends"] = Invalid(LINE_ENDS_BEFORE_IT_STARTS())
        for name, clock_time in {"starts": self.starts, "ends": self.ends}.items():
            if self.day and clock_time and not errors.get("day") and not self._exists(clock_time):
                problem = NO_SUCH_CLOCK_TIME(time=f"{clock_time:%H:%M}", zone=self.tournament.time_zone)
                errors[name] = Invalid(problem)
        if errors:
            raise ValidationError(errors)

    def _exists(self, clock_time: time) -> bool:
        """Whether the clocks of the tournament's zone show that time on the day: not in the hour that summer skips."""
        local = datetime.combine(self.day, clock_time, self.tournament.zone)
        return local.astimezone(UTC).astimezone(self.tournament.zone).replace(tzinfo=None) == local.replace(
            tzinfo=None
        )

    @property
    def days_away(self) -> int:
        """Days before or after the tournament; 0 without a day."""
        if self.day is None:
            return 0
        return max((self.tournament.starts_on - self.day).days, (self.day - self.tournament.ends_on).days, 0)

    @property
    def is_empty(self) -> bool:
        """Whether it has neither a title nor a start. A day alone does not count."""
        return not self.title.strip() and self.starts is None and self.ends is None

    @property
    def starts_at(self) -> datetime:
        return datetime.combine(self.day, self.starts, self.tournament.zone)

    @property
    def ends_at(self) -> datetime | None:
        if self.session is not None:
            # In UTC, since a session lasts as long in the night that changes the clocks.
            return self.starts_at.astimezone(UTC) + timedelta(minutes=self.tournament.minutes)
        return datetime.combine(self.day, self.ends, self.tournament.zone) if self.ends else None
