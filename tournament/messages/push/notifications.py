"""Push notifications: whom a log entry concerns, what their phones show, and sending it."""

from __future__ import annotations

import http.client
import json
import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from typing import Any, TypeAlias
from urllib.parse import SplitResult, urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from py_vapid.utils import b64urldecode

from scoring.texts import joined
from tournament.base.engine.notices import Push
from tournament.base.log_actions import action_of
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Wind
from tournament.base.models.tournament import Tournament
from tournament.messages import outbound
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import is_addressed_to, places_by_player
from tournament.messages.outbound import NotPublic
from tournament.messages.push import selectors
from tournament.messages.push.keys import signer
from tournament.messages.push.models import Phone
from tournament.messages.push.services import (
    delete_expired_phones,
    delete_unreached,
    mark_reached,
    unsubscribe_phones,
)
from tournament.play.selectors.public import NextSeat, OutOfFinal, Situation, situations
from tournament.web.texts.log import tables_text
from tournament.web.texts.words import when

logger = logging.getLogger(__name__)

# --- Recipients ---


MAX_THREADS = 8
"""Messages that are sent at the same time."""
HOUR = 3600
ANNOUNCEMENT_TTL, SEAT_TTL, START_TTL = 2 * HOUR, 12 * HOUR, HOUR // 4
"""How many seconds push services keep a message for a phone that is offline (TTL, RFC 8030 §5.2)."""

QueuedNotification: TypeAlias = dict[str, Any]
"""A notification for one phone as task argument: `phone` (pk), `shown` (the payload), `seconds` (TTL), `urgent`."""


def notifications_for_entry(tournament_id: int, seq: int) -> list[QueuedNotification]:
    """Return the notifications that a log entry causes, each in the phone's language."""
    entry = LogEntry.objects.select_related("tournament").filter(tournament=tournament_id, seq=seq).first()
    if entry is None:
        return []
    delete_expired_phones()
    with transaction.atomic():
        phones = _lock_phones(entry.tournament)
        push = action_of(entry.action).push
        if push is Push.ANNOUNCEMENT:
            return list(_announcement_notes(entry, phones))
        return list(_situation_notes(entry.tournament, phones, push))


def welcome_notifications(phone_id: int) -> list[QueuedNotification]:
    """Return a phone's first notification; empty if the phone is gone."""
    with transaction.atomic():
        phone = Phone.objects.select_related("player__tournament").filter(pk=phone_id).first()
        if phone is None:
            return []
        tournament = phone.player.tournament
        situation = situations(tournament, [phone.player]).get(phone.player_id)
        if situation is not None:
            _store_told(phone, situation)
        with _localized_for(phone):
            return [_pack(phone, welcome_text(phone.player, situation), seconds=START_TTL, urgent=True)]


def send(notes: Sequence[QueuedNotification]) -> list[QueuedNotification]:
    """Send notifications in parallel; return those to retry.

    Phones that are gone are deleted, and those that reject their first message.
    """
    phones = Phone.objects.in_bulk([note["phone"] for note in notes])
    subscribed = [note for note in notes if note["phone"] in phones]  # others have unsubscribed meanwhile
    messages = [_message_for(phones[note["phone"]], note) for note in subscribed]
    with ThreadPoolExecutor(MAX_THREADS) as threads:
        outcomes = list(threads.map(send_message, messages))
    by_outcome: dict[Outcome, list[QueuedNotification]] = {outcome: [] for outcome in Outcome}
    for note, outcome in zip(subscribed, outcomes, strict=True):
        by_outcome[outcome].append(note)
    mark_reached([phones[note["phone"]] for note in by_outcome[Outcome.ACCEPTED]])
    delete_unreached([note["phone"] for note in by_outcome[Outcome.REJECTED]])
    unsubscribe_phones([phones[note["phone"]].endpoint for note in by_outcome[Outcome.GONE]])
    return by_outcome[Outcome.RETRY]


def _message_for(phone: Phone, note: Mapping[str, Any]) -> Message:
    return Message(
        endpoint=phone.endpoint,
        key=phone.key,
        secret=phone.secret,
        site=phone.site,
        text=json.dumps(note["shown"], ensure_ascii=False),
        seconds=note["seconds"],
        topic=note["shown"]["tag"],
        urgent=note["urgent"],
    )


