"""Webhooks and their deliveries."""

import uuid
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.engine.problems import problem_code
from tournament.base.engine.notices import Kind
from tournament.base.errors import Invalid
from tournament.base.models.tournament import Tournament
from tournament.base.problems import NOT_UNDERSTOOD
from tournament.messages.outbound import HTTPS_PORT, is_ip_literal
from tournament.messages.outgoing import SENDING, WAITING, Outgoing, OutgoingQuerySet
from tournament.messages.webhooks.engine import (
    FORMATS_WITH_CHAT,
    SUBSCRIBABLE_KINDS,
    Format,
    body_of,
    chat_text,
)

WEBHOOK_ADDRESS_WRONG = problem_code(
    "webhook_address_wrong", "This is not a valid address. It begins with https:// and has no spaces."
)
WEBHOOK_NOT_HTTPS = problem_code(
    "webhook_not_https",
    "The address must begin with https://. For http, the administrator of this site must allow the network.",
)
WEBHOOK_PRIVATE = problem_code(
    "webhook_private",
    "The address leads into a private network. The site’s administrator can allow it (WEBHOOK_NETWORKS).",
)
WEBHOOK_PORT = problem_code("webhook_port", "This port is not allowed. Omit it, or use 1024 or higher.")
WEBHOOK_NAME_TAKEN = problem_code("webhook_name_taken", "There is already a webhook “{name}”.")
WEBHOOK_CHAT_MISSING = problem_code(
    "webhook_chat_missing", "Telegram asks for the number or the name of the chat."
)

MAX_SECRET_LENGTH: Final = 100
MAX_ANSWER_LENGTH: Final = 300
LOWEST_PORT: Final = 1024
"""Below it only HTTPS_PORT is allowed, to protect mail servers and the like."""


def check_address(url: str) -> None:
    """Validate the form of a target's URL: https and a usual port; with WEBHOOK_NETWORKS http and any port too.

    Which addresses it resolves to is checked for each request (`sending.resolve`).
    """
    if not url.isascii() or any(sign <= " " or sign in '\\"<>\x7f' for sign in url):
        raise Invalid(WEBHOOK_ADDRESS_WRONG())
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Invalid(WEBHOOK_ADDRESS_WRONG()) from None
    host = parts.hostname or ""
    if parts.scheme not in ("http", "https") or not host.strip(".") or "@" in parts.netloc or parts.fragment:
        raise Invalid(WEBHOOK_ADDRESS_WRONG())
    if settings.WEBHOOK_NETWORKS:
        return
    if parts.scheme == "http":
        raise Invalid(WEBHOOK_NOT_HTTPS())
    if is_ip_literal(host) or "." not in host.strip("."):
        raise Invalid(WEBHOOK_PRIVATE())
    if port is not None and not is_open_port(port):
        raise Invalid(WEBHOOK_PORT())


def is_open_port(port: int) -> bool:
    """Whether a port is allowed on the public internet."""
    return port == HTTPS_PORT or port >= LOWEST_PORT


def check_kinds(kinds: list[str]) -> None:
    """Validate that a webhook can subscribe to these kinds."""
    if not set(kinds) <= set(SUBSCRIBABLE_KINDS):
        raise Invalid(NOT_UNDERSTOOD(field="kinds"))


