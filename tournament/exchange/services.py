"""Events that come as a file, and the note that one was taken away."""

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
from tournament.exchange.event_file.storing import store
from tournament.exchange.selectors import check_new
from tournament.exchange.texts import TOURNAMENT_TAKEN

CHAIN_BROKEN = problem_code(
    "chain_broken", "The log does not hold together at entry {entry}: something in it was changed."
)

logger = logging.getLogger(__name__)


def take_in(actor: Actor, data: Mapping[str, Any], slug: str, files: list[str]) -> Tournament:
    """Store the event of a file that was read, under an address of its own; the actor owns it.

    Its log stays as it came, so this is no entry of it: what it says of it stands in the server's log and beside the
    event (`Arrival`). `files`: as `store` has it.
    """
    access.require_creator(actor)
    with transaction.atomic():
        check_new(data, slug)
        tournament = store(data, slug, files, actor)
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
        words = (tournament.name, tournament.slug, tournament.version, actor.name)
        transaction.on_commit(
            partial(logger.warning, "Tournament “%s” (%s, version %s) came as a file, by %s", *words)
        )
        transaction.on_commit(
            partial(hooks.entry_committed, tournament.pk, tournament.version, TOURNAMENT_CREATED.code)
        )
    return tournament


def _check_chain(tournament: Tournament, data: Mapping[str, Any]) -> None:
    for broken in (log.first_broken_link(tournament), log.first_wrong_public_number(tournament)):
        if broken is not None:
            at = next((n for n, entry in enumerate(data["log"]) if entry["seq"] == broken), len(data["log"]))
            raise Refused(CHAIN_BROKEN(f"/log/{at}", entry=broken))


def note_taken(tournament: Tournament, actor: Actor, *, contacts: bool) -> None:
    """Somebody took the whole event as a file: with what people can be reached by, or without."""
    access.require(actor, tournament, Right.OWN)
    with log.write(tournament, actor, TOURNAMENT_TAKEN) as entry:
        entry.data = {"contacts": contacts}
