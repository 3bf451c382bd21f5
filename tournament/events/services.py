"""Making, changing and deleting a tournament; its page and its timetable."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import timedelta
from functools import partial
from io import BytesIO
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.text import slugify

from penalties.models import Penalty
from scoring.engine.problems import Problem
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.engine.rules import Rules, rules_named
from tournament.base.errors import Refused, refuse
from tournament.base.event_words import EventWords, words_of
from tournament.base.models.documents import CertificateDesign, DocumentJob
from tournament.base.models.events import EventDocument, EventPage, TimetableItem
from tournament.base.models.play import Absence, Appeal, Hand
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.events.selectors import (
    FIXED_BY_THE_DRAW,
    RESERVED,
    Particulars,
    TimetableLine,
    event_page_problems,
    fingerprint,
    kind_of,
    particulars_problems,
    timetable_problems,
)
from tournament.play.models import Signature, Totals
from tournament.play.services.tables import fresh

# --- The tournament ---


logger = logging.getLogger(__name__)


@transaction.atomic
def create_tournament(actor: Actor, particulars: Particulars, *, is_trial: bool = False) -> Tournament:
    """A new tournament, under a snapshot of its rulebook; the actor owns it."""
    access.require_creator(actor)
    if problems := particulars_problems(particulars):
        raise Refused(problems)
    tournament = Tournament.objects.create(
        slug=_free_slug(particulars.name),
        is_trial=is_trial,
        rules_snapshot=rules_named(particulars.rulebook)
        .with_held_out_waits(particulars.held_out_waits)
        .to_json(),
        **_columns_of(particulars),
    )
    if actor.user is not None:
        Membership.objects.create(tournament=tournament, user=actor.user, role=Role.OWNER)
    with log.write(tournament, actor, "tournament_created") as entry:
        entry.data = _particulars_data(particulars)
    return tournament


def _free_slug(name: str) -> str:
    """The name as an address, numbered when it is taken; what has no Latin letters is 'tournament', and its figures."""
    stem = slugify(name)[:50]
    if not any(letter.isalpha() for letter in stem):
        stem = f"tournament-{stem}".rstrip("-")
    taken = RESERVED | set(Tournament.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(
        slug for slug in (stem, *(f"{stem}-{n}" for n in range(2, len(taken) + 3))) if slug not in taken
    )


def _columns_of(particulars: Particulars) -> dict[str, Any]:
    """What has a column of its own; what hands are scored by stands in the snapshot of the rules."""
    return {name: value for name, value in asdict(particulars).items() if name != "held_out_waits"}


def _particulars_data(particulars: Particulars) -> dict[str, Any]:
    data = asdict(particulars)
    return data | {"starts_on": str(particulars.starts_on), "ends_on": str(particulars.ends_on)}


def update_tournament(tournament: Tournament, actor: Actor, particulars: Particulars) -> Tournament:
    """Change the particulars; with another first day the timetable moves too.

    What `FIXED_BY_THE_DRAW` names is fixed once seats are drawn.
    """
    access.require_organiser(actor, tournament)
    if problems := particulars_problems(particulars):
        raise Refused(problems)
    with log.write(tournament, actor, "tournament_changed") as entry:
        changed = entry.tournament
        if changed.sessions.exists():
            for name in FIXED_BY_THE_DRAW:
                if getattr(particulars, name) not in (None, getattr(changed, name)):
                    raise refuse("fixed_by_the_draw", name)
        if (rules := _rules_after(changed, particulars)) != changed.rules:
            changed.rules_snapshot = rules.to_json()
        if (days := (particulars.starts_on - changed.starts_on).days) != 0:
            move_timetable(changed, days)
        for name, value in _columns_of(particulars).items():
            setattr(changed, name, value)
        changed.save()
        entry.data = _particulars_data(particulars)
    return changed


def _rules_after(tournament: Tournament, particulars: Particulars) -> Rules:
    """The rules after a change: another rulebook's are today's, with the fouls that were changed and the attendance."""
    old = rules = tournament.rules
    if particulars.rulebook != tournament.rulebook:
        rules = rules_named(particulars.rulebook)
        fouls = rules.fouls.having(*old.fouls.changes())
        rules = replace(rules, fouls=fouls, attendance=old.attendance)
    return rules.with_held_out_waits(particulars.held_out_waits)


@transaction.atomic
def delete_tournament(tournament: Tournament, actor: Actor, *, name: str = "") -> None:
    """Delete it for good, for an owner who types its `name`; a trial without. Accounts of people stay.

    Every row of it goes, its log too, the files made of it, and the accounts behind its passes and its former staff.
    What remains is a line in the server's log. The hubs find the tournament gone at their next look: they end its
    streams, and the pages kept of it are not handed out any more.
    """
    access.require(actor, tournament, Right.OWN)
    tournament = fresh(Tournament.objects.select_for_update(), tournament)
    if not tournament.is_trial and " ".join(name.split()) != " ".join(tournament.name.split()):
        raise refuse("name_not_repeated", "name", name=name.strip())
    # A line that is there whatever the log level is set to by default: the tournament's own log goes with it.
    facts = (tournament.name, tournament.slug, tournament.version, actor.name)
    transaction.on_commit(partial(logger.warning, "Tournament “%s” (%s, version %s) deleted by %s", *facts))
    for job in tournament.documents.exclude(file=""):
        transaction.on_commit(partial(remove_file, job))
    for document in tournament.event_documents.all():
        transaction.on_commit(partial(remove_file, document))
    if (design := CertificateDesign.objects.filter(tournament=tournament).first()) and design.file:
        transaction.on_commit(partial(remove_file, design))
    _delete_records_of_play(tournament)
    User.objects.filter(memberships__tournament=tournament, memberships__desk_pass__isnull=False).delete()
    User.objects.filter(former_account__tournament=tournament).delete()
    transaction.on_commit(
        partial(hooks.entry_committed, tournament.pk, tournament.version, "tournament_deleted")
    )
    tournament.delete()


def _delete_records_of_play(tournament: Tournament) -> None:
    """What names players and so keeps them from being deleted: newest first, so that nothing is named any more."""
    hands = Hand.objects.filter(table__session__tournament=tournament)
    hands.update(replaces=None)
    Totals.objects.filter(table__session__tournament=tournament).update(replaces=None)
    Penalty.objects.filter(tournament=tournament).delete()
    for kind in (Hand, Totals, Appeal, Absence, Signature):
        kind._default_manager.filter(table__session__tournament=tournament).delete()
    tournament.sessions.all().delete()


def remove_file(kept: DocumentJob | EventDocument | CertificateDesign) -> None:
    """Delete a document's file; one that cannot be deleted is said and stays."""
    try:
        kept.file.delete(save=False)
    except OSError:
        logger.exception("The file %s could not be deleted", kept.file.name)


