"""Asking for a tournament to try things on. The worker makes it; the row tells how far it is."""

from typing import Final

from django.db import transaction

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.models.tournament import TrialJob
from tournament.base.work import send
from tournament.site.selectors.front_page import under_way

SIZES: Final = (16, 100, 400)
"""How many players a trial may have."""


def request_trial(actor: Actor, players: int) -> TrialJob:
    """Queue a trial with so many players (one of SIZES), once the row is committed; one at a time for a person."""
    access.require_creator(actor)
    if players not in SIZES:
        raise ValueError(f"no trial has {players} players")
    with transaction.atomic():
        if (job := under_way(actor)) is not None:
            return job
        job = TrialJob.objects.create(players=players, requested_by=actor.user)
        transaction.on_commit(lambda: send(job, "demo.make_trial"))
    return job
