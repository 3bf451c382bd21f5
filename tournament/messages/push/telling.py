"""Telling phones: whom a write concerns, and the sending."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, TypeAlias

from django.db import transaction
from django.utils import timezone, translation

from tournament.base.models.log_entry import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.selectors import is_for, places_of_all
from tournament.messages.push.models import Phone
from tournament.messages.push.notes import Note, announcement_note, situation_note, welcome_note
from tournament.messages.push.phones import forget_phones, stop_telling
from tournament.messages.push.post import Letter, Outcome, post
from tournament.play.selectors.situations import Situation, situations

SEVERAL = 8
"""Letters on their way at the same time."""
HOURS = 3600
ANNOUNCED_FOR, SEAT_FOR, BEGINS_FOR = 2 * HOURS, 12 * HOURS, HOURS // 4
"""Seconds for which a phone that is off is still told: of an announcement without an end, of a seat, of a gong."""

Packed: TypeAlias = dict[str, Any]
"""A note for one phone, as the queue carries it: the phone's pk, what it shows, and how it is sent."""


def notes_after(tournament_id: int, seq: int) -> list[Packed]:
    """What the phones are to be told after a write, each in its language; a situation is told once."""
    entry = LogEntry.objects.select_related("tournament").filter(tournament=tournament_id, seq=seq).first()
    if entry is None:
        return []
    forget_phones()
    with transaction.atomic():
        phones = _phones(entry.tournament)
        if entry.action == "announcement_made":
            return list(_of_announcement(entry, phones))
        return list(_of_situations(entry.tournament, phones, entry.action))


def notes_for_new(phone_id: int) -> list[Packed]:
    """A phone's first message."""
    with transaction.atomic():
        phone = Phone.objects.select_related("player__tournament").filter(pk=phone_id).first()
        if phone is None:
            return []
        tournament = phone.player.tournament
        situation = situations(tournament, [phone.player]).get(phone.player_id)
        if situation is not None:
            _remember(phone, situation)
        with _as_told_to(phone):
            return [_packed(phone, welcome_note(phone.player, situation), seconds=BEGINS_FOR, urgent=True)]


def send(notes: Sequence[Packed]) -> list[Packed]:
    """Send the notes, several at a time; gives those that may be tried again. Who is gone is forgotten."""
    phones = Phone.objects.in_bulk([note["phone"] for note in notes])
    there = [note for note in notes if note["phone"] in phones]  # the others have stopped meanwhile
    letters = [_letter(phones[note["phone"]], note) for note in there]
    with ThreadPoolExecutor(SEVERAL) as threads:
        outcomes = list(threads.map(post, letters))
    stop_telling(
        [letter.endpoint for letter, came in zip(letters, outcomes, strict=True) if came is Outcome.GONE]
    )
    return [note for note, came in zip(there, outcomes, strict=True) if came is Outcome.LATER]


def _phones(tournament: Tournament) -> list[Phone]:
    found = Phone.objects.select_for_update(of=("self",)).filter(player__tournament=tournament)
    phones = list(found.select_related("player"))
    for phone in phones:
        phone.player.tournament = tournament
    return phones


def _of_announcement(entry: LogEntry, phones: Iterable[Phone]) -> Iterator[Packed]:
    said = Announcement.objects.filter(
        tournament=entry.tournament, uuid=entry.data["uuid"], withdrawn_at=None
    ).first()
    seconds = ANNOUNCED_FOR if said is None or said.ends_at is None else _until(said)
    if said is None or seconds <= 0:
        return
    places = places_of_all(entry.tournament) if said.tables else {}
    for phone in phones:
        if is_for(said, places.get(phone.player_id, ())):
            with _as_told_to(phone):
                yield _packed(phone, announcement_note(phone.player, said), seconds=seconds, urgent=True)


def _until(said: Announcement) -> int:
    assert said.ends_at is not None
    return int((said.ends_at - timezone.now()) / timedelta(seconds=1))


def _of_situations(tournament: Tournament, phones: Sequence[Phone], action: str) -> Iterator[Packed]:
    """A session begins at its gong alone: what is written while it is played tells nobody that it begins.

    Who is on the way to the table because of a gong that is taken back hears of it as soon.
    """
    gong, unstarted = action == "session_started", action == "session_unstarted"
    found = situations(tournament, [phone.player for phone in phones])
    for phone in phones:
        situation = found.get(phone.player_id)
        if situation is None or situation.word == phone.told or (situation.begins and not gong):
            continue
        _remember(phone, situation)
        seconds = BEGINS_FOR if situation.begins else SEAT_FOR
        with _as_told_to(phone):
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
def _as_told_to(phone: Phone) -> Iterator[None]:
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
