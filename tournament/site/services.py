"""Requests for demonstration events, which the worker creates."""

from typing import Final

from django.db import transaction

from tournament.base import access
from tournament.base.access import Actor
from tournament.base.models.tournament import TrialJob
from tournament.base.work import enqueue_job
from tournament.site.selectors.front_page import unfinished_trial

SIZES: Final = (16, 100, 400)
"""Numbers of players to choose from."""


def request_trial(actor: Actor, players: int) -> TrialJob:
    """Queue the creation of a demonstration event, one at a time for each account; return its job.

    `players` must be one of SIZES.
    """
    access.require_creator(actor)
    if players not in SIZES:
        raise ValueError(f"no trial has {players} players")
    with transaction.atomic():
        if (job := unfinished_trial(actor)) is not None:
            return job
        job = TrialJob.objects.create(players=players, requested_by=actor.user)
        transaction.on_commit(lambda: enqueue_job(job, "demo.make_trial"))
    return job