# --- The event's page ---


MOST_DOCUMENT_BYTES: Final = 3 * 1024 * 1024
"""Of a file: what comes through the API grows by a third, and five megabytes are let in."""
MOST_FILES: Final = 20
LONGEST_TITLE: Final = 80


def set_event_page(tournament: Tournament, actor: Actor, words: EventWords, *, seen: str = "") -> EventWords:
    """The page says this. `seen`: the fingerprint of what it said when somebody began to write; refused when it is
    another by now. The same words again write nothing."""
    access.require(actor, tournament, Right.ORGANISE)
    trimmed = words.trimmed()
    with log.write(tournament, actor, "event_page_changed") as entry:
        before = words_of(entry.tournament)
        if seen and seen != before.fingerprint():
            raise refuse("event_page_changed_meanwhile")
        if problems := event_page_problems(trimmed):
            raise Refused(problems)
        if trimmed == before:
            entry.unchanged()
            return before
        EventPage.objects.update_or_create(tournament=entry.tournament, defaults=asdict(trimmed))
        entry.data = {
            "fields": [name for name, value in asdict(trimmed).items() if value != getattr(before, name)]
        }
    return trimmed


def add_event_document(
    tournament: Tournament, actor: Actor, title: str, content: bytes, *, uuid: UUID
) -> EventDocument:
    """Put a file on the page: a PDF or an image, by its content. The same UUID is the same file."""
    access.require(actor, tournament, Right.ORGANISE)
    with log.write(tournament, actor, "event_document_added") as entry:
        if (known := entry.tournament.event_documents.filter(uuid=uuid).first()) is not None:
            entry.unchanged()
            return known
        if EventDocument.objects.filter(uuid=uuid).exists():
            raise refuse("uuid_of_another_event")
        kind = _check_document(entry.tournament, title.strip(), content)
        document = EventDocument(
            tournament=entry.tournament, uuid=uuid, title=title.strip(), kind=kind, size=len(content)
        )
        _store_document(document, content)
        entry.data = {"document": str(uuid)}
    return document