def _lock_phones(tournament: Tournament) -> list[Phone]:
    locked = Phone.objects.select_for_update(of=("self",)).filter(player__tournament=tournament)
    phones = list(locked.select_related("player"))
    for phone in phones:
        phone.player.tournament = tournament
    return phones


def _announcement_notes(entry: LogEntry, phones: Iterable[Phone]) -> Iterator[QueuedNotification]:
    announcement = Announcement.objects.filter(
        tournament=entry.tournament, uuid=entry.data["uuid"], cancelled_at=None
    ).first()
    if announcement is None or (seconds := _seconds_left(announcement)) <= 0:
        return
    places = places_by_player(entry.tournament) if announcement.tables else {}
    for phone in phones:
        if is_addressed_to(announcement, places.get(phone.player_id, ())):
            with _localized_for(phone):
                yield _pack(
                    phone, announcement_text(phone.player, announcement), seconds=seconds, urgent=True
                )


def _seconds_left(announcement: Announcement) -> int:
    if announcement.ends_at is None:
        return ANNOUNCEMENT_TTL
    return int((announcement.ends_at - timezone.now()) / timedelta(seconds=1))


def _situation_notes(
    tournament: Tournament, phones: Sequence[Phone], push: Push | None
) -> Iterator[QueuedNotification]:
    """Notify the phones whose situation has changed.

    That a session begins is sent at its gong only, not at later writes during the session. A gong that is taken back
    is urgent too: players are on their way to the tables.
    """
    gong, unstarted = push is Push.GONG, push is Push.GONG_CANCELLED
    by_player = situations(tournament, [phone.player for phone in phones])
    for phone in phones:
        situation = by_player.get(phone.player_id)
        if situation is None or situation.key == phone.last_situation or (situation.has_begun and not gong):
            continue
        _store_told(phone, situation)
        seconds = START_TTL if situation.has_begun else SEAT_TTL
        with _localized_for(phone):
            yield _pack(
                phone,
                situation_text(phone.player, situation, gong=gong, unstarted=unstarted),
                seconds=seconds,
                urgent=situation.has_begun or unstarted,
            )


def _store_told(phone: Phone, situation: Situation) -> None:
    phone.last_situation = situation.key
    phone.save(update_fields=["last_situation"])


@contextmanager
def _localized_for(phone: Phone) -> Iterator[None]:
    """Activate the phone's language and the tournament's time zone."""
    with translation.override(phone.language), timezone.override(phone.player.tournament.zone):
        yield


def _pack(phone: Phone, note: NotificationText, *, seconds: int, urgent: bool) -> QueuedNotification:
    shown = {
        "title": note.title,
        "body": note.body,
        "path": note.path,
        "tag": note.tag,
        "lang": phone.language,
    }
    return {"phone": phone.pk, "shown": shown, "seconds": seconds, "urgent": urgent}


# --- Texts ---


SEAT_TAG = "seat"
"""The tag of messages about seats: a newer one replaces an older one."""


@dataclass(frozen=True)
class NotificationText:
    """What a phone shows. `path`: the page that a tap opens. `tag`: a newer message with the same tag replaces it."""

    title: str
    body: str
    path: str
    tag: str


def situation_text(
    player: Player, situation: Situation, *, gong: bool = False, unstarted: bool = False
) -> NotificationText:
    """Describe a player's situation. `gong`: the session begins now; `unstarted`: its start was just taken back."""
    if isinstance(situation, OutOfFinal):
        return _finals_text(player, situation)
    return _seat_text(player, situation, gong, unstarted)


def _seat_text(player: Player, seated: NextSeat, gong: bool, unstarted: bool) -> NotificationText:
    place = {
        "session": seated.session.number,
        "table": seated.seat.table.number,
        "wind": Wind(seated.seat.wind).label,
    }
    names = joined(other.name for other in seated.others)
    if seated.has_begun:
        title = (
            _("Session {session} begins: table {table}, {wind}")
            if gong
            else _("Session {session}: table {table}, {wind}")
        )
        path = reverse("table_page", args=[player.tournament.slug, place["session"], place["table"]])
        return NotificationText(title.format(**place), _("With {names}").format(names=names), path, SEAT_TAG)
    title = (
        _("Start undone, session {session}: table {table}, {wind}")
        if unstarted
        else _("Next, session {session}: table {table}, {wind}")
    ).format(**place)
    at = when(seated.entry.starts_at, player.tournament) if seated.entry else ""
    body = _("{time}, with {names}") if at else _("With {names}")
    return NotificationText(title, body.format(time=at, names=names), player_url(player), SEAT_TAG)


