"""Telling phones: whom a write concerns, what they say, and the sending."""

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
from tournament.messages.announcements.selectors import is_for, places_of_all
from tournament.messages.outbound import NotPublic
from tournament.messages.push import selectors
from tournament.messages.push.keys import signer
from tournament.messages.push.models import Phone
from tournament.messages.push.services import forget_phones, forget_unreached, note_reached, stop_telling
from tournament.play.selectors.public import Out, Seated, Situation, situations
from tournament.web.texts.log import tables_text
from tournament.web.texts.words import when

logger = logging.getLogger(__name__)

# --- Whom a write concerns ---


SEVERAL = 8
"""Letters on their way at the same time."""
HOURS = 3600
ANNOUNCED_FOR, SEAT_FOR, BEGINS_FOR = 2 * HOURS, 12 * HOURS, HOURS // 4
"""Seconds for which a phone that is off is still told: of an announcement without an end, of a seat, of a gong."""

Packed: TypeAlias = dict[str, Any]
"""A note for one phone, as the queue carries it: the phone's pk, what it shows, and how it is sent."""


def notes_after(tournament_id: int, seq: int) -> list[Packed]:
    """Say what the phones are to be told after a write, each in its language; a situation is told once."""
    entry = LogEntry.objects.select_related("tournament").filter(tournament=tournament_id, seq=seq).first()
    if entry is None:
        return []
    forget_phones()
    with transaction.atomic():
        phones = _locked_phones(entry.tournament)
        push = action_of(entry.action).push
        if push is Push.ANNOUNCEMENT:
            return list(_announcement_notes(entry, phones))
        return list(_situation_notes(entry.tournament, phones, push))


def notes_for_new(phone_id: int) -> list[Packed]:
    """Make a phone's first message."""
    with transaction.atomic():
        phone = Phone.objects.select_related("player__tournament").filter(pk=phone_id).first()
        if phone is None:
            return []
        tournament = phone.player.tournament
        situation = situations(tournament, [phone.player]).get(phone.player_id)
        if situation is not None:
            _remember(phone, situation)
        with _in_words_of(phone):
            return [_packed(phone, welcome_note(phone.player, situation), seconds=BEGINS_FOR, urgent=True)]


def send(notes: Sequence[Packed]) -> list[Packed]:
    """Send the notes, several at a time; return those that may be tried again.

    Who is gone is forgotten, and whoever turns down the first message.
    """
    phones = Phone.objects.in_bulk([note["phone"] for note in notes])
    listening = [note for note in notes if note["phone"] in phones]  # the others have stopped meanwhile
    letters = [_letter(phones[note["phone"]], note) for note in listening]
    with ThreadPoolExecutor(SEVERAL) as threads:
        outcomes = list(threads.map(post, letters))
    of: dict[Outcome, list[Packed]] = {outcome: [] for outcome in Outcome}
    for note, outcome in zip(listening, outcomes, strict=True):
        of[outcome].append(note)
    note_reached([phones[note["phone"]] for note in of[Outcome.TAKEN]])
    forget_unreached([note["phone"] for note in of[Outcome.REFUSED]])
    stop_telling([phones[note["phone"]].endpoint for note in of[Outcome.GONE]])
    return of[Outcome.LATER]


def _letter(phone: Phone, note: Mapping[str, Any]) -> Letter:
    return Letter(
        endpoint=phone.endpoint,
        key=phone.key,
        secret=phone.secret,
        site=phone.site,
        text=json.dumps(note["shown"], ensure_ascii=False),
        seconds=note["seconds"],
        topic=note["shown"]["tag"],
        urgent=note["urgent"],
    )


def _locked_phones(tournament: Tournament) -> list[Phone]:
    locked = Phone.objects.select_for_update(of=("self",)).filter(player__tournament=tournament)
    phones = list(locked.select_related("player"))
    for phone in phones:
        phone.player.tournament = tournament
    return phones


