"""The tournaments an organiser has; trials that are being made, and those that came to nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from scoring.texts.folding import folded
from tournament.base.access import Actor, Right, memberships_of
from tournament.base.access.rights import roles_with
from tournament.base.models.jobs import DONE_WITHIN, TrialJob
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.participants import how_many_take_part
from tournament.site.selectors.front_page import about

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


def my_keys(actor: Actor, today: date, text: str = "") -> list[int]:
    """The keys of those with every word of `text` in name, venue or country, in the order of what wants attention:
    being played, the next ones, the past ones."""
    rows = (
        _mine(actor)
        .annotate(
            is_running=Exists(Session.objects.filter(tournament=OuterRef("pk"), state=Session.State.RUNNING))
        )
        .order_by()
        .values_list("pk", "name", "venue", "event_page__address", "event_page__country", *_BY)
    )
    words = folded(text).split()
    found = [
        (*_place(today, starts_on, ends_on, is_running=is_running), name, pk)
        for pk, name, venue, address, country, starts_on, ends_on, is_running in rows
        if all(word in about(name, venue, address or "", country or "") for word in words)
    ]
    return [pk for *_where, pk in sorted(found)]


_BY: Final = ("starts_on", "ends_on", "is_running")


def _place(today: date, starts_on: date, ends_on: date, *, is_running: bool) -> tuple[int, int]:
    """Where it stands in the list: what is being played, then the soonest, then the latest past."""
    if is_running:
        return 0, starts_on.toordinal()
    if ends_on >= today:
        return 1, starts_on.toordinal()
    return 2, -ends_on.toordinal()


def in_order(found: QuerySet[Tournament], pks: Sequence[int]) -> list[Tournament]:
    """Those with these keys, in their order."""
    read = {each.pk: each for each in found.filter(pk__in=list(pks))}
    return [read[pk] for pk in pks if pk in read]


def _mine(actor: Actor) -> QuerySet[Tournament]:
    """A trial is among them once it is made."""
    mine = memberships_of(actor).filter(role__in=roles_with(Right.ORGANISE)).values("tournament")
    there = Tournament.objects.filter(pk__in=mine).defer("rules_snapshot")
    return there.exclude(trial_jobs__in=TrialJob.objects.filter(being_made()))


def my_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """The tournaments the actor organises, with counts of players and sessions and the one `running`."""
    sessions = Session.objects.filter(tournament=OuterRef("pk")).order_by()
    return _mine(actor).annotate(
        player_count=how_many_take_part(),
        session_count=_how_many(sessions),
        closed_count=_how_many(sessions.filter(state=Session.State.CLOSED)),
        running=Subquery(sessions.filter(state=Session.State.RUNNING).values("number")[:1]),
    )


def _how_many(sessions: QuerySet[Session]) -> Coalesce:
    return Coalesce(Subquery(sessions.values("tournament").annotate(n=Count("pk")).values("n")), 0)