def _check_document(tournament: Tournament, title: str, content: bytes) -> str:
    """Its kind; refused with all that is wrong."""
    kind = kind_of(content)
    problems = []
    if not title:
        problems.append(Problem("title_missing", "title"))
    elif len(title) > LONGEST_TITLE:
        problems.append(Problem("text_too_long", "title", {"length": len(title), "most": LONGEST_TITLE}))
    if len(content) > MOST_DOCUMENT_BYTES:
        problems.append(Problem("file_too_large", "file", {"most": MOST_DOCUMENT_BYTES // 1024 // 1024}))
    elif kind is None:
        problems.append(Problem("file_of_no_kind", "file"))
    if tournament.event_documents.count() >= MOST_FILES:
        problems.append(Problem("too_many_files", "", {"most": MOST_FILES}))
    if problems or kind is None:
        raise Refused(problems)
    return kind


def _store_document(document: EventDocument, content: bytes) -> None:
    """The file, then its row; where there can be no row, no file stays."""
    document.file.save(f"event-{uuid4().hex}.{document.kind}", ContentFile(content), save=False)
    try:
        document.save()
    except Exception:
        remove_file(document)
        raise


def remove_event_document(document: EventDocument, actor: Actor) -> None:
    """Take a file from the page; it is deleted."""
    access.require(actor, document.tournament, Right.ORGANISE)
    with log.write(document.tournament, actor, "event_document_removed") as entry:
        entry.data = {"document": str(document.uuid)}
        deleted, _ = EventDocument.objects.filter(pk=document.pk).delete()
        if not deleted:
            entry.unchanged()
            return
        transaction.on_commit(partial(remove_file, document))


# --- Pictures ---


MOST_PICTURE_BYTES: Final = 5 * 1024 * 1024
MOST_PIXELS: Final = 40_000_000
"""A file of a few bytes may say that it has any number of them, and drawing it would fill the memory."""
LARGEST: Final = (2480, 3508)
"""A4 at 300 dots an inch: more is not seen on paper."""


def drawn_anew(picture: bytes) -> bytes:
    """The picture as a JPEG that fits a page, upright and without what a camera wrote into it; refused for what is no
    picture, or too large a one."""
    if len(picture) > MOST_PICTURE_BYTES:
        raise Refused([Problem("file_too_large", "picture", {"most": MOST_PICTURE_BYTES // 1024 // 1024})])
    if kind_of(picture) in (None, EventDocument.Kind.PDF):
        raise Refused([Problem("picture_of_no_kind", "picture")])
    # Imported here: only who sends a picture needs it.
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(BytesIO(picture), formats=("PNG", "JPEG", "WEBP")) as sent:
            if sent.width * sent.height > MOST_PIXELS:
                most = {"most": MOST_PIXELS // 1_000_000}
                raise Refused([Problem("picture_too_many_pixels", "picture", most)])
            upright = ImageOps.exif_transpose(sent).convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Refused([Problem("file_unreadable", "picture")]) from None
    upright.thumbnail(LARGEST)
    page = Image.new("RGB", upright.size, "white")
    page.paste(upright, mask=upright.getchannel("A"))
    content = BytesIO()
    page.save(content, "JPEG", quality=85)
    return content.getvalue()


# --- The timetable ---


def set_timetable(
    tournament: Tournament, actor: Actor, lines: Sequence[TimetableLine], *, seen: str = ""
) -> list[TimetableItem]:
    """The timetable is these lines, empty ones left out. `seen`: the fingerprint of the timetable they were made from;
    refused when it is another by now. The same timetable again writes nothing."""
    access.require_organiser(actor, tournament)
    with log.write(tournament, actor, "timetable_set") as entry:
        before = list(entry.tournament.timetable.all())
        if seen and seen != fingerprint(before):
            raise refuse("timetable_changed_meanwhile")
        if problems := timetable_problems(entry.tournament, lines):
            raise Refused(problems)
        items = _items_for(entry.tournament, before, [line for line in lines if not line.is_empty])
        if fingerprint(items) == fingerprint(before):
            entry.unchanged()
            return before
        entry.tournament.timetable.all().delete()
        TimetableItem.objects.bulk_create(items)
        entry.data = {"lines": [_item_data(item) for item in items]}
    return items


def _item_data(item: TimetableItem) -> dict[str, Any]:
    return {
        "session": item.session,
        "title": item.title,
        "day": str(item.day),
        "starts": f"{item.starts:%H:%M}",
        "ends": f"{item.ends:%H:%M}" if item.ends else None,
    }


def _items_for(
    tournament: Tournament, before: Sequence[TimetableItem], lines: Sequence[TimetableLine]
) -> list[TimetableItem]:
    """The rows for lines without faults; what is changed keeps its UUID."""
    sessions = {item.session: item.uuid for item in before if item.session is not None}
    others = {item.uuid for item in before if item.session is None}
    return [_item_for(tournament, line, _uuid_for(line, sessions, others)) for line in lines]


def _item_for(tournament: Tournament, line: TimetableLine, uuid: UUID) -> TimetableItem:
    assert line.day is not None
    assert line.starts is not None
    item = TimetableItem(
        tournament=tournament, uuid=uuid, session=line.session, day=line.day, starts=line.starts
    )
    if line.session is None:
        item.title, item.ends = line.title.strip(), line.ends
    return item


def _uuid_for(line: TimetableLine, sessions: Mapping[int, UUID], others: set[UUID]) -> UUID:
    """A session's is that of the session, whoever sent the line; another's that of the line changed, once."""
    if line.session is not None:
        return sessions.get(line.session) or uuid4()
    if line.uuid is not None and line.uuid in others:
        others.remove(line.uuid)
        return line.uuid
    return uuid4()


def move_timetable(tournament: Tournament, days: int) -> None:
    """All lines move by so many days, as the tournament does. Call with its row locked."""
    for item in tournament.timetable.all():
        item.day += timedelta(days=days)
        item.save(update_fields=["day"])