def _announcement_notes(entry: LogEntry, phones: Iterable[Phone]) -> Iterator[Packed]:
    announcement = Announcement.objects.filter(
        tournament=entry.tournament, uuid=entry.data["uuid"], withdrawn_at=None
    ).first()
    if announcement is None or (seconds := _seconds_left(announcement)) <= 0:
        return
    places = places_of_all(entry.tournament) if announcement.tables else {}
    for phone in phones:
        if is_for(announcement, places.get(phone.player_id, ())):
            with _in_words_of(phone):
                yield _packed(
                    phone, announcement_note(phone.player, announcement), seconds=seconds, urgent=True
                )


def _seconds_left(announcement: Announcement) -> int:
    """Count for how long a phone that is off is still told."""
    if announcement.ends_at is None:
        return ANNOUNCED_FOR
    return int((announcement.ends_at - timezone.now()) / timedelta(seconds=1))


def _situation_notes(tournament: Tournament, phones: Sequence[Phone], push: Push | None) -> Iterator[Packed]:
    """A session begins at its gong alone: what is written while it is played tells nobody that it begins.

    Who is on the way to the table because of a gong that is taken back hears of it as soon.
    """
    gong, unstarted = push is Push.GONG, push is Push.GONG_TAKEN_BACK
    by_player = situations(tournament, [phone.player for phone in phones])
    for phone in phones:
        situation = by_player.get(phone.player_id)
        if situation is None or situation.word == phone.told or (situation.begins and not gong):
            continue
        _remember(phone, situation)
        seconds = BEGINS_FOR if situation.begins else SEAT_FOR
        with _in_words_of(phone):
            yield _packed(
                phone,
                situation_note(phone.player, situation, gong=gong, unstarted=unstarted),
                seconds=seconds,
                urgent=situation.begins or unstarted,
            )


def _remember(phone: Phone, situation: Situation) -> None:
    phone.told = situation.word
    phone.save(update_fields=["told"])


@contextmanager
def _in_words_of(phone: Phone) -> Iterator[None]:
    """Speak the phone's language, and tell times by the tournament's clock."""
    with translation.override(phone.language), timezone.override(phone.player.tournament.zone):
        yield


def _packed(phone: Phone, note: Note, *, seconds: int, urgent: bool) -> Packed:
    shown = {
        "title": note.title,
        "body": note.body,
        "path": note.path,
        "tag": note.subject,
        "lang": phone.language,
    }
    return {"phone": phone.pk, "shown": shown, "seconds": seconds, "urgent": urgent}


# --- What a phone shows ---


SEAT = "seat"
"""The subject under which a newer message takes the place of an older one."""


@dataclass(frozen=True)
class Note:
    """A message as the phone shows it, and the page that a tap on it opens."""

    title: str
    body: str
    path: str
    subject: str


def situation_note(
    player: Player, situation: Situation, *, gong: bool = False, unstarted: bool = False
) -> Note:
    """`gong`: the session begins this moment; `unstarted`: its start has just been taken back."""
    if isinstance(situation, Out):
        return _finals_note(player, situation)
    return _seat_note(player, situation, gong, unstarted)


def _seat_note(player: Player, seated: Seated, gong: bool, unstarted: bool) -> Note:
    place = {
        "session": seated.session.number,
        "table": seated.seat.table.number,
        "wind": Wind(seated.seat.wind).label,
    }
    names = joined(other.name for other in seated.others)
    if seated.begins:
        title = (
            _("Session {session} begins: table {table}, {wind}")
            if gong
            else _("Session {session}: table {table}, {wind}")
        )
        path = reverse("table_page", args=[player.tournament.slug, place["session"], place["table"]])
        return Note(title.format(**place), _("With {names}").format(names=names), path, SEAT)
    title = (
        _("Not begun after all, session {session}: table {table}, {wind}")
        if unstarted
        else _("Next, session {session}: table {table}, {wind}")
    ).format(**place)
    at = when(seated.entry.starts_at, player.tournament) if seated.entry else ""
    body = _("{time}, with {names}") if at else _("With {names}")
    return Note(title, body.format(time=at, names=names), player_path(player), SEAT)


