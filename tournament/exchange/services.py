"""Export a tournament to a file, and import it (docs/api/tournament-file.md)."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.tournament import Arrival, Membership, Role, Tournament
from tournament.events.texts import TOURNAMENT_CREATED
from tournament.exchange.audit import audit
from tournament.exchange.event_file.reading import parse_file
from tournament.exchange.event_file.storing import store_tournament
from tournament.exchange.selectors import check_importable, serialize_tournament
from tournament.exchange.texts import TOURNAMENT_EXPORTED
from tournament.ranking.selectors.standings import current_standings
from tournament.web.selectors import log_words

CHAIN_BROKEN = problem_code("chain_broken", "The log has been altered at entry {entry}.")
FILE_CONTRADICTS = problem_code("file_contradicts", "The file contradicts its own log. {place}: {what}.")
FILE_DOES_NOT_HOLD = problem_code(
    "file_does_not_hold", "The contents of this file are inconsistent and cannot be displayed."
)

_INCONSISTENT: Final = (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError)
"""Exceptions raised by rows that no service writes, although each of them has the right shape."""

logger = logging.getLogger(__name__)


def export_tournament(tournament: Tournament, actor: Actor, *, contacts: bool = False) -> bytes:
    """Return the file for a user, and log the export; the file does not contain that entry. Raises Forbidden."""
    access.require(actor, tournament, Right.OWN)
    try:
        content = serialize_tournament(tournament, contacts=contacts)
    except Tournament.DoesNotExist:
        raise Refused(log.DELETED_MEANWHILE()) from None
    _log_export(tournament, actor, contacts=contacts)
    return content


def import_tournament(content: bytes, actor: Actor, slug: str = "") -> Tournament:
    """Create the tournament of a file, under `slug` or its own address; all or nothing. Raises Refused, Forbidden."""
    access.require_creator(actor)
    data = parse_file(content)
    files: list[str] = []
    try:
        with transaction.atomic():
            tournament = _create_from_file(actor, data, slug or data["tournament"]["slug"], files)
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


def _create_from_file(actor: Actor, data: Mapping[str, Any], slug: str, files: list[str]) -> Tournament:
    """Store the tournament of a parsed file under the address `slug`; the actor becomes its owner.

    Its log is stored unchanged, so the import is no entry of it: it is noted in an `Arrival` and in the server's log.
    `files` receives the names of stored files, as in `store_tournament`. Raises Refused and Forbidden.
    """
    access.require_creator(actor)
    with transaction.atomic():
        check_importable(data, slug)
        tournament = store_tournament(data, slug, files, actor)
        Arrival.objects.create(
            tournament=tournament,
            version=tournament.version,
            head=tournament.log_head,
            at=timezone.now(),
            by=actor.user,
        )
        if actor.user is not None:
            Membership.objects.create(tournament=tournament, user=actor.user, role=Role.OWNER)
        _check_chain(tournament, data)
        arguments = (tournament.name, tournament.slug, tournament.version, actor.name)
        transaction.on_commit(
            partial(logger.warning, "Tournament “%s” (%s, version %s) came as a file, by %s", *arguments)
        )
        transaction.on_commit(
            partial(hooks.entry_committed, tournament.pk, tournament.version, TOURNAMENT_CREATED.code)
        )
    return tournament


def _check_chain(tournament: Tournament, data: Mapping[str, Any]) -> None:
    for seq in (log.first_broken_link(tournament), log.first_wrong_public_number(tournament)):
        if seq is not None:
            index = next((n for n, entry in enumerate(data["log"]) if entry["seq"] == seq), len(data["log"]))
            raise Refused(CHAIN_BROKEN(f"/log/{index}", entry=seq))


def _log_export(tournament: Tournament, actor: Actor, *, contacts: bool) -> None:
    """Log that the whole tournament was exported, with or without contact data."""
    with log.write(tournament, actor, TOURNAMENT_EXPORTED, Right.OWN) as entry:
        entry.data = {"contacts": contacts}
