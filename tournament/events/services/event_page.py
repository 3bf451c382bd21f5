"""What is told about an event, and the files that can be downloaded from its page."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Final
from uuid import UUID, uuid4

from django.core.files.base import ContentFile
from django.db import transaction

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.events.models.event_page import EventDocument, EventPage
from tournament.events.selectors.event_page import EventWords, event_page_problems, kind_of, words_of
from tournament.events.services.deletion import remove_file

MOST_BYTES: Final = 3 * 1024 * 1024
"""Of a file: what comes through the API grows by a third, and five megabytes are let in."""
MOST_FILES: Final = 20
LONGEST_TITLE: Final = 80


def set_event_page(tournament: Tournament, actor: Actor, words: EventWords, *, seen: str = "") -> EventWords:
    """The page says this. `seen`: the fingerprint of what it said when somebody began to write; refused when it is
    another by now. The same words again write nothing."""
    access.require(actor, tournament, Right.ORGANISE)
    said = words.trimmed()
    with log.write(tournament, actor, "event_page_changed") as entry:
        before = words_of(entry.tournament)
        if seen and seen != before.fingerprint():
            raise refuse("event_page_changed_meanwhile")
        if problems := event_page_problems(said):
            raise Refused(problems)
        if said == before:
            entry.unchanged()
            return before
        EventPage.objects.update_or_create(tournament=entry.tournament, defaults=asdict(said))
        entry.data = {
            "fields": [name for name, value in asdict(said).items() if value != getattr(before, name)]
        }
    return said


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
        kind = _judged(entry.tournament, title.strip(), content)
        document = EventDocument(
            tournament=entry.tournament, uuid=uuid, title=title.strip(), kind=kind, size=len(content)
        )
        _store(document, content)
        entry.data = {"document": str(uuid)}
    return document


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


def _store(document: EventDocument, content: bytes) -> None:
    """The file, then its row; where there can be no row, no file stays."""
    document.file.save(f"event-{uuid4().hex}.{document.kind}", ContentFile(content), save=False)
    try:
        document.save()
    except Exception:
        remove_file(document)
        raise


def _judged(tournament: Tournament, title: str, content: bytes) -> str:
    """Its kind; refused with all that is wrong."""
    kind = kind_of(content)
    found = []
    if not title:
        found.append(Problem("title_missing", "title"))
    elif len(title) > LONGEST_TITLE:
        found.append(Problem("text_too_long", "title", {"length": len(title), "most": LONGEST_TITLE}))
    if len(content) > MOST_BYTES:
        found.append(Problem("file_too_large", "file", {"most": MOST_BYTES // 1024 // 1024}))
    elif kind is None:
        found.append(Problem("file_of_no_kind", "file"))
    if tournament.event_documents.count() >= MOST_FILES:
        found.append(Problem("too_many_files", "", {"most": MOST_FILES}))
    if found or kind is None:
        raise Refused(found)
    return kind
