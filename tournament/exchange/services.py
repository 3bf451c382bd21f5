"""Create a tournament from a file, and log that one was exported."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.engine.problems import problem_code
from tournament.base import access, hooks, log
from tournament.base.access import Actor, Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Arrival, Membership, Role, Tournament
from tournament.events.texts import TOURNAMENT_CREATED
from tournament.exchange.event_file.storing import store_tournament
from tournament.exchange.selectors import check_importable
from tournament.exchange.texts import TOURNAMENT_TAKEN

CHAIN_BROKEN = problem_code("chain_broken", "The log has been altered at entry {entry}.")

logger = logging.getLogger(__name__)


def create_from_file(actor: Actor, data: Mapping[str, Any], slug: str, files: list[str]) -> Tournament:
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


def log_export(tournament: Tournament, actor: Actor, *, contacts: bool) -> None:
    """Log that the whole tournament was exported, with or without contact data."""
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, TOURNAMENT_TAKEN) as entry:
        entry.data = {"contacts": contacts}
