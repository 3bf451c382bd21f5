"""Sending what is due to each target, and pausing one at which nothing arrives."""

from __future__ import annotations

import http.client
import json
import logging
import random
import socket
import ssl
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Final
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone

from tournament.base import log
from tournament.base.access import Actor, Right, roles_with
from tournament.base.engine.notices import Kind
from tournament.base.engine.text import one_line
from tournament.base.models.tournament import Membership
from tournament.base.requests import site_address
from tournament.messages import outbound
from tournament.messages.mail.post import post
from tournament.messages.outbound import (
    HTTPS_PORT,
    Answer,
    Limits,
    NotPublic,
    TooSlow,
    is_public,
    unwrapped,
)
from tournament.messages.webhooks.engine import Format, asked_for, complaint, headers, pause_after, signed
from tournament.messages.webhooks.models import LONGEST_ANSWER, Delivery, Webhook, is_open_port
from tournament.messages.webhooks.post import may_be_told
from tournament.messages.webhooks.texts import WEBHOOK_PAUSED

logger = logging.getLogger(__name__)

# --- What is due ---


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
    """Send what is due: to each target one message after the other, to several targets at the same time.

    A message is claimed first, tried with longer and longer pauses, and goes out at least once: one whose worker
    stopped meanwhile is sent again, and the other side knows it by its id. While a target fails, what comes after waits
    its turn. Whoever has answered makes room for the next, so a target that hangs holds up nobody but itself.

    `chance`: from 0 to 1, by which pauses differ.
    """
    until = time.monotonic() + SECONDS
    under_way: dict[Future[Report], Delivery] = {}
    with ThreadPoolExecutor(SEVERAL) as threads:
        while True:
            room = SEVERAL - len(under_way) if time.monotonic() < until else 0
            claimed = _claim(clock(), room)
            for delivery in claimed:
                if not _withhold(delivery, now := clock()):
                    parcel = _parcel(delivery, now)
                    under_way[threads.submit(send, parcel, now.timestamp())] = delivery
            if not (under_way or claimed):
                return
            for answered in wait(under_way, LOOK_AGAIN, FIRST_COMPLETED).done:
                note_answer(under_way.pop(answered), answered.result(), clock(), chance())


def _claim(now: datetime, most: int) -> list[Delivery]:
    """Claim them for this worker alone: whoever else looks finds them being sent."""
    pks: list[int] = []
    for pk in list(_due_deliveries(now).values_list("pk", flat=True)[:most]):
        waiting = Delivery.objects.filter(pk=pk, state=State.WAITING)
        if waiting.update(state=State.SENDING, tries=F("tries") + 1, try_at=now + LEASE, fault="", answer=""):
            pks.append(pk)
    claimed = Delivery.objects.select_related("webhook__tournament").filter(pk__in=pks)
    return list(claimed.order_by("posted_at", "pk"))


def _due_deliveries(now: datetime) -> QuerySet[Delivery]:
    """Of each target that can be written to the message whose turn it is, if its pause is over; a test has no turn."""
    unsent = Delivery.objects.filter(webhook=OuterRef("webhook"), state__in=(State.WAITING, State.SENDING))
    first = unsent.exclude(kind=Kind.TEST).order_by("posted_at", "pk").values("pk")[:1]
    turn = Q(pk=Subquery(first), webhook__pause=Webhook.Pause.NONE)
    due = Delivery.objects.filter(state=State.WAITING, try_at__lte=now)
    return due.filter(turn | Q(kind=Kind.TEST)).order_by("posted_at", "pk")


def _withhold(delivery: Delivery, now: datetime) -> bool:
    """Hold back what was everybody's to know when it was written and is hidden since; whether it was."""
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


