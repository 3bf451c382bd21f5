"""The planned timetable, and the clock of the hall."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from datetime import UTC, date, datetime, time, timedelta
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.support.checks import newest_sentence, refused_codes, refused_problems
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, WEEKEND, make_tournament, play_hands, write_something
from tournament.base.engine.rules import LastHand, Rules, Timing, rules_named
from tournament.base.errors import Refused
from tournament.base.models.events import TimetableItem
from tournament.base.models.play import Session, Table
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import moments_passed, next_moment
from tournament.events.engine import TimetablePattern
from tournament.events.selectors import fingerprint, propose_timetable, timetable_lines
from tournament.events.services import set_timetable, update_tournament
from tournament.exchange.audit import audit
from tournament.play.selectors.absences import lateness_minutes, minutes_to_wait
from tournament.play.selectors.clock import Clock, clock_of
from tournament.play.selectors.closing import saved_after_time
from tournament.play.selectors.timetable import Entry, timetable
from tournament.play.services.absences import record_absence, record_arrival
from tournament.play.services.sessions import extend_clock, pause_clock, resume_clock, start_session
from tournament.play.services.tables import hand_in, set_extra_time
from tournament.seating.services.corrections import unstart_session
from tournament.web.selectors import log_words

EVENT_WITH = {"players": 8, "sessions": 2, "days": WEEKEND}

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableItem(title="Registration", day=SATURDAY, starts=time(8), ends=time(8, 45)),
    TimetableItem(session=1, day=SATURDAY, starts=time(9)),
    TimetableItem(session=2, day=SUNDAY, starts=time(14)),
    TimetableItem(title="Ceremony", day=SUNDAY, starts=time(17)),
]


def in_paris(tournament: Tournament, **fields: object) -> Tournament:
    for name, value in {"time_zone": "Europe/Paris", **fields}.items():
        setattr(tournament, name, value)
    return update_tournament(tournament, SYSTEM)


def in_zone(tournament: Tournament, zone: str) -> Tournament:
    tournament.time_zone = zone
    return update_tournament(tournament, SYSTEM)


def planned_of(tournament: Tournament, session: int = 1) -> Entry:
    entry = timetable(tournament).of(session)
    assert entry is not None
    return entry


def test_a_timetable_is_one_log_entry(event: Tournament) -> None:
    """Idempotent; without lines it is removed."""
    version = event.version
    set_timetable(event, SYSTEM, LINES)
    entry = event.log.get(seq=version + 1)
    assert entry.action == "timetable_set"
    assert log_words(event).sentence(entry) == "Timetable set: 4 lines, from 2026-11-14 08:00."
    set_timetable(event, SYSTEM, list(reversed(LINES)))
    assert event.version == version + 1
    set_timetable(event, SYSTEM, [TimetableItem(session=1, day=SATURDAY), TimetableItem(title=" ")])
    assert not event.timetable.exists()
    assert newest_sentence(event) == "Timetable removed."


def test_times_are_in_the_tournaments_time_zone(event: Tournament) -> None:
    """After a change of the time zone it still begins at nine."""
    assert event.time_zone == timezone.get_default_timezone_name()
    set_timetable(in_paris(event), SYSTEM, LINES)
    planned = planned_of(Tournament.objects.get(pk=event.pk))
    assert planned.starts_at == datetime(2026, 11, 14, 8, tzinfo=UTC)
    assert planned.ends_at == datetime(2026, 11, 14, 10, tzinfo=UTC)
    moved = planned_of(in_paris(event, time_zone="Asia/Shanghai")).starts_at
    assert moved is not None
    assert (moved.hour, moved.utcoffset()) == (9, timedelta(hours=8))
    with pytest.raises(Refused, match="unknown_time_zone"):
        in_paris(event, time_zone="Middle/Earth")


def test_a_session_lasts_as_long_when_daylight_saving_time_ends(event: Tournament) -> None:
    night = in_paris(event, starts_on=date(2026, 10, 24), ends_on=date(2026, 10, 25))
    set_timetable(night, SYSTEM, [TimetableItem(session=1, day=date(2026, 10, 25), starts=time(1, 30))])
    planned = planned_of(night)
    assert planned.starts_at is not None
    assert planned.ends_at is not None
    assert planned.ends_at - planned.starts_at.astimezone(UTC) == timedelta(minutes=night.minutes)


def test_a_time_that_the_clocks_skip_is_refused(event: Tournament) -> None:
    night = in_paris(event, starts_on=date(2027, 3, 28), ends_on=date(2027, 3, 28))
    skipped = TimetableItem(title="Tea", day=night.starts_on, starts=time(1, 30), ends=time(2, 30))
    assert refused_problems(set_timetable, night, SYSTEM, [skipped]) == [
        ("no_such_clock_time", "lines.0.ends")
    ]


def test_moving_a_tournament_moves_its_timetable(event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    week = timedelta(days=7)
    in_paris(event, starts_on=SATURDAY + week, ends_on=SUNDAY + week)
    assert [item.day for item in event.timetable.all()] == [line.day + week for line in LINES if line.day]


def test_an_invalid_timetable_is_refused_with_all_problems(event: Tournament) -> None:
    wrong = [
        TimetableItem(session=1, day=date(2026, 11, 16), starts=time(9)),
        TimetableItem(session=2, starts=time(9)),
        TimetableItem(title="Lunch", day=SATURDAY, starts=time(12), ends=time(11)),
        TimetableItem(title="Ceremony", day=SATURDAY),
        TimetableItem(day=SATURDAY, starts=time(10)),
        TimetableItem(session=7, day=SATURDAY, starts=time(10)),
        TimetableItem(title="Dinner", day=date(1, 1, 1), starts=time(19)),
    ]
    assert refused_problems(set_timetable, event, SYSTEM, wrong) == [
        ("session_outside_the_days", "lines.0.day"),
        ("value_missing", "lines.1.day"),
        ("line_ends_before_it_starts", "lines.2.ends"),
        ("value_missing", "lines.3.starts"),
        ("value_missing", "lines.4.title"),
        ("no_such_session", "lines.5.starts"),
        ("line_far_from_the_days", "lines.6.day"),
    ]
    assert not event.timetable.exists()


def test_sessions_cannot_overlap(event: Tournament) -> None:
    def plan(*starts: tuple[int, date, time]) -> list[TimetableItem]:
        return [TimetableItem(session=session, day=day, starts=at) for session, day, at in starts]

    early = plan((1, SATURDAY, time(9)), (2, SATURDAY, time(10, 59)))
    assert refused_problems(set_timetable, event, SYSTEM, early) == [
        ("session_before_the_last_is_over", "lines.1.starts")
    ]
    twice = plan((1, SATURDAY, time(9)), (1, SUNDAY, time(9)))
    assert refused_problems(set_timetable, event, SYSTEM, twice) == [
        ("session_planned_twice", "lines.1.starts")
    ]
    with pytest.raises(Refused) as refused:
        set_timetable(event, SYSTEM, plan((1, SUNDAY, time(9)), (2, SATURDAY, time(14))))
    (problem,) = refused.value.problems
    assert problem.params == {"session": 1, "until": "2026-11-15 11:00"}
    set_timetable(event, SYSTEM, plan((1, SATURDAY, time(9)), (2, SATURDAY, time(11))))


def test_an_outdated_timetable_is_refused(event: Tournament) -> None:
    seen = fingerprint(event.timetable.all())
    set_timetable(event, SYSTEM, LINES, seen=seen)
    with pytest.raises(Refused, match="timetable_changed_meanwhile"):
        set_timetable(event, SYSTEM, LINES[:1], seen=seen)
    assert event.timetable.count() == 4
    set_timetable(event, SYSTEM, LINES)
    session = start_session(event.sessions.get(number=1), SYSTEM)
    planned = planned_of(event)
    assert planned.began_at == session.started_at
    Session.objects.filter(pk=session.pk).update(started_at=planned.starts_at)
    assert planned_of(event).began_at is None, "a punctual start is not shown"


def test_changed_lines_keep_their_uuid(event: Tournament) -> None:
    """A copied line gets another UUID."""
    set_timetable(event, SYSTEM, LINES)
    before = {item.title or item.session: item.uuid for item in event.timetable.all()}
    registration, first, second, ceremony = timetable_lines(event)
    second.starts = time(16, 30)
    ceremony.title, ceremony.starts = "Ceremony late", time(18, 40)
    set_timetable(event, SYSTEM, [registration, first, second, ceremony])
    after = {item.title.removesuffix(" late") or item.session: item.uuid for item in event.timetable.all()}
    assert after == before
    again = copy(registration)
    again.day = SUNDAY
    set_timetable(event, SYSTEM, [registration, again])
    assert event.timetable.values("uuid").distinct().count() == 2


def test_sessions_can_be_planned_before_the_draw() -> None:
    """Lines of sessions that are no longer planned are left out."""
    early = make_tournament(players=0, sessions=3, days=WEEKEND, drawn=False)
    set_timetable(early, SYSTEM, [TimetableItem(session=3, day=SUNDAY, starts=time(9))])
    planned = timetable(early)
    assert [(entry.number, entry.session) for entry in planned.entries] == [(3, None)]
    assert [entry.number for entry in planned.unplanned] == [1, 2]
    early.sessions_planned = 2
    fewer = update_tournament(early, SYSTEM)
    assert not timetable(fewer).entries
    assert [line.session for line in timetable_lines(fewer)] == [1, 2]


def test_registration_keeps_its_hours_in_a_corrected_time_zone() -> None:
    """As after a server's default of UTC was overlooked."""
    early = make_tournament(players=0, days=WEEKEND, drawn=False)
    in_zone(early, "UTC")
    noon = datetime(2026, 7, 1, 12, tzinfo=UTC)
    plan = RegistrationPlan.objects.create(tournament=early, opens_at=noon)
    in_zone(early, "Europe/Paris")
    plan.refresh_from_db()
    assert (plan.opens_at, plan.closes_at) == (noon - timedelta(hours=2), None)


