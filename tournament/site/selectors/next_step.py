"""The next step: the progress of an event, and the one thing for its organiser to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils import timezone

from tournament.base.engine.rules import HANDS_PER_SESSION
from tournament.base.models.play import OPEN, HallClock, Seat, Session
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import by_version, hidden_sessions
from tournament.fouls.selectors import appeals_of
from tournament.play.models import Call
from tournament.play.selectors.clock import appeals_until
from tournament.play.selectors.closing import pending_hands, saved_after_time
from tournament.play.selectors.timetable import final_of, players_in, vacant_seats
from tournament.players.selectors.players import player_counts
from tournament.ranking.selectors.progress import Progress, progress_of
from tournament.registration.selectors.plan import Phase, closing_time, phase_at, plan_of, registration_status
from tournament.registration.selectors.registrations import counts
from tournament.screens.selectors import current_ceremony, past_ceremonies
from tournament.seating.selectors.finals import finalist_change

# --- Steps ---


class Code(StrEnum):
    """The steps; the value is the key of its sentence."""

    IMPORT = "import_players"
    OPEN = "open_registration"
    LOOK_AT = "look_at_registrations"
    OPENING = "wait_for_opening"
    REGISTERING = "wait_for_registrations"
    ENTER = "enter_registered"
    FILL = "fill_tables"
    DRAW = "draw_seats"
    SEAT = "seat_session"
    REPLAN = "plan_again"
    FINALISTS = "check_finalists"
    LEFT = "name_stand_in"
    START = "start_session"
    CALL = "answer_call"
    APPEAL = "rule_on_appeal"
    RULING = "carry_out_ruling"
    DISPUTE = "rule_on_hand"
    CLOSE = "close_session"
    TOTALS = "type_totals"
    UNPLAYED = "close_without"
    AFTER_TIME = "look_at_late_hands"
    TIME_UP = "bring_tables_in"
    PAUSED = "go_on"
    BEHIND = "look_after_table"
    PLAYING = "wait_for_tables"
    PUBLISH = "publish_standings"
    PUBLISH_FINAL = "publish_final"
    CEREMONY = "hold_ceremony"
    ANNOUNCE = "announce_places"
    REVEAL = "reveal_results"
    APPEALS = "wait_for_appeals"
    ARCHIVE = "keep_archive"


NOTHING_TO_DO = frozenset({Code.OPENING, Code.REGISTERING, Code.PLAYING, Code.APPEALS, Code.ARCHIVE})
"""Steps that only wait: their button is not filled."""
BEFORE: Mapping[Code, str] = {
    Code.IMPORT: "people",
    Code.OPEN: "registration",
    Code.LOOK_AT: "people",
    Code.OPENING: "people",
    Code.REGISTERING: "people",
    Code.ENTER: "people",
    Code.FILL: "people",
    Code.DRAW: "draw",
}
"""Step before the first session → the section in which it is done."""
EITHER = frozenset({Code.IMPORT, Code.OPEN})
"""Steps that both links complete: with registration nobody has to import a list."""


@dataclass(frozen=True)
class Link:
    """A page: URL name, further arguments after the slug, and an anchor."""

    url_name: str
    args: tuple[int, ...] = ()
    anchor: str = ""


@dataclass(frozen=True)
class Step:
    """The next thing to do. `also`: an additional link."""

    code: Code
    link: Link
    params: Mapping[str, int | str | datetime | None] = field(default_factory=dict)
    also: Link | None = None
    until: datetime | None = None
    """When the step may change without a write; None: never."""

    @property
    def is_quiet(self) -> bool:
        return self.code in NOTHING_TO_DO

    @property
    def links(self) -> tuple[Link, ...]:
        """Where it can be done."""
        return (self.link, self.also) if self.also and self.code in EITHER else (self.link,)


# --- Which step follows ---


BEHIND = 15
"""Minutes behind the clock that need attention: two hands at the usual pace."""
ROUNDED = 5
"""Minutes are rounded to this, as each change is read out by screen readers."""


def next_step(tournament: Tournament) -> Step:
    """Return the current step of a tournament."""
    return step_of(event_state(tournament), timezone.now())


def step_of(state: EventState, now: datetime) -> Step:
    """Return the step of a state at a time. Depends on nothing else."""
    if not state.sessions:
        return _registration(state, now) or _before_the_draw(state)
    if step := _waiting_people(state):
        return step
    if state.running:
        return _while_playing(state.running, now)
    if state.has_ceremony:
        return Step(Code.ANNOUNCE, Link("organiser_results"))
    if state.is_over and state.hidden:
        if state.is_announced:
            return Step(Code.REVEAL, Link("organiser_ceremony_publish"))
        return Step(Code.CEREMONY, Link("organiser_results"))
    if state.to_publish and state.closed not in state.hidden:
        return _publish(state, now)
    if state.coming:
        return _next_session(state, state.coming)
    if state.appeals_until and state.appeals_until > now:
        until = state.appeals_until
        return Step(Code.APPEALS, Link("appeals"), {"until": until}, until=until)
    return Step(Code.ARCHIVE, Link("organiser_archive"))


def _registration(state: EventState, now: datetime) -> Step | None:
    """Return the step of registration, before there are players."""
    if (registered := state.registered) is None:
        return None
    link, phase = Link("organiser_people"), phase_at(registered, now)
    is_open = phase is Phase.OPEN
    until = registered.changes_after(now)
    if registered.pending:
        return Step(Code.LOOK_AT, link, {"pending": registered.pending}, until=until)
    if registered.to_enter and (state.players or registered.is_full or not is_open):
        return Step(Code.ENTER, link, {"n": registered.to_enter}, until=until)
    if is_open and not state.players:
        return Step(Code.REGISTERING, link, {"n": registered.to_enter}, until=until)
    if phase is Phase.COMING and not state.players:
        return Step(Code.OPENING, link, {"opens": registered.opens_at}, until=until)
    return None


def _before_the_draw(state: EventState) -> Step:
    if not state.players:
        by_list, by_registration = Link("organiser_import"), Link("organiser_registration")
        if state.registered and not state.registered.is_open:
            return Step(Code.OPEN, by_registration, also=by_list)
        return Step(Code.IMPORT, by_list, also=by_registration)
    if state.missing:
        return _fill_tables(state)
    return Step(Code.DRAW, Link("organiser_draw"), {"players": state.players})


def _waiting_people(state: EventState) -> Step | None:
    """Return the step for people who wait: these come first."""
    if state.calls and state.running:
        link = Link("organiser_session", (state.running.number,), "calls")
        return Step(Code.CALL, link, {"table": state.calls[0], "more": len(state.calls) - 1})
    if state.appeals:
        first = state.appeals[0]
        code = Code.RULING if first.is_pending else Code.APPEAL
        params = {"session": first.session, "table": first.table, "more": len(state.appeals) - 1}
        return Step(code, Link("appeals", anchor=f"a{first.uuid}"), params)
    if state.disputes and state.running:
        table, hand = state.disputes[0]
        link = Link("disputed_hand", (state.running.number, table, hand))
        return Step(Code.DISPUTE, link, {"table": table, "hand": hand, "more": len(state.disputes) - 1})
    return None


def _while_playing(running: Running, now: datetime) -> Step:
    still_open, session = running.still_open, running.number
    link = Link("organiser_session", (session,))
    if not still_open:
        return Step(Code.CLOSE, Link("organiser_session_close", (session,)), {"session": session})
    if step := _type_totals(running, link, now):
        return step
    clock_time = running.clock.shows(now)
    in_time = [table for table in still_open if _ends(running, table) > clock_time]
    some_are_in = len(still_open) < len(running.tables)
    if some_are_in and not in_time and not any(table.hands for table in still_open):
        params = {"session": session, "table": still_open[0].number, "more": len(still_open) - 1}
        return Step(Code.UNPLAYED, Link("organiser_session", (session,), "unplayed"), params)
    if late := next((table for table in still_open if table.late), None):
        params = {"session": session, "table": late.number, "hand": late.late[0], "more": len(late.late) - 1}
        return Step(Code.AFTER_TIME, Link("desk", (session, late.number), "sheet"), params)
    params = {"session": session, "open": len(still_open), "of": len(running.tables)}
    if not in_time:
        return Step(
            Code.TIME_UP,
            Link("organiser_session", (session,), "tables"),
            params | {"table": still_open[0].number},
        )
    if running.clock.pause:
        return Step(Code.PAUSED, Link("hall_clock"), {"session": session})
    return _slow_table(running, in_time, clock_time) or Step(
        Code.PLAYING, link, params, until=min(_behind_at(running, table) for table in in_time)
    )


def _type_totals(running: Running, link: Link, now: datetime) -> Step | None:
    """Return the step for paper sheets, once one is typed or the time is up."""
    still_open, clock_time = running.still_open, running.clock.shows(now)
    if not all(table.on_paper for table in still_open):
        return None
    if len(still_open) == len(running.tables) and any(
        _ends(running, table) > clock_time for table in still_open
    ):
        return None
    params = {"session": running.number, "open": len(still_open), "of": len(running.tables)}
    return Step(Code.TOTALS, Link("paper", link.args), params)


def _slow_table(running: Running, tables: list[TableState], now: datetime) -> Step | None:
    """Return the step for the table furthest behind the clock, if it needs attention."""
    slow = [table for table in tables if _behind_at(running, table) <= now]
    if not slow:
        return None
    worst = max(slow, key=lambda table: (now - _due(running, table), -table.number))
    minutes = _rounded(now - _due(running, worst))
    params = {"session": running.number, "table": worst.number, "minutes": minutes, "more": len(slow) - 1}
    until = min(_due(running, worst) + timedelta(minutes=minutes + ROUNDED), _ends(running, worst))
    return Step(Code.BEHIND, Link("desk", (running.number, worst.number)), params, until=until)


def minutes_behind(running: Running, now: datetime) -> Mapping[int, int]:
    """Return how far the open tables that need attention are behind the clock: table → minutes, rounded down."""
    clock_time = running.clock.shows(now)
    return {
        table.number: _rounded(clock_time - _due(running, table))
        for table in running.still_open
        if _behind_at(running, table) <= clock_time and table.hands < HANDS_PER_SESSION and not table.on_paper
    }


def _rounded(delay: timedelta) -> int:
    """Return whole minutes, rounded down to `ROUNDED`."""
    return delay // timedelta(minutes=1) // ROUNDED * ROUNDED


def _ends(running: Running, table: TableState) -> datetime:
    return running.clock.after(timedelta(minutes=running.minutes + table.extra))


def _due(running: Running, table: TableState) -> datetime:
    """Return when the current hand should be over, with sixteen hands in the time of the table."""
    time_per_hand = timedelta(minutes=running.minutes + table.extra) / HANDS_PER_SESSION
    return running.clock.after(time_per_hand * min(table.hands + 1, HANDS_PER_SESSION))


def _behind_at(running: Running, table: TableState) -> datetime:
    """Return when the table needs attention; its end if all hands are played or it uses paper."""
    if table.hands >= HANDS_PER_SESSION or table.on_paper:
        return _ends(running, table)
    return min(_due(running, table) + timedelta(minutes=BEHIND), _ends(running, table))


def _publish(state: EventState, now: datetime) -> Step:
    link, params = Link("organiser_publish"), {"session": state.closed, "again": int(state.is_out_of_date)}
    if not state.is_over:
        return Step(Code.PUBLISH, link, params)
    until = state.appeals_until if state.appeals_until and state.appeals_until > now else None
    return Step(Code.PUBLISH_FINAL, link, params | {"until": until}, Link("organiser_results"), until)


def _next_session(state: EventState, coming: Coming) -> Step:
    number = coming.number
    if coming.finalists_differ:
        return Step(Code.FINALISTS, Link("organiser_finals"), {"session": number})
    if coming.vacant and (coming.is_final or state.missing):
        link = Link("organiser_session", (number,), "vacancies")
        return Step(Code.LEFT, link, {"session": number, "n": coming.vacant, "name": coming.left})
    params = {"session": number, "vacant": coming.vacant, "unseated": coming.unseated}
    if coming.changed or not coming.is_seated:
        if state.missing:
            return _fill_tables(state)
        if not coming.is_seated:
            return Step(Code.SEAT, Link("organiser_seats", (number,)), {"session": number})
        also = Link("organiser_session", (number,), "vacancies") if coming.vacant else None
        return Step(Code.REPLAN, Link("organiser_replan"), params, also)
    also = None if state.closed else Link("organiser_documents")
    params = {"session": number, "first": int(not state.closed)}
    return Step(
        Code.START, Link("organiser_session_start", (number,)), params | {"at": coming.starts_at}, also
    )


def _fill_tables(state: EventState) -> Step:
    return Step(Code.FILL, Link("organiser_people"), {"missing": state.missing, "players": state.players})


# --- The state of an event ---


@dataclass(frozen=True)
class TableState:
    """A table of the running session. `extra`: additional minutes; `late`: hands saved after time."""

    number: int
    hands: int
    is_in: bool = False
    extra: int = 0
    late: tuple[int, ...] = ()
    on_paper: bool = False
    """Its totals are typed at the end: progress is unknown."""


@dataclass(frozen=True)
class Running:
    """The running session."""

    number: int
    clock: HallClock
    minutes: int
    tables: tuple[TableState, ...]

    @property
    def still_open(self) -> tuple[TableState, ...]:
        return tuple(table for table in self.tables if not table.is_in)


@dataclass(frozen=True)
class Coming:
    """The next session. `vacant`: seats of withdrawn players; `left`: who had the first; `unseated`: players without a
    seat."""

    number: int
    is_seated: bool
    vacant: int = 0
    left: str = ""
    unseated: int = 0
    starts_at: datetime | None = None
    is_final: bool = False
    finalists_differ: bool = False
    """Whether others would qualify for the final that begins with it."""

    @property
    def changed(self) -> bool:
        """Whether seats and players differ, counting stand-ins."""
        return self.is_seated and bool(self.vacant or self.unseated)


@dataclass(frozen=True)
class AppealState:
    """An open appeal. `is_pending`: granted, and not carried out."""

    session: int
    table: int
    uuid: str
    is_pending: bool = False


@dataclass(frozen=True)
class Registered:
    """Registration before the draw. `to_enter`: accepted and not yet players."""

    pending: int
    to_enter: int
    is_open: bool
    """The switch; `phase_at` also considers the times."""
    opens_at: datetime | None
    closes_at: datetime | None
    is_full: bool = False
    """Whether every place is taken, so that only the waiting list goes on."""

    def changes_after(self, now: datetime) -> datetime | None:
        """Return when it next opens or closes."""
        times = (self.opens_at, self.closes_at) if self.is_open else ()
        return min((time for time in times if time is not None and now < time), default=None)


@dataclass(frozen=True)
class EventState:
    """The state of a tournament at a version. It does not contain the time."""

    players: int
    """Not withdrawn, substitutes included; 0 if not needed, as `missing`."""
    missing: int
    """Players needed to fill the last table."""
    sessions: int
    closed: int
    """The number of the last closed session; 0 for none."""
    running: Running | None = None
    coming: Coming | None = None
    """None before the draw, during a session, and after the last."""
    to_publish: bool = False
    is_out_of_date: bool = False
    """Whether published standings have been corrected since."""
    hidden: tuple[int, ...] = ()
    """Sessions with hidden results."""
    calls: tuple[int, ...] = ()
    """Tables whose call no umpire has taken."""
    appeals: tuple[AppealState, ...] = ()
    disputes: tuple[tuple[int, int], ...] = ()
    """(table, hand) of the running session's hands that are to be ruled on."""
    has_ceremony: bool = False
    """Whether a ceremony has begun and not ended."""
    is_announced: bool = False
    """Whether the players' ceremony has ended."""
    appeals_until: datetime | None = None
    """When the time for appeals ends or ended."""
    registered: Registered | None = None
    """None after the draw, and without a plan."""

    @property
    def is_over(self) -> bool:
        return bool(self.sessions) and self.closed == self.sessions


