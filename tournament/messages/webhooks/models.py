"""Programs and chats that an event tells what happens there."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.engine import Format, Kind, body_of, chat_text

LONGEST_URL, LONGEST_NAME, LONGEST_CHAT, LONGEST_SECRET, LONGEST_SITE = 600, 60, 120, 100, 260
LONGEST_ANSWER = 300


class Webhook(models.Model):
    """A target. Its address and its secrets let somebody write to a chat: in no log, file or public page."""

    class Pause(models.TextChoices):
        NONE = "", _("not paused")
        BY_HAND = "hand", _("paused")
        FAILING = "failing", _("paused: nothing arrived for a day")
        GONE = "gone", _("paused: it says that it is gone")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="webhooks")
    number = models.PositiveSmallIntegerField()
    """From 1, in this event; that of one that was removed is not given again while there is a later one."""
    name = models.CharField(max_length=LONGEST_NAME)
    url = models.CharField(max_length=LONGEST_URL)
    format = models.CharField(max_length=10, choices=[(format.value, format.value) for format in Format])
    kinds = models.JSONField(default=list)
    language = models.CharField(max_length=10)
    chat = models.CharField(max_length=LONGEST_CHAT, blank=True)
    """Which chat of a Telegram bot it is for; of a DingTalk or Feishu robot, its own secret."""
    secret = models.CharField(max_length=LONGEST_SECRET)
    old_secret = models.CharField(max_length=LONGEST_SECRET, blank=True)
    old_until = models.DateTimeField(null=True, blank=True)
    """Until when messages are signed with the old secret, too."""
    site = models.CharField(max_length=LONGEST_SITE)
    """How the addresses begin that messages lead to: what the organiser's browser said."""
    made_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    """The first try that failed since the last one that did not."""
    pause = models.CharField(max_length=8, choices=Pause, blank=True, default=Pause.NONE)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_webhook_a_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_webhook_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def address(self, path: str) -> str:
        """The whole address of one of our pages: it begins with what the organiser's browser said."""
        return f"{self.site.rstrip('/')}{path}"

    @property
    def is_kept_for(self) -> bool:
        """Whether what happens now is written down for it: not while somebody has paused it."""
        return self.pause != self.Pause.BY_HAND


class Delivery(models.Model):
    """A message to a target, with what became of it. It keeps its id however often it is sent."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        DELIVERED = "delivered", _("arrived")
        FAILED = "failed", _("not delivered")
        WITHHELD = "withheld", _("held back")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=30, choices=[(kind.value, kind.value) for kind in Kind])
    session = models.PositiveSmallIntegerField(null=True, blank=True)
    """It tells how play went in this session, and until then: not to be told while that is hidden."""
    message = models.JSONField(default=dict)
    """As programs get it, in the target's language."""
    text = models.TextField()
    """As people read it in a chat, without the link."""
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    """Of the last answer, if there was one."""
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    fault = models.CharField(max_length=30, blank=True)
    """Why the last try failed, by its code (`messages.webhooks.texts`)."""
    answer = models.CharField(max_length=LONGEST_ANSWER, blank=True)
    """How the last answer began, or where it wanted to lead."""
    posted_at = models.DateTimeField()
    try_at = models.DateTimeField(null=True, blank=True)
    """When it is tried next; of one that is being sent, when nobody waits for it any more."""
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-posted_at", "-pk"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["state", "try_at"], name="deliveries_that_are_due")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"

    @property
    def message_id(self) -> str:
        """By which the other side knows a message again."""
        return f"msg_{self.key.hex}"

    @property
    def body(self) -> str:
        """As it is sent, in the format that the target wants now."""
        text = chat_text(self.text, self.message["data"]["link"])
        return body_of(Format(self.webhook.format), self.message, text, self.webhook.chat)
