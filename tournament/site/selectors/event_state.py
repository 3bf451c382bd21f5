"""How far an event is, in plain facts: what the next step follows from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tournament.base.models.appeals import OPEN
from tournament.base.models.hall_clock import HallClock
from tournament.base.models.play import Seat, Session
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors.by_version import by_version
from tournament.base.selectors.embargo import hidden_sessions
from tournament.fouls.selectors.appeals import appeals_of
from tournament.play.models.calls import Call
from tournament.play.selectors.after_time import saved_after_time
from tournament.play.selectors.ends import appeals_until
from tournament.play.selectors.organiser import Progress, progress_of
from tournament.players.selectors.roll import roll_of
from tournament.players.selectors.vacancies import vacant_seats
from tournament.registration.selectors.registration_plan import plan_of
from tournament.registration.selectors.registrations import counts
from tournament.seating.selectors.finals import players_in


@dataclass(frozen=True)
class TableState:
    """A table of the session being played. `extra`: minutes it plays longer than the hall; `late`: hands after time."""

    number: int
    hands: int
    is_in: bool = False
    extra: int = 0
    late: tuple[int, ...] = ()
    on_paper: bool = False
    """Its totals are typed when it is done: how far it is, nobody knows."""


@dataclass(frozen=True)
class Running:
    """The session being played."""

    number: int
    clock: HallClock
    minutes: int
    tables: tuple[TableState, ...]

    @property
    def still_open(self) -> tuple[TableState, ...]:
        return tuple(table for table in self.tables if not table.is_in)


@dataclass(frozen=True)
class Coming:
    """The session to be played next. `vacant`: seats of who has withdrawn; `unseated`: players without a seat."""

    number: int
    is_seated: bool
    vacant: int = 0
    unseated: int = 0
    starts_at: datetime | None = None

    @property
    def changed(self) -> bool:
        """Whether those who are here are not those who are seated, and nobody stands in."""
        return self.is_seated and bool(self.vacant or self.unseated)


@dataclass(frozen=True)
class AppealState:
    """An appeal that is open. `is_pending`: granted, and not carried out."""

    session: int
    table: int
    uuid: str
    is_pending: bool = False


@dataclass(frozen=True)
class Registered:
    """Registration before the draw. `to_enter`: have a place, and are no players yet."""

    pending: int
    to_enter: int
    is_open: bool
    """By its switch; its times are looked at beside (`phase_at`)."""
    opens_at: datetime | None
    closes_at: datetime | None

    def changes_after(self, now: datetime) -> datetime | None:
        """When it next opens or closes by itself."""
        times = (self.opens_at, self.closes_at) if self.is_open else ()
        return min((one for one in times if one is not None and now < one), default=None)


@dataclass(frozen=True)
class EventState:
    """A tournament at one of its versions; what time it is, the reader knows."""

    players: int
    """Who has not withdrawn, substitutes included; 0 where nobody asks, as `missing`."""
    missing: int
    """How many more fill the last table."""
    sessions: int
    closed: int
    """The number of the last session closed; 0 before."""
    running: Running | None = None
    coming: Coming | None = None
    """None before the draw, while a session is being played, and after the last."""
    to_publish: bool = False
    is_out_of_date: bool = False
    """Whether what is published has been corrected since."""
    hidden: tuple[int, ...] = ()
    """The sessions whose results the public is not told."""
    calls: tuple[int, ...] = ()
    """The tables that wait for an umpire, and to which nobody is on the way."""
    appeals: tuple[AppealState, ...] = ()
    appeals_until: datetime | None = None
    """When the time for appeals ends, or did."""
    registered: Registered | None = None
    """None once seats are drawn, and where people do not register."""

    @property
    def is_over(self) -> bool:
        return bool(self.sessions) and self.closed == self.sessions


@by_version(256)
def event_state(tournament: Tournament) -> EventState:
    """Read once a version."""
    progress = progress_of(tournament)
    roll = roll_of(tournament) if progress.startable or not progress.sessions else None
    return EventState(
        players=roll.players if roll else 0,
        missing=roll.missing if roll else 0,
        sessions=len(progress.sessions),
        closed=progress.closed,
        running=_running(tournament, progress),
        coming=_coming(tournament, progress),
        to_publish=progress.can_publish,
        is_out_of_date=progress.is_out_of_date,
        hidden=tuple(sorted(hidden_sessions(tournament))),
        calls=_calls(progress),
        appeals=_appeals(tournament, progress),
        appeals_until=_appeals_until(tournament, progress),
        registered=None if progress.sessions else _registered(tournament),
    )


def _registered(tournament: Tournament) -> Registered | None:
    if (plan := plan_of(tournament)) is None:
        return None
    n = counts(tournament)
    return Registered(
        n[Registration.State.PENDING], n["to_enter"], plan.is_open, plan.opens_at, plan.closes_at
    )


def _running(tournament: Tournament, progress: Progress) -> Running | None:
    session = progress.current
    if session is None or not progress.is_running or session.clock is None:
        return None
    session.tournament = tournament
    tables = list(session.tables.all())
    late = saved_after_time(session, tables)
    return Running(
        session.number,
        session.clock,
        session.minutes,
        tuple(
            TableState(
                table.number,
                table.hands_played,
                table.is_in,
                table.extra_minutes,
                () if table.counts_totals else tuple(late.get(table.pk, ())),
                table.is_on_paper,
            )
            for table in tables
        ),
    )


def _coming(tournament: Tournament, progress: Progress) -> Coming | None:
    session = progress.startable
    if session is None:
        return None
    planned = tournament.timetable.filter(session=session.number).first()
    seated = set(Seat.objects.filter(table__session=session).values_list("player__number", flat=True))
    here = set(players_in(tournament, session.number).values_list("number", flat=True))
    return Coming(
        session.number,
        is_seated=bool(seated),
        vacant=vacant_seats(session).count() if seated - here else 0,
        unseated=len(here - seated),
        starts_at=planned.starts_at if planned else None,
    )


def _calls(progress: Progress) -> tuple[int, ...]:
    """Only a session being played has any: closing it ends them."""
    if not progress.is_running:
        return ()
    waiting = Call.objects.filter(table__session=progress.current, done_at=None, taken_at=None)
    return tuple(waiting.order_by("called_at", "id").values_list("table__number", flat=True))


def _appeals(tournament: Tournament, progress: Progress) -> tuple[AppealState, ...]:
    if not progress.closed and not progress.is_running:
        return ()
    return tuple(
        AppealState(appeal.table.session.number, appeal.table.number, str(appeal.uuid), appeal.is_pending)
        for appeal in appeals_of(tournament).filter(OPEN)
    )


def _appeals_until(tournament: Tournament, progress: Progress) -> datetime | None:
    ends = []
    for session in progress.sessions:
        if session.state == Session.State.CLOSED:
            session.tournament = tournament
            ends.append(appeals_until(session))
    return max((end for end in ends if end is not None), default=None)
