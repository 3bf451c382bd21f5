"""Telling programs and chats: targets added, changed, paused and removed, a test, a message sent again.

Neither an address nor a secret stands in the log: a target is called by its number there.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.delivery import fault_of_address
from tournament.messages.webhooks.engine import KEY_BYTES, secret_of
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.post import post_test, send_soon
from tournament.messages.webhooks.selectors import MOST, WebhookWish, problems_of
from tournament.play.services.tables import fresh

BOTH: Final = timedelta(days=1)
"""For how long messages are signed with the old secret too."""
Pause, State = Webhook.Pause, Delivery.State


@sensitive_variables()
def add_webhook(tournament: Tournament, actor: Actor, wanted: WebhookWish, *, site: str) -> Webhook:
    """Tell this target from now on. Its secret is shown once, by the caller. `site`: how our addresses begin."""
    access.require(actor, tournament, Right.ORGANISE)
    wanted = wanted.tidy()
    with log.write(tournament, actor, "webhook_added") as entry:
        others = entry.tournament.webhooks
        if others.count() >= MOST:
            raise refuse("webhooks_too_many", most=MOST)
        _check(wanted, others.values_list("name", flat=True))
        webhook = Webhook.objects.create(
            tournament=entry.tournament,
            number=(others.aggregate(last=Max("number"))["last"] or 0) + 1,
            secret=secret_of(secrets.token_bytes(KEY_BYTES)),
            site=site,
            made_at=timezone.now(),
            **_as_stored(wanted),
        )
        entry.data = {"webhook": webhook.number}
    return webhook


def _check(wanted: WebhookWish, taken: Iterable[str]) -> None:
    if problems := problems_of(wanted, taken, fault_of_address(wanted.url)):
        raise Refused(problems)


def _as_stored(wanted: WebhookWish) -> dict[str, object]:
    return {
        "name": wanted.name,
        "url": wanted.url,
        "format": wanted.format.value,
        "kinds": [kind.value for kind in wanted.kinds],
        "language": wanted.language,
        "chat": wanted.chat,
    }


@sensitive_variables()
def change_webhook(webhook: Webhook, actor: Actor, wanted: WebhookWish) -> Webhook:
    """Change its address, its kinds and the like. What waits goes there, too, and at once."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    wanted = wanted.tidy()
    with log.write(webhook.tournament, actor, "webhook_changed") as entry:
        webhook = _fresh(webhook)
        _check(wanted, entry.tournament.webhooks.exclude(pk=webhook.pk).values_list("name", flat=True))
        stored = _as_stored(wanted)
        if all(getattr(webhook, name) == value for name, value in stored.items()):
            entry.unchanged()
            return webhook
        for name, value in stored.items():
            setattr(webhook, name, value)
        webhook.save(update_fields=list(stored))
        _hurry(webhook)
        entry.data = {"webhook": webhook.number}
    return webhook


def _hurry(webhook: Webhook) -> None:
    """Try what waits at once, as if for the first time."""
    waiting = webhook.deliveries.filter(state=State.WAITING)
    if waiting.update(try_at=timezone.now(), tries=0):
        send_soon()


def remove_webhook(webhook: Webhook, actor: Actor) -> None:
    """Tell this target nothing more, and delete its messages. Idempotent."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, "webhook_removed") as entry:
        if not Webhook.objects.filter(pk=webhook.pk).delete()[0]:
            entry.unchanged()
        entry.data = {"webhook": webhook.number}


@sensitive_variables()
def renew_secret(webhook: Webhook, actor: Actor) -> Webhook:
    """Make a new secret. For a day messages are signed with the old one too, so that the other side can change over."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, "webhook_secret_renewed") as entry:
        webhook = _fresh(webhook)
        webhook.old_secret, webhook.old_until = webhook.secret, timezone.now() + BOTH
        webhook.secret = secret_of(secrets.token_bytes(KEY_BYTES))
        webhook.save(update_fields=["secret", "old_secret", "old_until"])
        entry.data = {"webhook": webhook.number}
    return webhook


def pause_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Tell it nothing of what happens from now on; what waits already waits on. Idempotent."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, "webhook_paused") as entry:
        webhook = _fresh(webhook)
        if webhook.pause == Pause.BY_HAND:
            entry.unchanged()
            return webhook
        webhook.pause = Pause.BY_HAND
        webhook.save(update_fields=["pause"])
        entry.data = {"webhook": webhook.number, "state": Pause.BY_HAND.value}
    return webhook


def resume_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Tell it again, beginning with what waits. Idempotent."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, "webhook_resumed") as entry:
        webhook = _fresh(webhook)
        if webhook.pause == Pause.NONE:
            entry.unchanged()
            return webhook
        webhook.pause, webhook.failing_since = Pause.NONE, None
        webhook.save(update_fields=["pause", "failing_since"])
        _hurry(webhook)
        entry.data = {"webhook": webhook.number}
    return webhook


def send_test(webhook: Webhook, actor: Actor, *, key: UUID) -> Delivery:
    """Send a message that says that messages arrive, to a paused target too. The same `key` is the same test."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, "webhook_tested") as entry:
        if (known := Delivery.objects.filter(key=key).first()) is not None:
            entry.unchanged()
            return known
        webhook = _fresh(webhook)
        entry.data = {"webhook": webhook.number}
        return post_test(webhook, key)


def send_again(delivery: Delivery, actor: Actor) -> Delivery:
    """Send the same message once more, under the same id: who has it already knows it again."""
    tournament = delivery.webhook.tournament
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "webhook_sent_again") as entry:
        delivery = fresh(Delivery.objects.select_related("webhook__tournament"), delivery)
        if delivery.state == State.SENDING:
            raise refuse("delivery_under_way")
        if delivery.state == State.WITHHELD:
            raise refuse("delivery_withheld")
        delivery.state, delivery.tries, delivery.done_at = State.WAITING, 0, None
        delivery.try_at = timezone.now()
        delivery.save(update_fields=["state", "tries", "try_at", "done_at"])
        send_soon()
        entry.data = {"webhook": delivery.webhook.number}
    return delivery


def _fresh(webhook: Webhook) -> Webhook:
    return fresh(Webhook.objects.select_related("tournament"), webhook)