def note_answer(delivery: Delivery, report: Report, now: datetime, chance: float) -> None:
    """Store what became of a message.

    A pause follows each try but the last, after which the target is paused. A test is tried once.
    """
    has_arrived, is_test = report.outcome is Outcome.ARRIVED, delivery.kind == Kind.TEST
    is_over = has_arrived or is_test or report.outcome is Outcome.NEVER
    pause = None if is_over else pause_after(delivery.tries, chance, report.pause)
    # Its target may have been removed meanwhile, and the message with it.
    Delivery.objects.filter(pk=delivery.pk).update(
        state=State.DELIVERED if has_arrived else State.FAILED if is_over else State.WAITING,
        status=report.status,
        milliseconds=report.milliseconds,
        fault=report.fault,
        answer=report.words,
        try_at=None if pause is None else now + timedelta(seconds=pause),
        done_at=now if is_over else None,
    )
    if has_arrived:
        note_success(delivery.webhook)
        return
    logger.warning("Message %s, try %s: %s", delivery.message_id, delivery.tries, report.fault)
    if not is_test:
        is_hopeless = not is_over and pause is None
        note_failure(delivery.webhook, now, report.outcome is Outcome.GONE, is_hopeless)


def take_up_again(clock: Clock = timezone.now) -> None:
    """Send those again that were claimed and never heard of again: perhaps they arrived, and the other side knows."""
    now = clock()
    lost = Delivery.objects.filter(state=State.SENDING, try_at__lt=now)
    if count := lost.update(state=State.WAITING, try_at=now, fault="stopped"):
        logger.warning("%s messages were being sent when their worker stopped", count)


def forget_old(now: datetime) -> int:
    """Delete messages that were written a month ago, whatever became of them; how many."""
    return Delivery.objects.filter(posted_at__lt=now - KEPT_FOR).delete()[0]


# --- One message ---


LIMITS: Final = Limits(patience=5.0, longest=10.0, most=2048)
"""Five seconds of silence, ten for everything, two kilobytes of the answer."""
UNACCEPTABLE: Final = frozenset({400, 413, 414, 415, 422})
"""The message is at fault: it is no better the next time."""
GONE: Final = 410
TOO_MANY: Final = 429


class Outcome(Enum):
    ARRIVED = "arrived"
    LATER = "later"
    NEVER = "never"
    """This message; the next may arrive."""
    GONE = "gone"
    """The target: nothing more is to be sent there."""


@dataclass(frozen=True)
class Parcel:
    """A message as it is to be sent. `secrets`: the newest first."""

    url: str
    format: Format
    chat: str
    secrets: tuple[str, ...]
    message: str
    body: str
    kind: str


@dataclass(frozen=True)
class Report:
    """What came of a try. `fault`: why it failed, by its code; `words`: the other side's own, or where it wanted
    to lead; `pause`: for how many seconds it asks to be left alone."""

    outcome: Outcome
    milliseconds: int
    status: int | None = None
    fault: str = ""
    words: str = ""
    pause: int | None = None


def send(parcel: Parcel, seconds: float) -> Report:
    """Hand a message over, once. Never raises for what the other side does.

    It runs in a thread, so it neither reads nor writes the database. `seconds`: what the clock says, for signatures.
    """
    begun = time.monotonic()
    answer: Answer | None = None
    try:
        answer = _post(parcel, seconds)
        outcome, fault, words = _outcome(parcel.format, answer)
    except (OSError, http.client.HTTPException) as trouble:
        outcome, fault, words = Outcome.LATER, fault_of_try(trouble), ""
    took = round((time.monotonic() - begun) * 1000)
    if answer is None:
        return Report(outcome, took, None, fault)
    return Report(outcome, took, answer.status, fault, words, asked_for(answer.headers.get("retry-after")))


def _post(parcel: Parcel, seconds: float) -> Answer:
    url, text = signed(parcel.format, parcel.url, parcel.body, parcel.chat, round(seconds * 1000))
    body, parts = text.encode(), urlsplit(url)
    sent = {"Content-Type": "application/json; charset=utf-8", "User-Agent": "Hule"}
    sent |= headers(parcel.secrets, parcel.message, int(seconds), body)
    if parcel.format is Format.HULE:
        sent["X-Hule-Event"] = parcel.kind  # by which a program sorts before it reads
    return outbound.post(parts, addresses(parts), sent, body, LIMITS)