def _finals_text(player: Player, out: OutOfFinal) -> NotificationText:
    facts = {"session": out.final.after_session, "rank": out.rank}
    body = _("Rank {rank} after session {session}.").format(**facts) if out.rank else str(player.tournament)
    path = reverse("ranking", args=[player.tournament.slug])
    return NotificationText(_("The finalists are set; you did not qualify"), body, path, SEAT_TAG)


def announcement_text(player: Player, announcement: Announcement) -> NotificationText:
    text = announcement.text_in(get_language() or "")
    title = str(player.tournament)
    if announcement.tables:
        title = _("{tournament}, {tables}").format(tournament=title, tables=tables_text(announcement.tables))
    return NotificationText(title, text, player_url(player), f"announcement-{announcement.pk}")


def welcome_text(player: Player, situation: Situation | None) -> NotificationText:
    """Return the first message: the player's situation, else a note that messages arrive."""
    if situation is not None:
        return situation_text(player, situation)
    body = _("This phone receives your seats, session starts and announcements.")
    return NotificationText(str(player.tournament), body, player_url(player), SEAT_TAG)


def player_url(player: Player) -> str:
    return reverse("player_page", args=[player.tournament.slug, player.number])


# --- Sending ---


TIMEOUT = 5.0
"""Seconds without a byte from the push service."""
DEADLINE = 15.0
"""Seconds for a whole request."""
TOKEN_LIFETIME = 12 * 3600
"""Seconds; RFC 8292 §2 allows a day."""


class Outcome(Enum):
    ACCEPTED = "taken"
    GONE = "gone"
    """The subscription no longer exists."""
    RETRY = "later"
    """The push service is unreachable or busy."""
    REJECTED = "refused"


@dataclass(frozen=True)
class Message:
    """A request to a push service."""

    endpoint: str
    key: str
    secret: str
    site: str
    text: str
    seconds: int
    """The TTL: how long the push service keeps it for an offline phone."""
    topic: str
    """A newer message with the same topic replaces one that is still waiting (RFC 8030 §5.4)."""
    urgent: bool


def send_message(message: Message) -> Outcome:
    """Send a message to its push service once (RFC 8030), encrypted for the browser and signed.

    Failures of the other side are returned, not raised.
    """
    parts = urlsplit(message.endpoint)
    try:
        limits = outbound.Limits(TIMEOUT, DEADLINE)
        addresses = selectors.resolve(parts)
        response = outbound.post(parts, addresses, _headers(message, parts), _encrypt(message), limits)
    except NotPublic:
        return Outcome.GONE
    except (OSError, http.client.HTTPException) as error:
        logger.info("Push service %s cannot be reached: %s", parts.hostname, error)
        return Outcome.RETRY
    return _outcome(response.status, parts.hostname or "")


def _encrypt(message: Message) -> bytes:
    """Encrypt the payload for the browser (RFC 8291)."""
    return bytes(
        http_ece.encrypt(
            message.text.encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=b64urldecode(message.key.encode()),
            auth_secret=b64urldecode(message.secret.encode()),
        )
    )


def _headers(message: Message, parts: SplitResult) -> dict[str, str]:
    """Return the headers, with a VAPID signature (RFC 8292)."""
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"https://{message.site}",
        "exp": int(time.time()) + TOKEN_LIFETIME,
    }
    return {
        **signer().sign(claims),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(message.seconds),
        "Topic": message.topic,
        "Urgency": "high" if message.urgent else "normal",
    }


def _outcome(status: int, host: str) -> Outcome:
    if 200 <= status < 300:
        return Outcome.ACCEPTED
    if status in (404, 410):
        return Outcome.GONE
    if status == 429 or status >= 500:
        return Outcome.RETRY
    logger.warning("Push service %s has refused a message with %s", host, status)
    return Outcome.REJECTED
