"""The timetable: when sessions are to begin, and what else there is to be at."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament


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
