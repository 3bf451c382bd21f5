"""Who waits for an umpire."""

from __future__ import annotations

from django.db.models import F, QuerySet

from tournament.base import access
from tournament.base.access import Actor, Audience
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.embargo import keeps_back
from tournament.play.models.calls import Call


def calls_of(tournament: Tournament) -> QuerySet[Call]:
    """Every call, with its table and who took it."""
    found = Call.objects.filter(table__session__tournament=tournament)
    return found.select_related("table__session__tournament", "taken_by")


def open_calls(tournament: Tournament) -> QuerySet[Call]:
    """The queue: the longest waiting first, those somebody has taken at the end."""
    # said outright, for databases disagree about where those come that nobody has taken
    order = (F("taken_at").asc(nulls_first=True), "called_at", "id")
    return calls_of(tournament).filter(done_at=None).order_by(*order)


def calls_for(actor: Actor, tournament: Tournament) -> list[Call]:
    """Those of the queue that are the actor's to answer."""
    return [call for call in open_calls(tournament) if access.can_judge(actor, call.table)]


def halls_of(actor: Actor) -> list[Tournament]:
    """The tournaments being played at this moment in which the actor answers calls in person."""
    mine = access.memberships_of(actor).filter(table_number=None)
    playing = Tournament.objects.filter(
        pk__in=mine.values("tournament"), sessions__state=Session.State.RUNNING
    )
    return list(playing.distinct().order_by("pk"))


def waiting_for(actor: Actor, tournament: Tournament) -> list[Call]:
    """Those that nobody has taken yet."""
    return [call for call in calls_for(actor, tournament) if call.taken_at is None]


def call_at(table: Table, audience: Audience) -> Call | None:
    """The one that is open at a table; none where the audience is not told how play goes."""
    if keeps_back(audience, table.session):
        return None
    return table.calls.filter(done_at=None).select_related("table__session__tournament").first()
