"""The tournaments an organiser has; trials that are being made, and those that came to nothing."""

from __future__ import annotations

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.access import Actor, memberships_of
from tournament.models import Role, Session, Tournament, TrialJob
from tournament.models.jobs import DONE_WITHIN
from tournament.selectors.participants import how_many_take_part

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
    there = Tournament.objects.filter(pk__in=mine).defer("rules_snapshot")
    sessions = Session.objects.filter(tournament=OuterRef("pk")).order_by()
    return there.exclude(trial_jobs__in=TrialJob.objects.filter(being_made())).annotate(
        player_count=how_many_take_part(),
        session_count=_how_many(sessions),
        closed_count=_how_many(sessions.filter(state=Session.State.CLOSED)),
        running=Subquery(sessions.filter(state=Session.State.RUNNING).values("number")[:1]),
    )


def _how_many(sessions: QuerySet[Session]) -> Coalesce:
    return Coalesce(Subquery(sessions.values("tournament").annotate(n=Count("pk")).values("n")), 0)
