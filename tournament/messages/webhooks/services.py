"""Add, change, pause and remove webhooks, and send tests and deliveries again.

The log names a webhook by its number, never its URL or secret.
"""

import secrets
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db.models import Max
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from scoring.engine.problems import problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.validation import changed_fields, check
from tournament.messages.webhooks import texts as actions
from tournament.messages.webhooks.engine import KEY_BYTES, encode_secret
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.outbox import queue_test, send_on_commit
from tournament.play.services.tables import fresh

WEBHOOKS_TOO_MANY = problem_code("webhooks_too_many", "An event has at most {maximum} webhooks.")
DELIVERY_UNDER_WAY = problem_code("delivery_under_way", "This message is already being sent.")
DELIVERY_WITHHELD = problem_code(
    "delivery_withheld", "This message is withheld: its content is no longer public."
)

MAX_WEBHOOKS: Final = 20
"""Of one event."""
OLD_SECRET_LIFETIME: Final = timedelta(days=1)
"""How long messages are also signed with the old secret."""
Pause, State = Webhook.Pause, Delivery.State


@sensitive_variables()
def add_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Store a new webhook with a new secret, which the caller shows once."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_ADDED, Right.ORGANISE) as entry:
        others = entry.tournament.webhooks
        if others.count() >= MAX_WEBHOOKS:
            raise Refused(WEBHOOKS_TOO_MANY(maximum=MAX_WEBHOOKS))
        webhook.number = (others.aggregate(last=Max("number"))["last"] or 0) + 1
        webhook.secret, webhook.made_at = encode_secret(secrets.token_bytes(KEY_BYTES)), timezone.now()
        check(webhook)
        webhook.save(force_insert=True)
        entry.data = {"webhook": webhook.number}
    return webhook


@sensitive_variables()
def change_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Store changed settings, and retry waiting deliveries at once."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_CHANGED, Right.ORGANISE) as entry:
        stored = _fresh(webhook)
        for name in Webhook.SETTINGS:
            setattr(stored, name, getattr(webhook, name))
        check(stored)
        if not (changed := changed_fields(stored)):
            return entry.unchanged(stored)
        stored.save(update_fields=changed)
        _retry_now(stored)
        entry.data = {"webhook": stored.number}
    return stored


def _retry_now(webhook: Webhook) -> None:
    """Make waiting deliveries due now, with all their tries."""
    waiting = webhook.deliveries.filter(state=State.WAITING)
    if waiting.update(try_at=timezone.now(), tries=0):
        send_on_commit()


def remove_webhook(webhook: Webhook, actor: Actor) -> None:
    """Delete a webhook and its deliveries. Idempotent."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_REMOVED, Right.ORGANISE) as entry:
        if not Webhook.objects.filter(pk=webhook.pk).delete()[0]:
            entry.mark_unchanged()
        entry.data = {"webhook": webhook.number}


@sensitive_variables()
def renew_secret(webhook: Webhook, actor: Actor) -> Webhook:
    """Create a new secret. For OLD_SECRET_LIFETIME messages are signed with both, so that receivers can change over."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_SECRET_RENEWED, Right.ORGANISE) as entry:
        webhook = _fresh(webhook)
        webhook.old_secret, webhook.old_until = webhook.secret, timezone.now() + OLD_SECRET_LIFETIME
        webhook.secret = encode_secret(secrets.token_bytes(KEY_BYTES))
        webhook.save(update_fields=["secret", "old_secret", "old_until"])
        entry.data = {"webhook": webhook.number}
    return webhook


def pause_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """Pause a webhook: nothing new is queued for it, and what is queued waits. Idempotent."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_PAUSED, Right.ORGANISE) as entry:
        webhook = _fresh(webhook)
        if webhook.pause == Pause.BY_HAND:
            return entry.unchanged(webhook)
        webhook.pause = Pause.BY_HAND
        webhook.save(update_fields=["pause"])
        entry.data = {"webhook": webhook.number, "state": Pause.BY_HAND.value}
    return webhook


def resume_webhook(webhook: Webhook, actor: Actor) -> Webhook:
    """End a pause and send what waits. Idempotent."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_RESUMED, Right.ORGANISE) as entry:
        webhook = _fresh(webhook)
        if webhook.pause == Pause.NONE:
            return entry.unchanged(webhook)
        webhook.pause, webhook.failing_since = Pause.NONE, None
        webhook.save(update_fields=["pause", "failing_since"])
        _retry_now(webhook)
        entry.data = {"webhook": webhook.number}
    return webhook


def send_test(webhook: Webhook, actor: Actor, *, key: UUID) -> Delivery:
    """Queue a test delivery, to a paused webhook too. Idempotent for the same `key`."""
    with log.write(webhook.tournament, actor, actions.WEBHOOK_TESTED, Right.ORGANISE) as entry:
        if (existing := Delivery.objects.filter(key=key).first()) is not None:
            return entry.unchanged(existing)
        webhook = _fresh(webhook)
        entry.data = {"webhook": webhook.number}
        return queue_test(webhook, key)


def send_again(delivery: Delivery, actor: Actor) -> Delivery:
    """Queue a delivery again, under the same id."""
    tournament = delivery.webhook.tournament
    with log.write(tournament, actor, actions.DELIVERY_RETRIED, Right.ORGANISE) as entry:
        delivery = fresh(Delivery.objects.select_related("webhook__tournament"), delivery)
        if delivery.state == State.SENDING:
            raise Refused(DELIVERY_UNDER_WAY())
        if delivery.state == State.WITHHELD:
            raise Refused(DELIVERY_WITHHELD())
        delivery.state, delivery.tries, delivery.done_at = State.WAITING, 0, None
        delivery.try_at = timezone.now()
        delivery.save(update_fields=["state", "tries", "try_at", "done_at"])
        send_on_commit()
        entry.data = {"webhook": delivery.webhook.number}
    return delivery


def _fresh(webhook: Webhook) -> Webhook:
    return fresh(Webhook.objects.select_related("tournament"), webhook)
