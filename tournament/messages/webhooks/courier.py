"""Sending what is due: to each target one message after the other, to several targets at the same time.

A message is claimed first, tried with longer and longer pauses, and goes out at least once: one whose worker stopped
meanwhile is sent again, and the other side knows it by its id. While a target fails, what comes after waits its turn.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from typing import Final

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from tournament.messages.webhooks import pausing
from tournament.messages.webhooks.engine.formats import Format
from tournament.messages.webhooks.engine.kinds import Kind
from tournament.messages.webhooks.engine.pauses import pause_after
from tournament.messages.webhooks.facts import may_be_told
from tournament.messages.webhooks.models import Delivery, Webhook
from tournament.messages.webhooks.sending import Outcome, Parcel, Report, send

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
"""How long one that is being sent is waited for."""
SEVERAL: Final = 8
"""Targets that are written to at the same time."""
SECONDS: Final = 60.0
"""How long one task goes on: documents want the worker, too. The rest is due in the next minute."""
LOOK_AGAIN: Final = 1.0
"""Seconds for which nobody need answer before it is looked for what was written meanwhile."""
KEPT_FOR: Final = timedelta(days=30)

Clock = Callable[[], datetime]
State = Delivery.State


def deliver(clock: Clock = timezone.now, chance: Callable[[], float] = random.random) -> None:
    """Send what is due; `chance`: from 0 to 1, by which pauses differ.

    Whoever has answered makes room for the next, so a target that hangs holds up nobody but itself.
    """
    until = time.monotonic() + SECONDS
    under_way: dict[Future[Report], Delivery] = {}
    with ThreadPoolExecutor(SEVERAL) as threads:
        while True:
            room = SEVERAL - len(under_way) if time.monotonic() < until else 0
            claimed = _claimed(clock(), room)
            for delivery in claimed:
                if not _withheld(delivery, now := clock()):
                    parcel = _parcel(delivery, now)
                    under_way[threads.submit(send, parcel, now.timestamp())] = delivery
            if not (under_way or claimed):
                return
            for answered in wait(under_way, LOOK_AGAIN, FIRST_COMPLETED).done:
                _note(under_way.pop(answered), answered.result(), clock(), chance())


def take_up_again(clock: Clock = timezone.now) -> None:
    """Those that were claimed and never heard of again: perhaps they arrived, and the other side knows."""
    now = clock()
    lost = Delivery.objects.filter(state=State.SENDING, try_at__lt=now)
    if count := lost.update(state=State.WAITING, try_at=now, fault="stopped"):
        logger.warning("%s messages were being sent when their worker stopped", count)


def forget_old(now: datetime) -> int:
    """Messages that were written a month ago, whatever became of them; how many."""
    return Delivery.objects.filter(posted_at__lt=now - KEPT_FOR).delete()[0]


def _heads(now: datetime) -> QuerySet[Delivery]:
    """Of each target that can be written to the message whose turn it is, if its pause is over; a test has no turn."""
    mine = Delivery.objects.filter(webhook=OuterRef("webhook"), state__in=(State.WAITING, State.SENDING))
    first = mine.exclude(kind=Kind.TEST).order_by("posted_at", "pk").values("pk")[:1]
    turn = Q(pk=Subquery(first), webhook__pause=Webhook.Pause.NONE)
    due = Delivery.objects.filter(state=State.WAITING, try_at__lte=now)
    return due.filter(turn | Q(kind=Kind.TEST)).order_by("posted_at", "pk")


def _claimed(now: datetime, most: int) -> list[Delivery]:
    """Ours alone: whoever else looks finds them being sent."""
    found: list[int] = []
    for pk in list(_heads(now).values_list("pk", flat=True)[:most]):
        waiting = Delivery.objects.filter(pk=pk, state=State.WAITING)
        if waiting.update(state=State.SENDING, tries=F("tries") + 1, try_at=now + LEASE, fault="", answer=""):
            found.append(pk)
    claimed = Delivery.objects.select_related("webhook__tournament").filter(pk__in=found)
    return list(claimed.order_by("posted_at", "pk"))


def _withheld(delivery: Delivery, now: datetime) -> bool:
    """What was everybody's to know when it was written may be hidden since."""
    tournament = delivery.webhook.tournament
    if may_be_told(tournament, Kind(delivery.kind), delivery.session):
        return False
    delivery.state, delivery.try_at, delivery.done_at = State.WITHHELD, None, now
    delivery.save(update_fields=["state", "try_at", "done_at"])
    return True


def _parcel(delivery: Delivery, now: datetime) -> Parcel:
    webhook = delivery.webhook
    is_renewed = webhook.old_until is not None and now < webhook.old_until
    return Parcel(
        url=webhook.url,
        format=Format(webhook.format),
        chat=webhook.chat,
        secrets=(webhook.secret, webhook.old_secret) if is_renewed else (webhook.secret,),
        message=delivery.message_id,
        body=delivery.body,
        kind=delivery.kind,
    )


def _note(delivery: Delivery, report: Report, now: datetime, chance: float) -> None:
    """What became of it. A pause follows each try but the last, after which the target is paused.

    A test is tried once.
    """
    has_arrived, is_test = report.outcome is Outcome.ARRIVED, delivery.kind == Kind.TEST
    is_over = has_arrived or is_test or report.outcome is Outcome.NEVER
    pause = None if is_over else pause_after(delivery.tries, chance, report.asked)
    # Its target may have been removed meanwhile, and the message with it.
    Delivery.objects.filter(pk=delivery.pk).update(
        state=State.DELIVERED if has_arrived else State.FAILED if is_over else State.WAITING,
        status=report.status,
        milliseconds=report.milliseconds,
        fault=report.fault,
        answer=report.said,
        try_at=None if pause is None else now + timedelta(seconds=pause),
        done_at=now if is_over else None,
    )
    if has_arrived:
        pausing.note_success(delivery.webhook)
        return
    logger.warning("Message %s, try %s: %s", delivery.message_id, delivery.tries, report.fault)
    if not is_test:
        is_hopeless = not is_over and pause is None
        pausing.note_failure(delivery.webhook, now, report.outcome is Outcome.GONE, is_hopeless)
