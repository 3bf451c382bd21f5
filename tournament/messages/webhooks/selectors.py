"""The targets of an event and what became of their messages; what is wrong with the settings of one."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from django.conf import settings
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from scoring.engine.problems import Problem
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.engine import NEEDS_CHAT, OFFERED, Format, Kind
from tournament.messages.webhooks.models import LONGEST_CHAT, LONGEST_NAME, Delivery, Webhook

MOST: Final = 20
"""Targets of an event."""


@dataclass(frozen=True)
class WebhookWish:
    """What an organiser says of a target."""

    name: str
    url: str
    format: Format = Format.HULE
    kinds: Collection[Kind] = field(default_factory=tuple)
    language: str = ""
    chat: str = ""
    """Which chat of a Telegram bot; of a DingTalk or Feishu robot, its own secret."""

    def tidy(self) -> WebhookWish:
        """Blanks away; the kinds in the order in which they are offered; a language that there is."""
        known = dict(settings.LANGUAGES)
        return WebhookWish(
            self.name.strip(),
            self.url.strip(),
            self.format,
            tuple(kind for kind in OFFERED if kind in self.kinds),
            self.language if self.language in known else settings.LANGUAGE_CODE,
            self.chat.strip(),
        )


def problems_of(wanted: WebhookWish, taken: Iterable[str], address: Problem | None) -> list[Problem]:
    """List everything that is wrong with tidy settings.

    `taken`: the names of the others; `address`: what is wrong with its address.
    """
    problems = []
    if not wanted.name or len(wanted.name) > LONGEST_NAME:
        problems.append(Problem("webhook_name_missing", "name", {"most": LONGEST_NAME}))
    elif wanted.name in taken:
        problems.append(Problem("webhook_name_taken", "name", {"name": wanted.name}))
    if address is not None:
        problems.append(address)
    if not wanted.kinds:
        problems.append(Problem("webhook_kinds_missing", "kinds"))
    if wanted.format in NEEDS_CHAT and not wanted.chat:
        problems.append(Problem("webhook_chat_missing", "chat"))
    if len(wanted.chat) > LONGEST_CHAT:
        problems.append(Problem("webhook_chat_long", "chat", {"most": LONGEST_CHAT}))
    return problems


def webhooks_of(tournament: Tournament) -> QuerySet[Webhook]:
    """Each with how many messages wait (`waiting`), were not delivered (`failed`), and when one last arrived
    (`arrived_at`)."""
    delivered = Delivery.objects.filter(webhook=OuterRef("pk"), state=Delivery.State.DELIVERED)
    waiting = Q(deliveries__state__in=(Delivery.State.WAITING, Delivery.State.SENDING))
    return tournament.webhooks.annotate(
        waiting=Coalesce(Count("deliveries", filter=waiting), 0),
        failed=Coalesce(Count("deliveries", filter=Q(deliveries__state=Delivery.State.FAILED)), 0),
        arrived_at=Subquery(delivered.order_by("-done_at").values("done_at")[:1]),
    )


def deliveries_of(webhook: Webhook) -> QuerySet[Delivery]:
    """The newest first."""
    return webhook.deliveries.select_related("webhook")


def waiting_at(webhook: Webhook) -> int:
    return webhook.deliveries.filter(state__in=(Delivery.State.WAITING, Delivery.State.SENDING)).count()
