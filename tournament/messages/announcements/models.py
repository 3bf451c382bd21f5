"""Announcements to everybody or to some tables."""

import uuid
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.engine.problems import problem_code
from tournament.base.errors import Invalid
from tournament.base.fields import OneLineField, TextsField
from tournament.base.models.tournament import Tournament

ANNOUNCEMENT_MINUTES = problem_code(
    "announcement_minutes", "An announcement lasts 1 to {maximum} minutes, or until you withdraw it."
)

MAX_LENGTH: Final = 280
"""Characters that fit on a hall screen in large type."""
MAX_MINUTES: Final = 24 * 60


class Announcement(models.Model):
    """An announcement, active until its end or until it is withdrawn; never deleted and never edited."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="announcements")
    uuid = models.UUIDField(default=uuid.uuid4)
    """Idempotency key from the client."""
    text = OneLineField(_("announcement"), max_length=MAX_LENGTH)
    translations = TextsField(max_length=MAX_LENGTH)
    """Language → the text in it; readers of other languages get `text`."""
    tables = models.JSONField(default=list, blank=True)
    """Numbers of the tables it is for; empty for everybody."""
    session = models.PositiveSmallIntegerField(null=True, blank=True)
    """The session whose tables these are; None for everybody."""
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    ends_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "uuid"], name="one_announcement_a_uuid"),
            models.CheckConstraint(
                condition=models.Q(session=None, tables=[])
                | (models.Q(session__isnull=False) & ~models.Q(tables=[])),
                name="tables_are_those_of_a_session",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}: {self.text}"

    def clean(self) -> None:
        """Check the duration."""
        if self.ends_at and not self.made_at < self.ends_at <= self.made_at + timedelta(minutes=MAX_MINUTES):
            raise ValidationError({"ends_at": Invalid(ANNOUNCEMENT_MINUTES(maximum=MAX_MINUTES))})

    def text_in(self, language: str) -> str:
        return str(self.translations.get(language, self.text))

    @property
    def is_cancelled(self) -> bool:
        return self.cancelled_at is not None