def _finals_note(player: Player, out: Out) -> Note:
    facts = {"session": out.final.after_session, "rank": out.rank}
    body = _("Rank {rank} after session {session}.").format(**facts) if out.rank else str(player.tournament)
    path = reverse("ranking", args=[player.tournament.slug])
    return Note(_("The finals are set, without you"), body, path, SEAT)


def announcement_note(player: Player, announcement: Announcement) -> Note:
    text = announcement.text_in(get_language() or "")
    title = str(player.tournament)
    if announcement.tables:
        title = _("{tournament}, {tables}").format(tournament=title, tables=tables_text(announcement.tables))
    return Note(title, text, player_path(player), f"said-{announcement.pk}")


def welcome_note(player: Player, situation: Situation | None) -> Note:
    """The first message, which shows that messages arrive: the player's situation if there is one."""
    if situation is not None:
        return situation_note(player, situation)
    body = _("This phone is told your seats, when sessions begin, and announcements.")
    return Note(str(player.tournament), body, player_path(player), SEAT)


def player_path(player: Player) -> str:
    return reverse("player_page", args=[player.tournament.slug, player.number])


# --- One message ---


PATIENCE = 5.0
"""Seconds for which a push service may say nothing."""
LONGEST = 15.0
"""Seconds for the whole of one message, however busily the other side dawdles."""
SIGNED_FOR = 12 * 3600
"""Seconds; RFC 8292 §2 allows a day."""


class Outcome(Enum):
    TAKEN = "taken"
    GONE = "gone"
    """Nobody is there any more: never write there again."""
    LATER = "later"
    """Nothing is wrong with the message; another time it may be taken."""
    REFUSED = "refused"


@dataclass(frozen=True)
class Letter:
    """What goes to one phone, and how."""

    endpoint: str
    key: str
    secret: str
    site: str
    text: str
    seconds: int
    """How long the push service keeps it for a phone that is off."""
    topic: str
    """A newer one with the same topic takes the place of one still waiting (RFC 8030 §5.4)."""
    urgent: bool


def post(letter: Letter) -> Outcome:
    """Hand the letter over to its push service (RFC 8030), once: encrypted for this browser alone, and signed.

    Never raises for what the other side does; no redirect is followed.
    """
    parts = urlsplit(letter.endpoint)
    try:
        status = _status(parts, _headers(letter, parts), _encrypted(letter))
    except NotPublic:
        return Outcome.GONE
    except (OSError, http.client.HTTPException) as fault:
        logger.info("Push service %s cannot be reached: %s", parts.hostname, fault)
        return Outcome.LATER
    return _outcome(status, parts.hostname or "")


def _encrypted(letter: Letter) -> bytes:
    """Encrypt the text for this browser alone (RFC 8291)."""
    return bytes(
        http_ece.encrypt(
            letter.text.encode(),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=b64urldecode(letter.key.encode()),
            auth_secret=b64urldecode(letter.secret.encode()),
        )
    )


def _headers(letter: Letter, parts: SplitResult) -> dict[str, str]:
    """Make the headers, signed for the push service (RFC 8292)."""
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"https://{letter.site}",
        "exp": int(time.time()) + SIGNED_FOR,
    }
    return {
        **signer().sign(claims),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(letter.seconds),
        "Topic": letter.topic,
        "Urgency": "high" if letter.urgent else "normal",
    }


def _status(parts: SplitResult, headers: dict[str, str], body: bytes) -> int:
    limits = outbound.Limits(PATIENCE, LONGEST)
    return outbound.post(parts, selectors.addresses(parts), headers, body, limits).status


def _outcome(status: int, host: str) -> Outcome:
    if 200 <= status < 300:
        return Outcome.TAKEN
    if status in (404, 410):
        return Outcome.GONE
    if status == 429 or status >= 500:
        return Outcome.LATER
    logger.warning("Push service %s has refused a message with %s", host, status)
    return Outcome.REFUSED
