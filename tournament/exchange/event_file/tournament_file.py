"""Export a tournament to a file, preview a file and import it (docs/api/tournament-file.md)."""

import json
import logging
from datetime import date
from typing import Any, Final

from django.core.files.storage import default_storage
from django.db import transaction

from scoring.engine.problems import problem_code
from tournament.base import access
from tournament.base.access import Actor, Audience, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.exchange.event_file.encoding import file_text
from tournament.exchange.event_file.reading import parse_file
from tournament.exchange.event_file.writing import tournament_data
from tournament.exchange.selectors import SLUG_TAKEN, blocks_tables, check_importable
from tournament.exchange.services import create_from_file, log_export
from tournament.exchange.transcripts.writing import transcript_of
from tournament.ranking.selectors.standings import current_standings
from tournament.web.selectors import log_words

FILE_CONTRADICTS = problem_code("file_contradicts", "The file contradicts its own log. {place}: {what}.")
FILE_DOES_NOT_HOLD = problem_code(
    "file_does_not_hold", "The contents of this file are inconsistent and cannot be displayed."
)

logger = logging.getLogger(__name__)

_INCONSISTENT: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""Exceptions raised by rows that no service writes, although each of them has the right shape."""


def serialize_tournament(tournament: Tournament, *, contacts: bool = False) -> bytes:
    """Return the file, with a transcript if a session is closed. Equal events give equal bytes."""
    try:
        transcript = json.loads(transcript_of(tournament))
    except Refused:
        transcript = None
    data = tournament_data(tournament, contacts=contacts, extra={"transcript": transcript})
    return file_text(data).encode()


def export_tournament(tournament: Tournament, actor: Actor, *, contacts: bool = False) -> bytes:
    """Return the file for a user, and log the export; the file does not contain that entry. Raises Forbidden."""
    access.require(actor, tournament, Right.OWN)
    content = serialize_tournament(tournament, contacts=contacts)
    log_export(tournament, actor, contacts=contacts)
    return content


def preview_file(content: bytes, actor: Actor) -> dict[str, Any]:
    """Return a summary of a file; store nothing. Raises Refused and Forbidden.

    `problem` is set if the file's own address is taken; `blocks_tables`, if the import would delay tables that play.
    """
    access.require_creator(actor)
    data = parse_file(content)
    particulars, problem = data["tournament"], None
    try:
        check_importable(data, particulars["slug"])
    except Refused as refused:
        problem = refused.problems[0]
        if problem.code != SLUG_TAKEN.code:
            raise
    hands = sum(hand["is_current"] for hand in data["hands"])
    return {
        "name": particulars["name"],
        "slug": particulars["slug"],
        "starts_on": date.fromisoformat(particulars["starts_on"]),
        "ends_on": date.fromisoformat(particulars["ends_on"]),
        "players": len(data["players"]),
        "sessions": len(data["sessions"]),
        "hands": hands,
        "entries": len(data["log"]),
        "staff": [member["name"] for member in data["staff"]],
        "has_contacts": data["contact_data"],
        "extensions": [extension["id"] for extension in data["extensions"]],
        "problem": problem,
        "blocks_tables": blocks_tables(hands),
    }


def import_tournament(content: bytes, actor: Actor, slug: str = "") -> Tournament:
    """Create the tournament of a file, under `slug` or its own address; all or nothing. Raises Refused, Forbidden."""
    access.require_creator(actor)
    data = parse_file(content)
    files: list[str] = []
    try:
        with transaction.atomic():
            tournament = create_from_file(actor, data, slug or data["tournament"]["slug"], files)
            _check_consistent(tournament)
    except BaseException:
        _delete_files(files)
        raise
    tournament.refresh_from_db()
    return tournament


def _check_consistent(tournament: Tournament) -> None:
    """Raise Refused if the rows contradict the log or cannot be displayed: a file may be forged, with new digests.

    Findings that depend on today's rules are accepted; `manage.py check` reports them.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament.pk)
    try:
        finding = next((finding for finding in audit(tournament) if not finding.is_judged), None)
        current_standings(tournament, Audience.STAFF)
        texts = log_words(tournament)
        for entry in tournament.log.select_related("actor"):
            texts.sentence(entry)
    except _INCONSISTENT:
        logger.warning("The file of %s cannot be shown", tournament.slug, exc_info=True)
        raise Refused(FILE_DOES_NOT_HOLD()) from None
    if finding is not None:
        raise Refused(FILE_CONTRADICTS(place=finding.where, what=finding.text))


def _delete_files(files: list[str]) -> None:
    for name in files:
        try:
            default_storage.delete(name)
        except OSError:
            logger.exception("The file %s could not be deleted", name)
