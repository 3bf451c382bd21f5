"""Telling programs and chats: targets added, changed, paused and removed, a test, a message sent again.

Neither an address nor a secret stands in the log: a target is called by its number there.
"""

import secrets
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from scoring.engine.problems import problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.validation import changed_fields, check
from tournament.messages.webhooks import texts as actions
from tournament.messages.webhooks.engine import KEY_BYTES, secret_of
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.post import post_test, send_soon
from tournament.play.services.tables import fresh

WEBHOOKS_TOO_MANY = problem_code("webhooks_too_many", "An event has at most {most} webhooks.")
DELIVERY_UNDER_WAY = problem_code("delivery_under_way", "This message is on its way already.")
DELIVERY_WITHHELD = problem_code(
    "delivery_withheld", "This message is held back: the public is not told of it any more."
)

MOST: Final = 20
"""Targets of an event."""
BOTH: Final = timedelta(days=1)
"""For how long messages are signed with the old secret too."""
Pause, State = Webhook.Pause, Delivery.State


@sensitive_variables()
def add_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Tell this target from now on. Its secret is shown once, by the caller."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, actions.WEBHOOK_ADDED) as entry:
        others = entry.tournament.webhooks
        if others.count() >= MOST:
            raise Refused(WEBHOOKS_TOO_MANY(most=MOST))
        webhook.number = (others.aggregate(last=Max("number"))["last"] or 0) + 1
        webhook.secret, webhook.made_at = secret_of(secrets.token_bytes(KEY_BYTES)), timezone.now()
        check(webhook)
        webhook.save(force_insert=True)
        entry.data = {"webhook": webhook.number}
    return webhook


@sensitive_variables()
def change_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Store its changed address, kinds and the like. What waits goes there, too, and at once."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, actions.WEBHOOK_CHANGED) as entry:
        stored = _fresh(webhook)
        for name in Webhook.SETTINGS:
            setattr(stored, name, getattr(webhook, name))
        check(stored)
        if not (changed := changed_fields(stored)):
            entry.unchanged()
            return stored
        stored.save(update_fields=changed)
        _hurry(stored)
        entry.data = {"webhook": stored.number}
    return stored


def _hurry(webhook: Webhook) -> None:
    """Try what waits at once, as if for the first time."""
    waiting = webhook.deliveries.filter(state=State.WAITING)
    if waiting.update(try_at=timezone.now(), tries=0):
        send_soon()


def remove_webhook(webhook: Webhook, actor: Actor) -> None:
    """Tell this target nothing more, and delete its messages. Idempotent."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, actions.WEBHOOK_REMOVED) as entry:
        if not Webhook.objects.filter(pk=webhook.pk).delete()[0]:
            entry.unchanged()
        entry.data = {"webhook": webhook.number}


@sensitive_variables()
def renew_secret(webhook: Webhook, actor: Actor) -> Webhook:
    """Make a new secret. For a day messages are signed with the old one too, so that the other side can change over."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, actions.WEBHOOK_SECRET_RENEWED) as entry:
        webhook = _fresh(webhook)
        webhook.old_secret, webhook.old_until = webhook.secret, timezone.now() + BOTH
        webhook.secret = secret_of(secrets.token_bytes(KEY_BYTES))
        webhook.save(update_fields=["secret", "old_secret", "old_until"])
        entry.data = {"webhook": webhook.number}
    return webhook


def pause_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Tell it nothing of what happens from now on; what waits already waits on. Idempotent."""
    access.require(actor, webhook.tournament, Right.ORGANISE)
    with log.write(webhook.tournament, actor, actions.WEBHOOK_PAUSED) as entry:
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
    with log.write(webhook.tournament, actor, actions.WEBHOOK_RESUMED) as entry:
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
    with log.write(webhook.tournament, actor, actions.WEBHOOK_TESTED) as entry:
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
    with log.write(tournament, actor, actions.WEBHOOK_SENT_AGAIN) as entry:
        delivery = fresh(Delivery.objects.select_related("webhook__tournament"), delivery)
        if delivery.state == State.SENDING:
            raise Refused(DELIVERY_UNDER_WAY())
        if delivery.state == State.WITHHELD:
            raise Refused(DELIVERY_WITHHELD())
        delivery.state, delivery.tries, delivery.done_at = State.WAITING, 0, None
        delivery.try_at = timezone.now()
        delivery.save(update_fields=["state", "tries", "try_at", "done_at"])
        send_soon()
        entry.data = {"webhook": delivery.webhook.number}
    return delivery


def _fresh(webhook: Webhook) -> Webhook:
    return fresh(Webhook.objects.select_related("tournament"), webhook)