@by_version(256)
def event_state(tournament: Tournament) -> EventState:
    """Return the state of a tournament. Cached by version."""
    progress = progress_of(tournament)
    roll = player_counts(tournament) if progress.startable or not progress.sessions else None
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
        disputes=_disputes(progress),
        has_ceremony=current_ceremony(tournament) is not None,
        is_announced=any(past.kind == past.Kind.PLAYERS for past in past_ceremonies(tournament)),
        appeals_until=_appeals_until(tournament, progress),
        registered=None if progress.sessions else _registered(tournament),
    )


def _registered(tournament: Tournament) -> Registered | None:
    if (plan := plan_of(tournament)) is None:
        return None
    n, status = counts(tournament), registration_status(tournament)
    return Registered(
        n[Registration.State.PENDING],
        n["to_enter"],
        plan.is_open,
        plan.opens_at,
        closing_time(plan),
        is_full=status.left == 0,
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
    present = set(players_in(tournament, session.number).values_list("number", flat=True))
    vacant = list(vacant_seats(session)) if seated - present else []
    return Coming(
        session.number,
        is_seated=bool(seated),
        vacant=len(vacant),
        left=vacant[0].player.name if vacant else "",
        unseated=len(present - seated),
        starts_at=planned.starts_at if planned else None,
        is_final=final_of(tournament, session.number) is not None,
        finalists_differ=finalist_change(tournament) is not None,
    )


def _calls(progress: Progress) -> tuple[int, ...]:
    """Return the waiting tables of the running session: closing a session ends its calls."""
    if not progress.is_running:
        return ()
    waiting = Call.objects.filter(table__session=progress.current, done_at=None, taken_at=None)
    return tuple(waiting.order_by("called_at", "id").values_list("table__number", flat=True))


def _disputes(progress: Progress) -> tuple[tuple[int, int], ...]:
    if progress.current is None or not progress.is_running:
        return ()
    return tuple(pending_hands(progress.current).values_list("table__number", "number"))


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