def test_a_proposed_timetable_keeps_other_items(event: Tournament) -> None:
    set_timetable(event, SYSTEM, LINES)
    lines = propose_timetable(event, TimetablePattern(first=10 * 60), lunch="Lunch")
    assert [(line.session, line.title, line.day, line.starts) for line in lines] == [
        (None, "Registration", SATURDAY, time(8)),
        (1, "", SATURDAY, time(10)),
        (2, "", SUNDAY, time(10)),
        (None, "Ceremony", SUNDAY, time(17)),
    ]
    set_timetable(event, SYSTEM, lines)
    again = propose_timetable(event, TimetablePattern(first=10 * 60), lunch="Lunch")
    assert fingerprint(again) == fingerprint(timetable_lines(event))


def test_the_warning_comes_fifteen_minutes_before_the_end(table: Table) -> None:
    session = table.session
    stages = ((0, "playing"), (104, "playing"), (105, "warning"), (119, "warning"), (120, "over"))
    for minutes, stage in stages:
        with after(session, minutes):
            assert clock(session).stage == stage
    for passed, minutes in enumerate((1, 106, 121)):
        write_something(Tournament.objects.get())
        with after(session, minutes):
            assert moments_passed(Tournament.objects.get()) == passed
    with after(session, 125):
        play_hands(table, 1)
    assert table.hands_played == 1, "a hand is recorded after the end too"