class Webhook(models.Model):
    """A program or chat that is sent messages. URL and secrets are confidential: in no log, export or public page."""

    class Pause(models.TextChoices):
        NONE = "", _("not paused")
        BY_HAND = "hand", _("paused")
        FAILING = "failing", _("paused: nothing could be delivered for a day")
        GONE = "gone", _("paused: its address no longer exists")

    FORMATS: Final = [
        (Format.HULE.value, _("Program: Hule’s JSON")),
        (Format.SLACK.value, _("Slack, Mattermost, Rocket.Chat, Matrix (hookshot)")),
        (Format.DISCORD.value, "Discord"),
        (Format.TELEGRAM.value, "Telegram"),
        (Format.DINGTALK.value, _("DingTalk")),
        (Format.WECOM.value, _("WeCom")),
        (Format.FEISHU.value, _("Feishu, Lark")),
    ]

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="webhooks")
    number = models.PositiveSmallIntegerField()
    """From 1 in each event: one more than the highest in use."""
    name = models.CharField(
        pgettext_lazy("of a thing", "name"), max_length=60, help_text=_("For instance: umpires’ chat.")
    )
    url = models.CharField(
        _("address"),
        max_length=600,
        validators=[check_address],
        help_text=_(
            "For Telegram: https://api.telegram.org/bot…/sendMessage. Anyone who has the address can send "
            "messages there."
        ),
    )
    format = models.CharField(_("recipient"), max_length=10, choices=FORMATS, default=Format.HULE.value)
    kinds = models.JSONField(default=list, validators=[check_kinds])
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    chat = models.CharField(
        _("chat (Telegram), or secret of the robot (DingTalk, Feishu)"),
        max_length=120,
        blank=True,
    )
    SETTINGS: Final = ("name", "format", "url", "chat", "kinds", "language")
    """The fields that organisers may change."""
    secret = models.CharField(max_length=MAX_SECRET_LENGTH)
    old_secret = models.CharField(max_length=MAX_SECRET_LENGTH, blank=True)
    old_until = models.DateTimeField(null=True, blank=True)
    """Until when messages are also signed with the old secret."""
    made_at = models.DateTimeField()
    failing_since = models.DateTimeField(null=True, blank=True)
    """The first failed try since the last success."""
    pause = models.CharField(max_length=8, choices=Pause, blank=True, default=Pause.NONE)

    class Meta:
        ordering = ["tournament_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_webhook_a_number"),
            models.UniqueConstraint(fields=["tournament", "name"], name="one_webhook_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Check that the name is unique in the event, and that Telegram has a chat."""
        self.kinds = [kind.value for kind in SUBSCRIBABLE_KINDS if kind in self.kinds]
        errors = {}
        others = Webhook.objects.filter(tournament_id=self.tournament_id, name=self.name).exclude(pk=self.pk)
        if self.name and others.exists():
            errors["name"] = Invalid(WEBHOOK_NAME_TAKEN(name=self.name))
        if self.format in FORMATS_WITH_CHAT and not self.chat:
            errors["chat"] = Invalid(WEBHOOK_CHAT_MISSING())
        if errors:
            raise ValidationError(errors)


class Delivery(Outgoing):
    """A message to a webhook's target and its state. Every try has the same id."""

    class State(models.TextChoices):
        WAITING = WAITING, _("waiting")
        SENDING = SENDING, _("being sent")
        DELIVERED = "delivered", _("arrived")
        FAILED = "failed", _("not delivered")
        WITHHELD = "withheld", _("withheld")

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    key = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=30, choices=[(kind.value, kind.value) for kind in Kind])
    session = models.PositiveSmallIntegerField(null=True, blank=True)
    """The session whose results it contains; it is withheld while these are hidden."""
    message = models.JSONField(default=dict)
    """The payload for programs, in the webhook's language."""
    text = models.TextField()
    """The text for chats, without the link."""
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    """The HTTP status of the last response."""
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    fault = models.CharField(max_length=30, blank=True)
    """Why the last try failed: a key of `texts.FAULTS`."""
    answer = models.CharField(max_length=MAX_ANSWER_LENGTH, blank=True)
    """The beginning of the last response, or where it redirected to."""
    done_at = models.DateTimeField(null=True, blank=True)
    objects = OutgoingQuerySet["Delivery"].as_manager()

    class Meta:
        ordering = ["-posted_at", "-pk"]
        verbose_name_plural = "deliveries"
        indexes = [models.Index(fields=["state", "try_at"], name="deliveries_that_are_due")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.state}"

    @property
    def message_id(self) -> str:
        """The `webhook-id` header, by which receivers drop duplicates."""
        return f"msg_{self.key.hex}"

    @property
    def body(self) -> str:
        """The request body in the webhook's current format."""
        text = chat_text(self.text, self.message["data"]["link"])
        return body_of(Format(self.webhook.format), self.message, text, self.webhook.chat)
