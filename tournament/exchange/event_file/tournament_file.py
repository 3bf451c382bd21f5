"""A tournament as one file and back (docs/api/tournament-file.md): what a page, a program and a command call.

Files that were sent and looked at wait here until they are to be taken in.
"""

import hashlib
import json
import logging
import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from time import time
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction

from config.private_files import private_folder
from scoring.engine.problems import problem_code
from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.exchange.event_file.columns import text_of
from tournament.exchange.event_file.format import data_of, read
from tournament.exchange.selectors import SLUG_TAKEN, check_new, holds_up_tables
from tournament.exchange.services import note_taken, take_in
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings
from tournament.web.selectors import log_words

FILE_CONTRADICTS = problem_code("file_contradicts", "The file contradicts its own log. {place}: {what}.")
FILE_DOES_NOT_HOLD = problem_code(
    "file_does_not_hold", "The contents of this file are inconsistent and cannot be displayed."
)

logger = logging.getLogger(__name__)

_DOES_NOT_HOLD: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""What reading rows raises that no service would have written: each alone is of the right shape."""


def file_of(tournament: Tournament, *, contacts: bool = True) -> bytes:
    """The file, the same bytes for the same event; with the play as `replay` reads it, once a session is closed."""
    try:
        transcript = json.loads(transcript_of(tournament))
    except Refused:
        transcript = None
    return text_of(data_of(tournament, contacts=contacts, beside={"transcript": transcript})).encode()


def take_away(tournament: Tournament, actor: Actor, *, contacts: bool = True) -> bytes:
    """The file for somebody to have, as it was before this was noted in the log."""
    access.require(actor, tournament, Right.OWN)
    content = file_of(tournament, contacts=contacts)
    note_taken(tournament, actor, contacts=contacts)
    return content


def look_into(content: bytes, actor: Actor) -> dict[str, Any]:
    """What is in a file, for whoever is about to take it in, with nothing stored. Raises Refused and Forbidden.

    `problem`: why it cannot be, under its own address; `holds_up_tables`: whether tables that play here would feel it.
    """
    access.require_creator(actor)
    data = read(content)
    about, problem = data["tournament"], None
    try:
        check_new(data, about["slug"])
    except Refused as refused:
        problem = refused.problems[0]
        if problem.code != SLUG_TAKEN.code:
            raise
    hands = sum(hand["is_current"] for hand in data["hands"])
    return {
        "name": about["name"],
        "slug": about["slug"],
        "starts_on": date.fromisoformat(about["starts_on"]),
        "ends_on": date.fromisoformat(about["ends_on"]),
        "players": len(data["players"]),
        "sessions": len(data["sessions"]),
        "hands": hands,
        "entries": len(data["log"]),
        "staff": [member["name"] for member in data["staff"]],
        "has_contacts": data["contact_data"],
        "extensions": [extension["id"] for extension in data["extensions"]],
        "problem": problem,
        "holds_up_tables": holds_up_tables(hands),
    }


def bring_in(content: bytes, actor: Actor, slug: str = "") -> Tournament:
    """The event of a file, under its own address or another. All of it or nothing. Raises Refused and Forbidden."""
    access.require_creator(actor)
    data = read(content)
    files: list[str] = []
    try:
        with transaction.atomic():
            tournament = take_in(actor, data, slug or data["tournament"]["slug"], files)
            _check_sound(tournament)
    except BaseException:
        forget_files(files)
        raise
    tournament.refresh_from_db()
    return tournament


def forget_files(files: list[str]) -> None:
    """What was stored beside the database, of an event that did not come after all."""
    for name in files:
        try:
            default_storage.delete(name)
        except OSError:
            logger.exception("The file %s could not be deleted", name)


def _check_sound(tournament: Tournament) -> None:
    """Refuse an event whose rows are not what its log says was done, or cannot be shown.

    A file can be changed and its digests made anew. What today's rules say of it otherwise is for `manage.py check`.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
    try:
        finding = next((finding for finding in audit(tournament) if not finding.is_judged), None)
        current_standings(tournament, Audience.STAFF)
        texts = log_words(tournament)
        for entry in tournament.log.select_related("actor"):
            texts.sentence(entry)
    except _DOES_NOT_HOLD:
        logger.warning("The file of %s cannot be shown", tournament.slug, exc_info=True)
        raise Refused(FILE_DOES_NOT_HOLD()) from None
    if finding is not None:
        raise Refused(FILE_CONTRADICTS(place=finding.where, what=finding.what))


KEPT_FOR: Final = 24 * 60 * 60
"""Seconds."""
MOST_KEPT: Final = 3
"""So many of one person: the oldest goes."""
_DIGEST: Final = re.compile("[0-9a-f]{64}")


def keep(whose: int, content: bytes) -> str:
    """Keep a file that was sent and looked at; gives what it is found by, for the same person alone.

    It stays until whoever sent it says that it is to be taken in, or a day is over.
    """
    folder = _folder(whose)
    name = hashlib.sha256(content).hexdigest()
    draft = folder / f".{name}"
    draft.touch(mode=0o600)
    draft.write_bytes(content)
    draft.replace(folder / name)
    _tidy()
    for old in sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)[:-MOST_KEPT]:
        old.unlink(missing_ok=True)
    return name


def find(whose: int, name: str) -> bytes | None:
    """None when it is not there any more, or never was."""
    if not _DIGEST.fullmatch(name):
        return None
    try:
        return (_folder(whose) / name).read_bytes()
    except OSError:
        return None


def forget(whose: int, name: str) -> None:
    if _DIGEST.fullmatch(name):
        (_folder(whose) / name).unlink(missing_ok=True)


def _folder(whose: int) -> Path:
    return private_folder(_arrivals() / str(whose))


def _arrivals() -> Path:
    return Path(settings.DATA_DIR) / "arriving"


def _tidy() -> None:
    for path in _arrivals().glob("*/*"):
        with suppress(OSError):
            if path.stat().st_mtime < time() - KEPT_FOR:
                path.unlink()