def test_extra_time_replaces_itself_and_needs_a_reason(table: Table) -> None:
    before = table.version
    for minutes in (10, 5, 0):
        assert set_extra_time(table, SYSTEM, minutes, reason="Lost tile").extra_minutes == minutes
    version = Tournament.objects.get().version
    set_extra_time(table, SYSTEM, 0, reason="Lost tile")
    assert Tournament.objects.get().version == version
    table.refresh_from_db()
    assert table.version == before
    problems = refused_problems(set_extra_time, table, SYSTEM, 61, reason=" ")
    assert [where for _, where in problems] == ["minutes", "reason"]
    play_hands(table)
    hand_in(table, SYSTEM)
    with pytest.raises(Refused):
        set_extra_time(table, SYSTEM, 5, reason="Lost tile")


def test_the_audit_compares_extra_time_with_the_log(table: Table) -> None:
    set_extra_time(table, SYSTEM, 5, reason="Lost tile")
    assert list(audit(Tournament.objects.get())) == []
    Table.objects.filter(pk=table.pk).update(extra_minutes=9)
    assert ["longer" in str(finding) for finding in audit(Tournament.objects.get())] == [True]


def test_snapshots_without_timing_have_the_default() -> None:
    european = Timing(warning=10, last_hand=LastHand.FINISHED)
    rules = rules_named("mcr")
    snapshot = rules.to_json() | {"timing": european.to_json()}
    assert Rules.from_json(snapshot).timing == european
    del snapshot["timing"]
    assert Rules.from_json(snapshot).timing == Timing(15, LastHand.VOID)


