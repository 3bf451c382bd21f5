"""Send the deliveries that are due, and pause webhooks whose target keeps failing."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import Final

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from tournament.base import log
from tournament.base.access import Actor, Right, roles_with
from tournament.base.engine.notices import Kind
from tournament.base.models.tournament import Membership
from tournament.base.requests import site_address
from tournament.messages.mail.outbox import queue_mail
from tournament.messages.webhooks.engine import Format, delay_after
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.outbox import is_visible
from tournament.messages.webhooks.sending import Attempt, Outcome, OutgoingMessage, send
from tournament.messages.webhooks.texts import WEBHOOK_PAUSED

logger = logging.getLogger(__name__)

# --- The queue ---


LEASE: Final = timedelta(minutes=2)
"""How long a worker may take for a delivery that it has claimed."""
MAX_THREADS: Final = 8
"""Targets that are sent to at the same time."""
MAX_TASK_SECONDS: Final = 60.0
"""How long one task runs, since documents need the worker too. The next periodic task sends the rest."""
POLL_SECONDS: Final = 1.0
"""Seconds to wait for responses before looking for new deliveries."""
RETENTION: Final = timedelta(days=30)

Clock = Callable[[], datetime]
State = Delivery.State


def deliver(clock: Clock = timezone.now, jitter: Callable[[], float] = random.random) -> None:
    """Send the deliveries that are due, to several targets in parallel and to each target in order.

    At least once: a delivery whose worker stopped is sent again, with the same id. While a target fails, its later
    deliveries wait; a target that hangs delays no other one. `jitter`: returns a number from 0 to 1 by which delays
    vary.
    """
    until = time.monotonic() + MAX_TASK_SECONDS
    under_way: dict[Future[Attempt], Delivery] = {}
    with ThreadPoolExecutor(MAX_THREADS) as threads:
        while True:
            free_threads = MAX_THREADS - len(under_way) if time.monotonic() < until else 0
            claimed = _claim(clock(), free_threads)
            for delivery in claimed:
                if not _withhold(delivery, now := clock()):
                    outgoing = _outgoing_message(delivery, now)
                    under_way[threads.submit(send, outgoing, now.timestamp())] = delivery
            if not (under_way or claimed):
                return
            for future in wait(under_way, POLL_SECONDS, FIRST_COMPLETED).done:
                store_attempt(under_way.pop(future), future.result(), clock(), jitter())


def _claim(now: datetime, limit: int) -> list[Delivery]:
    """Claim up to `limit` due deliveries for this worker."""
    due = list(_due_deliveries(now).values_list("pk", flat=True)[:limit])
    pks = [pk for pk in due if Delivery.objects.claim(pk, now + LEASE, fault="", answer="")]
    claimed = Delivery.objects.select_related("webhook__tournament").filter(pk__in=pks)
    return list(claimed.order_by("posted_at", "pk"))


def _due_deliveries(now: datetime) -> QuerySet[Delivery]:
    """Return the oldest unsent delivery of each webhook that is not paused, if it is due; and every due test."""
    unsent = Delivery.objects.filter(webhook=OuterRef("webhook"), state__in=(State.WAITING, State.SENDING))
    first = unsent.exclude(kind=Kind.TEST).order_by("posted_at", "pk").values("pk")[:1]
    turn = Q(pk=Subquery(first), webhook__pause=Webhook.Pause.NONE)
    return Delivery.objects.due(now).filter(turn | Q(kind=Kind.TEST)).order_by("posted_at", "pk")


def _withhold(delivery: Delivery, now: datetime) -> bool:
    """Mark a delivery as withheld if the public may no longer see its content; return whether it was."""
    tournament = delivery.webhook.tournament
    if is_visible(tournament, Kind(delivery.kind), delivery.session):
        return False
    delivery.state, delivery.try_at, delivery.done_at = State.WITHHELD, None, now
    delivery.save(update_fields=["state", "try_at", "done_at"])
    return True


def _outgoing_message(delivery: Delivery, now: datetime) -> OutgoingMessage:
    webhook = delivery.webhook
    is_renewed = webhook.old_until is not None and now < webhook.old_until
    return OutgoingMessage(
        url=webhook.url,
        format=Format(webhook.format),
        chat=webhook.chat,
        secrets=(webhook.secret, webhook.old_secret) if is_renewed else (webhook.secret,),
        message_id=delivery.message_id,
        body=delivery.body,
        kind=delivery.kind,
    )


def store_attempt(delivery: Delivery, attempt: Attempt, now: datetime, jitter: float) -> None:
    """Store the outcome of a try, and when the next one is due; after the last try the webhook is paused.

    A test is tried once.
    """
    is_delivered, is_test = attempt.outcome is Outcome.DELIVERED, delivery.kind == Kind.TEST
    is_over = is_delivered or is_test or attempt.outcome is Outcome.REJECTED
    delay = None if is_over else delay_after(delivery.tries, jitter, attempt.retry_after)
    # The webhook may have been removed meanwhile, with its deliveries.
    Delivery.objects.filter(pk=delivery.pk).update(
        state=State.DELIVERED if is_delivered else State.FAILED if is_over else State.WAITING,
        status=attempt.status,
        milliseconds=attempt.milliseconds,
        fault=attempt.fault,
        answer=attempt.text,
        try_at=None if delay is None else now + timedelta(seconds=delay),
        done_at=now if is_over else None,
    )
    if is_delivered:
        record_success(delivery.webhook)
        return
    logger.warning("Message %s, try %s: %s", delivery.message_id, delivery.tries, attempt.fault)
    if not is_test:
        is_given_up = not is_over and delay is None
        record_failure(delivery.webhook, now, attempt.outcome is Outcome.GONE, is_given_up)


def requeue_stale(clock: Clock = timezone.now) -> None:
    """Make deliveries due again whose worker stopped while sending; receivers drop duplicates by their id."""
    now = clock()
    if count := Delivery.objects.expired(now).wait_again(now, fault="stopped"):
        logger.warning("%s messages were being sent when their worker stopped", count)


def delete_old(now: datetime) -> int:
    """Delete deliveries older than RETENTION; return how many."""
    return Delivery.objects.filter(posted_at__lt=now - RETENTION).delete()[0]


# --- Failing targets ---


PAUSE_AFTER: Final = timedelta(days=1)
Pause = Webhook.Pause


def record_success(webhook: Webhook) -> None:
    Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)


def record_failure(webhook: Webhook, now: datetime, is_gone: bool, is_given_up: bool) -> None:
    """Note the failure; pause the webhook if it has failed for PAUSE_AFTER.

    It is paused at once when the target `is_gone` or a message `is_given_up` after its last try.
    """
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    since = Webhook.objects.filter(pk=webhook.pk).values_list("failing_since", flat=True).first()
    if since is not None and (is_gone or is_given_up or now - since >= PAUSE_AFTER):
        _pause(webhook, Pause.GONE if is_gone else Pause.FAILING)


def _pause(webhook: Webhook, reason: Webhook.Pause) -> None:
    """Pause the webhook and write to its organisers. Idempotent."""
    with log.write(webhook.tournament, Actor.system("worker"), WEBHOOK_PAUSED, None) as entry:
        if not Webhook.objects.filter(pk=webhook.pk, pause=Pause.NONE).update(pause=reason):
            entry.mark_unchanged()
            return
        entry.data = {"webhook": webhook.number, "state": reason.value}
        _write_to_organisers(webhook)


def _write_to_organisers(webhook: Webhook) -> None:
    organisers = Membership.objects.filter(
        tournament=webhook.tournament, role__in=roles_with(Right.ORGANISE)
    ).select_related("user")
    link = site_address() + reverse("organiser_webhook", args=[webhook.tournament.slug, webhook.number])
    people = {organiser.user.email: organiser.user for organiser in organisers}
    for address, user in people.items():
        name = user.get_full_name() or user.get_username()
        facts = {"name": name, "target": webhook.name, "link": link}
        queue_mail("webhook_paused", address, webhook.language, facts, tournament=webhook.tournament)
