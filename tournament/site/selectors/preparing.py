"""What has been done of each section of the navigation: the facts of the preparation, a tick or a number."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from django.utils import timezone

from tournament.base.models.documents import DocumentJob
from tournament.base.models.events import EventPage
from tournament.base.models.log import LogEntry, name_of
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import by_version, content_version, event_page_of
from tournament.dues.selectors import prices_of
from tournament.ema.engine.certification import Status
from tournament.ema.selectors.certification import clauses_of
from tournament.players.selectors.check_in import has_check_in, missing_players
from tournament.players.selectors.players import player_counts
from tournament.registration.selectors.plan import registration_status
from tournament.registration.selectors.registrations import State, counts
from tournament.site.engine import Mark, Preparation
from tournament.site.selectors.next_step import EventState, event_state

OFFICIALS: Final = (Role.CHIEF, Role.UMPIRE, Role.SCORER)


def preparation_of(tournament: Tournament) -> Preparation:
    n, status, roll = counts(tournament), registration_status(tournament), player_counts(tournament)
    lines = tournament.timetable.exclude(session=None)
    officials = tournament.memberships.filter(role__in=OFFICIALS, table_number=None).select_related("user")
    return Preparation(
        is_described=EventPage.objects.filter(tournament=tournament)
        .exclude(address="")
        .exclude(contact="")
        .exists(),
        has_registration=status.plan is not None,
        is_open=status.is_open,
        places=status.plan.places if status.plan else None,
        taken=status.taken,
        waiting=status.waiting,
        prices=[(price.name, price.amount) for price in prices_of(tournament)],
        to_review=n[State.PENDING],
        to_enter=n["to_enter"],
        players=roll.players,
        missing=roll.missing if roll.players else 0,
        sessions=tournament.sessions_planned,
        scheduled=lines.values("session").distinct().count(),
        drawn=tournament.sessions.exclude(tables=None).distinct().count(),
        officials=[name_of(membership.user) for membership in officials],
        not_met=_not_met(tournament),
        has_prizes=tournament.prizes.exists(),
    )


def _not_met(tournament: Tournament) -> int | None:
    if not event_page_of(tournament).mers:
        return None
    return sum(clause.status == Status.NOT_MET for clause in clauses_of(tournament))


def marks_of(tournament: Tournament, facts: Preparation | None = None) -> Mapping[str, Mark]:
    """Return section → mark, for those that have one. `facts`: those of the preparation, if they are known."""
    return {
        **(facts.marks if facts else _prepared(tournament, timezone.localdate(timezone=tournament.zone))),
        "documents": Mark(DocumentJob.objects.filter(tournament=tournament).exists()),
        **_today(tournament, event_state(tournament)),
    }


@by_version(256, lambda tournament: tournament.version)
def _planning_version(tournament: Tournament) -> int:
    """Return the newest version of what can change a mark: neither of one table, nor of money and letters."""
    entries = LogEntry.objects.filter(tournament=tournament, seq__lte=content_version(tournament))
    return entries.exclude(data__has_key="table").order_by("-seq").values_list("seq", flat=True).first() or 0


@by_version(256, _planning_version)
def _prepared(tournament: Tournament, _today: date) -> Mapping[str, Mark]:
    """Return the marks of the preparation; those of the EMA's clauses change from day to day."""
    return preparation_of(tournament).marks


def _today(tournament: Tournament, state: EventState) -> Mapping[str, Mark]:
    """Return the marks of the day and of what follows it."""
    absent = 0
    if state.coming and state.coming.number == 1 and has_check_in(tournament):
        absent = missing_players(tournament).count()
    return {
        "check_in": Mark(waiting=absent),
        "session": Mark(state.is_over, len(state.running.still_open) if state.running else 0),
        "penalties": Mark(waiting=len(state.appeals)),
        "results": Mark(state.is_over and not state.to_publish),
    }