ALARM = "Fire alarm"


@pytest.fixture
def session(table: Table) -> Session:
    return table.session


@contextmanager
def after(session: Session, minutes: float) -> Iterator[None]:
    """Set the time to a number of minutes after the start of the session."""
    assert session.started_at is not None
    moment = session.started_at + timedelta(minutes=minutes)
    with patch.object(timezone, "now", lambda: moment):
        yield


def fresh(session: Session) -> Session:
    return Session.objects.select_related("tournament").get(pk=session.pk)


def clock(session: Session, table: Table | None = None) -> Clock:
    now = clock_of(fresh(session), table)
    assert now is not None
    return now


def paused(session: Session, begin: float, end: float | None = None) -> None:
    with after(session, begin):
        pause_clock(session, SYSTEM, reason=ALARM)
    if end is not None:
        with after(session, end):
            resume_clock(session, SYSTEM, reason="All clear")


def ends_in(session: Session, clock: Clock) -> float:
    assert session.started_at is not None
    return (clock.ends_at - session.started_at) / timedelta(minutes=1)


def test_a_pause_moves_the_warning_and_the_end(session: Session) -> None:
    paused(session, 30)
    for minutes in (31, 200):
        with after(session, minutes):
            assert (clock(session).stage, clock(session).left) == ("paused", "1:30:00")
            assert next_moment(Tournament.objects.get()) == float("inf"), "no page changes during a pause"
    with after(session, 42):
        resume_clock(session, SYSTEM, reason="All clear")
    for minutes, stage in ((116, "playing"), (118, "warning"), (131, "warning"), (132, "over")):
        with after(session, minutes):
            assert clock(session).stage == stage


def test_extra_time_of_a_table_adds_to_that_of_the_hall(session: Session) -> None:
    table = session.tables.get(number=1)
    set_extra_time(table, SYSTEM, 10, reason="Lost tile")
    paused(session, 30, 42)
    extend_clock(session, SYSTEM, 5, reason="The heating")
    table.refresh_from_db()
    assert [ends_in(session, clock(session, extended)) for extended in (None, table)] == [137, 147]


def test_a_clock_that_is_over_can_be_extended(session: Session) -> None:
    with after(session, 121):
        extend_clock(session, SYSTEM, 10, reason="Slow tables")
        assert (clock(session).stage, clock(session).left, clock(session).minutes) == ("warning", "9:00", 130)
        extend_clock(session, SYSTEM, 0, reason="A mistake")
        assert clock(session).stage == "over"
    with after(session, 121):
        assert refused_codes(pause_clock, session, SYSTEM, reason=ALARM) == ["clock_is_over"]
        set_extra_time(session.tables.get(number=1), SYSTEM, 10, reason="Lost tile")
        pause_clock(session, SYSTEM, reason=ALARM)
    with after(session, 130):
        resume_clock(session, SYSTEM, reason="All clear")
    table = session.tables.get(number=1)
    assert [ends_in(session, clock(session, extended)) for extended in (None, table)] == [120, 139]


