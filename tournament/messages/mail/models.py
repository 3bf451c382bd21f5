"""Mails with their delivery state, and organisers' own letter texts.

Without a mail server mails are stored too, so that people can copy and send them.
"""

import uuid

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.fields import OneLineField
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.messages.outgoing import SENDING, WAITING, Outgoing, OutgoingQuerySet


class Mail(Outgoing):
    """One message to one address, rendered when it is queued, in the recipient's language, and not changed afterwards.

    A worker claims a mail (`SENDING`) before it sends it. When a claim expires, the mail is sent again.
    """

    class State(models.TextChoices):
        WAITING = WAITING, _("waiting")
        SENDING = SENDING, _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not delivered")
        NOT_SENT = "not_sent", _("not sent")

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """Idempotency key, also used in the Message-ID."""
    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="mails")
    registration = models.ForeignKey(Registration, models.CASCADE, null=True, related_name="mails")
    letter = models.CharField(max_length=40)
    """A key of `texts.LETTERS`."""
    to = models.EmailField()
    language = models.CharField(max_length=10)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    error = models.CharField(max_length=300, blank=True)
    """The mail server's reply to the last failed try."""
    sent_at = models.DateTimeField(null=True, blank=True)
    objects = OutgoingQuerySet["Mail"].as_manager()

    class Meta:
        ordering = ["-posted_at", "-pk"]
        verbose_name_plural = "mails"
        indexes = [models.Index(fields=["state", "try_at"], name="mails_that_are_due")]

    def __str__(self) -> str:
        return f"{self.letter}: {self.state}"

    UNSENT = (State.FAILED, State.NOT_SENT)
    """The states of mails that did not arrive and are not retried."""

    @property
    def is_unsent(self) -> bool:
        return self.state in self.UNSENT


class LetterText(models.Model):
    """An organiser's own text of a letter in one language, which replaces Hule's."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="letter_texts")
    letter = models.CharField(max_length=40)
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    subject = OneLineField(_("subject"), max_length=150)
    text = models.TextField(
        _("text"),
        validators=[MaxLengthValidator(5000)],
        help_text=_("Plain text. A line whose placeholder is empty is left out."),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "letter", "language"], name="one_text_a_letter")
        ]

    def __str__(self) -> str:
        return f"{self.letter} in {self.language}"
