"""E-mail: every message with what became of it. A site without a mail server has them all the same, to be copied."""

import uuid

from django.conf import settings
from django.core.validators import MaxLengthValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.fields import OneLineField
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament


class Mail(models.Model):
    """One message to one address. It is written when it is posted, in the reader's language, and never changed.

    Whoever sends it claims it first (`SENDING`), so that no two do. One that was claimed and of which nothing was heard
    again may have gone out or not: it is never sent a second time unless a person asks for it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not delivered")
        UNCLEAR = "unclear", _("perhaps sent")
        NOT_SENT = "not_sent", _("not sent")

    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """The same key is the same message; mail servers know it by this, too."""
    tournament = models.ForeignKey(Tournament, models.CASCADE, null=True, related_name="mails")
    registration = models.ForeignKey(Registration, models.CASCADE, null=True, related_name="mails")
    letter = models.CharField(max_length=40)
    """Which of the texts it is, by its code."""
    to = models.EmailField()
    language = models.CharField(max_length=10)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    """What the mail server said when it did not take it."""
    posted_at = models.DateTimeField()
    try_at = models.DateTimeField(null=True, blank=True)
    """When it is tried next; of one that is being sent, when nobody waits for it any more."""
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-posted_at", "-pk"]
        verbose_name_plural = "mails"
        indexes = [models.Index(fields=["state", "try_at"], name="mails_that_are_due")]

    def __str__(self) -> str:
        return f"{self.letter}: {self.state}"

    UNSENT = (State.FAILED, State.NOT_SENT)
    """It certainly reached nobody, and nobody tries any more."""

    @property
    def is_unsent(self) -> bool:
        return self.state in self.UNSENT


class LetterText(models.Model):
    """A text of the organiser's own, in the place of the one that comes with Hule."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="letter_texts")
    letter = models.CharField(max_length=40)
    language = models.CharField(max_length=10, choices=settings.LANGUAGES)
    subject = OneLineField(_("subject"), max_length=150)
    text = models.TextField(
        _("text"),
        validators=[MaxLengthValidator(5000)],
        help_text=_("Plain text. A line whose placeholder has nothing to say is left out of that letter."),
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tournament", "letter", "language"], name="one_text_a_letter")
        ]

    def __str__(self) -> str:
        return f"{self.letter} in {self.language}"