def test_clock_services_are_idempotent(session: Session) -> None:
    tournament = session.tournament
    for times in (1, 2):
        for write in (
            lambda: pause_clock(session, SYSTEM, reason=ALARM),
            lambda: resume_clock(session, SYSTEM, reason="All clear"),
            lambda: extend_clock(session, SYSTEM, 5, reason="The heating"),
        ):
            write()
            before = Tournament.objects.get().version
            write()
            assert Tournament.objects.get().version == before
        assert tournament.log.filter(action="clock_paused").count() == times


def test_clock_services_need_a_reason_and_the_right_state(session: Session) -> None:
    assert refused_codes(resume_clock, session, SYSTEM, reason="All clear") == ["clock_not_paused"]
    assert refused_codes(pause_clock, session, SYSTEM, reason=" ") == ["clock_reason_missing"]
    assert refused_codes(extend_clock, session, SYSTEM, 99, reason="") == [
        "clock_reason_missing",
        "extra_time_out_of_range",
    ]
    paused(session, 10)
    assert refused_codes(resume_clock, session, SYSTEM, reason="") == ["clock_reason_missing"]
    second = session.tournament.sessions.get(number=2)
    assert refused_codes(pause_clock, second, SYSTEM, reason=ALARM) == ["session_not_running"]


def test_lateness_does_not_count_pauses(session: Session) -> None:
    table = session.tables.get(number=1)
    absence = record_absence(table, SYSTEM, players_at(table)[0], uuid=uuid4())
    paused(session, 5, 20)
    absence.table.session = fresh(session)
    for minutes, wait in ((29, 15), (31, 0)):
        with after(session, minutes):
            assert minutes_to_wait(absence, timezone.now()) == wait
    with after(session, 22):
        record_arrival(absence, SYSTEM)
    absence.table.session = fresh(session)
    assert lateness_minutes(absence) == 7


def test_hands_after_time_do_not_count_pauses(session: Session) -> None:
    """A hand recorded during a pause is in time."""
    table = session.tables.get(number=1)
    paused(session, 110)
    with after(session, 135):
        play_hands(table, 1)
    assert saved_after_time(fresh(session), [table]) == {}
    with after(session, 140):
        resume_clock(session, SYSTEM, reason="All clear")
    for minute in (145, 160):
        with after(session, minute):
            play_hands(table, 1)
    assert saved_after_time(fresh(session), [table]) == {table.pk: {3: 130}}


def test_the_audit_compares_pauses_with_the_log(session: Session) -> None:
    assert next_moment(Tournament.objects.get()) < float("inf")
    paused(session, 1, 2)
    extend_clock(session, SYSTEM, 5, reason="The heating")
    assert list(audit(Tournament.objects.get())) == []
    pauses = fresh(session).pauses
    Session.objects.filter(pk=session.pk).update(pauses=[], extra_minutes=9)
    assert len(list(audit(Tournament.objects.get()))) == 2
    Session.objects.filter(pk=session.pk).update(pauses=pauses, extra_minutes=5)
    unstart_session(session, SYSTEM)
    assert (fresh(session).pauses, fresh(session).extra_minutes) == ([], 0)
    assert list(audit(Tournament.objects.get())) == []


def test_the_log_has_reason_and_length_of_a_pause(session: Session) -> None:
    paused(session, 30, 42.5)
    extend_clock(session, SYSTEM, 5, reason="The heating")
    words = log_words(session.tournament)
    entries = session.tournament.log.filter(action__startswith="clock").order_by("seq")
    assert [words.sentence(entry) for entry in entries] == [
        "Clock of session 1 paused: Fire alarm",
        "Clock of session 1 resumed after 12:30: All clear",
        "5 minutes longer for the whole hall, session 1: The heating",
    ]