def _outcome(format: Format, answer: Answer) -> tuple[Outcome, str, str]:
    status, words = answer.status, _reply(answer.body)
    if 200 <= status < 300:
        against = complaint(format, answer.body)
        return (
            (Outcome.LATER, "complaint", against[:LONGEST_ANSWER])
            if against
            else (Outcome.ARRIVED, "", words)
        )
    if 300 <= status < 400:
        return Outcome.LATER, "redirect", _shortened(answer.headers.get("location", ""))
    if status == GONE:
        return Outcome.GONE, "gone", words
    if status in UNACCEPTABLE:
        return Outcome.NEVER, "unacceptable", words
    return Outcome.LATER, "too_many" if status == TOO_MANY else "status", words


def _reply(body: bytes) -> str:
    """How an answer begins; of JSON with a sentence in it, that."""
    text = body.decode(errors="replace")
    try:
        read = json.loads(text)
    except ValueError:
        return _shortened(text)
    if isinstance(read, dict):
        text = next((str(read[key]) for key in ("description", "message", "error") if read.get(key)), text)
    return _shortened(text)


def _shortened(text: str) -> str:
    return one_line(text)[:LONGEST_ANSWER]


def fault_of_try(trouble: Exception) -> str:
    """The code of what went wrong before there was an answer."""
    return next((code for kind, code in _FAULTS if isinstance(trouble, kind)), "nobody")


_FAULTS: Final = (
    (NotPublic, "private"),
    (TooSlow, "hangs"),
    (TimeoutError, "hangs"),
    (socket.gaierror, "unknown_name"),
    (ssl.SSLError, "not_trusted"),
    (http.client.RemoteDisconnected, "nobody"),
    (http.client.HTTPException, "not_http"),
)


# --- Addresses ---


def addresses(parts: SplitResult) -> list[tuple[str, int]]:
    """Where the target is, now; `NotPublic` when any of its addresses is neither public nor in a named network."""
    is_https = parts.scheme == "https"
    port = parts.port or (HTTPS_PORT if is_https else 80)
    may = partial(_may_be_written_to, is_open=is_https and is_open_port(port))
    return outbound.addresses(parts, may, port)


def _may_be_written_to(number: str, *, is_open: bool) -> bool:
    if is_open and is_public(number):
        return True
    address = unwrapped(number)
    return any(address in network for network in settings.WEBHOOK_NETWORKS)


# --- Targets that fail ---


LONG: Final = timedelta(days=1)
Pause = Webhook.Pause


def note_success(webhook: Webhook) -> None:
    Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)


def note_failure(webhook: Webhook, now: datetime, is_gone: bool, is_hopeless: bool) -> None:
    """Pause the target when nothing has arrived for a day.

    `is_gone`: the target says so itself; `is_hopeless`: a message was tried as often as any is.
    """
    Webhook.objects.filter(pk=webhook.pk, failing_since=None).update(failing_since=now)
    since = Webhook.objects.filter(pk=webhook.pk).values_list("failing_since", flat=True).first()
    if since is not None and (is_gone or is_hopeless or now - since >= LONG):
        _pause(webhook, Pause.GONE if is_gone else Pause.FAILING)


def _pause(webhook: Webhook, why: Webhook.Pause) -> None:
    """Pause the target, once, and tell its organisers. What is waiting waits on."""
    with log.write(webhook.tournament, Actor.system("worker"), WEBHOOK_PAUSED) as entry:
        if not Webhook.objects.filter(pk=webhook.pk, pause=Pause.NONE).update(pause=why):
            entry.unchanged()
            return
        entry.data = {"webhook": webhook.number, "state": why.value}
        _write_to_organisers(webhook)


def _write_to_organisers(webhook: Webhook) -> None:
    """A letter to each organiser who has an address."""
    organisers = Membership.objects.filter(
        tournament=webhook.tournament, role__in=roles_with(Right.ORGANISE)
    ).select_related("user")
    link = site_address() + reverse("organiser_webhook", args=[webhook.tournament.slug, webhook.number])
    people = {organiser.user.email: organiser.user for organiser in organisers}
    for address, user in people.items():
        name = user.get_full_name() or user.get_username()
        facts = {"name": name, "target": webhook.name, "link": link}
        post("webhook_paused", address, webhook.language, facts, tournament=webhook.tournament)
