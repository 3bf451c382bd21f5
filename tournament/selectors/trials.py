"""Trials that are being made, and those that came to nothing."""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from tournament.access import Actor
from tournament.models import TrialJob
from tournament.models.jobs import DONE_WITHIN

UNFINISHED = (TrialJob.State.QUEUED, TrialJob.State.RUNNING)


def being_made() -> Q:
    """What the worker has not finished, and may still: of jobs."""
    return Q(state__in=UNFINISHED, requested_at__gt=timezone.now() - DONE_WITHIN)


def under_way(actor: Actor) -> TrialJob | None:
    """The trial that is being made for the actor."""
    return TrialJob.objects.filter(being_made(), requested_by=actor.user).first()


def newest_trial(actor: Actor) -> TrialJob | None:
    """The last one the actor asked for, unless it is there: a page tells how far it is, or what went wrong."""
    job = TrialJob.objects.filter(requested_by=actor.user).first()
    return None if job is None or job.state == TrialJob.State.DONE else job
