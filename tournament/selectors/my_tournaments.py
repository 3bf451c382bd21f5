"""The tournaments an organiser has; trials that are being made, and those that came to nothing."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet
from django.utils import timezone

from tournament.access import Actor, memberships_of
from tournament.models import Role, Session, Tournament, TrialJob
from tournament.models.jobs import DONE_WITHIN
from tournament.selectors.participants import taking_part

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


def my_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """The tournaments the actor organises, newest first, with counts of players and sessions and the one `running`.

    A trial is among them once it is made.
    """
    mine = memberships_of(actor).filter(role=Role.ORGANISER).values("tournament")
    closed = Q(sessions__state=Session.State.CLOSED)
    there = Tournament.objects.filter(pk__in=mine)
    return there.exclude(trial_jobs__in=TrialJob.objects.filter(being_made())).annotate(
        player_count=Count("players", filter=Q(players__in=taking_part()), distinct=True),
        session_count=Count("sessions", distinct=True),
        closed_count=Count("sessions", filter=closed, distinct=True),
        running=Max("sessions__number", filter=Q(sessions__state=Session.State.RUNNING)),
    )
