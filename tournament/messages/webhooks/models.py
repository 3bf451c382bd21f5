"""Programs and chats that an event tells what happens there."""

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
from tournament.messages.outbound import HTTPS_PORT, is_number
from tournament.messages.webhooks.engine import NEEDS_CHAT, OFFERED, Format, body_of, chat_text

WEBHOOK_ADDRESS_WRONG = problem_code(
    "webhook_address_wrong", "This is no address. It begins with https:// and has no spaces."
)
WEBHOOK_NOT_HTTPS = problem_code(
    "webhook_not_https",
    "The address has to begin with https://. For http, whoever runs this site names the network.",
)
WEBHOOK_PRIVATE = problem_code(
    "webhook_private",
    "The address leads into a private network. Whoever runs this site can name it (WEBHOOK_NETWORKS).",
)
WEBHOOK_PORT = problem_code(
    "webhook_port", "This port is not written to. Leave it out, or choose one from 1024 on."
)
WEBHOOK_NAME_TAKEN = problem_code("webhook_name_taken", "There is a webhook “{name}” already.")
WEBHOOK_CHAT_MISSING = problem_code(
    "webhook_chat_missing", "Telegram asks for the number or the name of the chat."
)

LONGEST_SECRET: Final = 100
LONGEST_ANSWER: Final = 300
LOWEST_PORT: Final = 1024
"""Below it only the port of https: mail servers and the like have nothing to be told."""


def check_address(url: str) -> None:
    """Validate the form of an address that may be written to.

    That is https on the public internet, and the networks that the operator has named (`WEBHOOK_NETWORKS`). Within
    those, http and any port will do: a computer beside the hall's server seldom has a certificate.
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
    if is_number(host) or "." not in host.strip("."):
        raise Invalid(WEBHOOK_PRIVATE())
    if port is not None and not is_open_port(port):
        raise Invalid(WEBHOOK_PORT())


def is_open_port(port: int) -> bool:
    """Whether a port is written to on the public internet."""
    return port == HTTPS_PORT or port >= LOWEST_PORT


def check_kinds(kinds: list[str]) -> None:
    """Validate that everything in the list can be told."""
    if not set(kinds) <= set(OFFERED):
        raise Invalid(NOT_UNDERSTOOD(field="kinds"))


class Webhook(models.Model):
    """A target. Its address and its secrets let somebody write to a chat: in no log, file or public page."""

    class Pause(models.TextChoices):
        NONE = "", _("not paused")
        BY_HAND = "hand", _("paused")
        FAILING = "failing", _("paused: nothing arrived for a day")
        GONE = "gone", _("paused: it says that it is gone")

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
    """From 1, in this event; that of one that was removed is not given again while there is a later one."""
    name = models.CharField(
        pgettext_lazy("of a thing", "name"), max_length=60, help_text=_("For instance: umpires’ chat.")
    )
    url = models.CharField(
        _("address"),
        max_length=600,
        validators=[check_address],
        help_text=_(
            "Of Telegram: https://api.telegram.org/bot…/sendMessage. Whoever has it can write there."
        ),
    )
    format = models.CharField(
        _("who listens there?"), max_length=10, choices=FORMATS, default=Format.HULE.value
    )
    kinds = models.JSONField(default=list, validators=[check_kinds])
    language = models.CharField(
        _("language"), max_length=10, choices=settings.LANGUAGES, default=settings.LANGUAGE_CODE
    )
    chat = models.CharField(
        _("Telegram: which chat. DingTalk, Feishu: the robot’s own secret, if it has one"),
        max_length=120,
        blank=True,
    )
    SETTINGS: Final = ("name", "format", "url", "chat", "kinds", "language")
    """What organisers may change."""
    secret = models.CharField(max_length=LONGEST_SECRET)
    old_secret = models.CharField(max_length=LONGEST_SECRET, blank=True)
    old_until = models.DateTimeField(null=True, blank=True)
    """Until when messages are signed with the old secret, too."""
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

    def clean(self) -> None:
        """Check the name among the others of the event, and that a chat is named where one is needed."""
        self.kinds = [kind.value for kind in OFFERED if kind in self.kinds]
        errors = {}
        others = Webhook.objects.filter(tournament_id=self.tournament_id, name=self.name).exclude(pk=self.pk)
        if self.name and others.exists():
            errors["name"] = Invalid(WEBHOOK_NAME_TAKEN(name=self.name))
        if self.format in NEEDS_CHAT and not self.chat:
            errors["chat"] = Invalid(WEBHOOK_CHAT_MISSING())
        if errors:
            raise ValidationError(errors)


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
