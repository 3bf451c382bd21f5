"""Writing the timetable: everything at once, in one entry, and what became of it."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.utils import timezone

from tests.support.checks import newest_sentence, refused_problems
from tests.support.factories import SYSTEM, WEEKEND, make_tournament
from tournament.engine.timetable import TimetableWish
from tournament.errors import Refused
from tournament.models import Session, Tournament
from tournament.selectors.log_words import log_words
from tournament.selectors.particulars import Particulars
from tournament.selectors.timetable import Entry, fingerprint, timetable
from tournament.selectors.timetable_lines import TimetableLine, filled, lines_of
from tournament.services.sessions import start_session
from tournament.services.timetable import set_timetable
from tournament.services.tournaments import update_tournament

pytestmark = pytest.mark.stored

SATURDAY, SUNDAY = WEEKEND
LINES = [
    TimetableLine(title="Registration", day=SATURDAY, starts=time(8), ends=time(8, 45)),
    TimetableLine(1, day=SATURDAY, starts=time(9)),
    TimetableLine(2, day=SUNDAY, starts=time(14)),
    TimetableLine(title="Ceremony", day=SUNDAY, starts=time(17)),
]


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=8, sessions=2, days=WEEKEND)


def in_paris(tournament: Tournament, **more: object) -> Tournament:
    particulars = Particulars(
        "Spring Open", "", SATURDAY, SUNDAY, sessions_planned=2, time_zone="Europe/Paris"
    )
    return update_tournament(tournament, SYSTEM, replace(particulars, **more))  # type: ignore[arg-type]


def planned_of(tournament: Tournament, session: int = 1) -> Entry:
    entry = timetable(tournament).of(session)
    assert entry is not None
    return entry


def test_one_timetable_is_one_entry_in_the_log(spring: Tournament) -> None:
    """The same again writes nothing, and no lines remove it."""
    version = spring.version
    set_timetable(spring, SYSTEM, LINES)
    entry = spring.log.get(seq=version + 1)
    assert entry.action == "timetable_set"
    assert log_words(spring).sentence(entry) == "Timetable set: 4 lines, from 2026-11-14 08:00."
    set_timetable(spring, SYSTEM, list(reversed(LINES)))
    assert spring.version == version + 1
    set_timetable(spring, SYSTEM, [TimetableLine(1, day=SATURDAY), TimetableLine(title=" ")])
    assert not spring.timetable.exists()
    assert newest_sentence(spring) == "Timetable removed."


def test_times_are_those_of_the_hall(spring: Tournament) -> None:
    """In another time zone it still begins at nine."""
    assert spring.time_zone == timezone.get_default_timezone_name()
    set_timetable(in_paris(spring), SYSTEM, LINES)
    planned = planned_of(Tournament.objects.get(pk=spring.pk))
    assert planned.starts_at == datetime(2026, 11, 14, 8, tzinfo=UTC)
    assert planned.ends_at == datetime(2026, 11, 14, 10, tzinfo=UTC)
    moved = planned_of(in_paris(spring, time_zone="Asia/Shanghai")).starts_at
    assert moved is not None
    assert (moved.hour, moved.utcoffset()) == (9, timedelta(hours=8))
    with pytest.raises(Refused, match="unknown_time_zone"):
        in_paris(spring, time_zone="Middle/Earth")


def test_a_session_lasts_as_long_in_the_night_that_changes_the_clocks(spring: Tournament) -> None:
    night = in_paris(spring, starts_on=date(2026, 10, 24), ends_on=date(2026, 10, 25))
    set_timetable(night, SYSTEM, [TimetableLine(1, day=date(2026, 10, 25), starts=time(1, 30))])
    planned = planned_of(night)
    assert planned.starts_at is not None
    assert planned.ends_at is not None
    assert planned.ends_at - planned.starts_at.astimezone(UTC) == timedelta(minutes=night.minutes)


def test_a_tournament_put_off_takes_its_timetable_along(spring: Tournament) -> None:
    set_timetable(spring, SYSTEM, LINES)
    week = timedelta(days=7)
    in_paris(spring, starts_on=SATURDAY + week, ends_on=SUNDAY + week)
    assert [item.day for item in spring.timetable.all()] == [line.day + week for line in LINES if line.day]


def test_all_mistakes_are_said_at_once(spring: Tournament) -> None:
    wrong = [
        TimetableLine(1, day=date(2026, 11, 16), starts=time(9)),
        TimetableLine(2, day=None, starts=time(9)),
        TimetableLine(title="Lunch", day=SATURDAY, starts=time(12), ends=time(11)),
        TimetableLine(title="Ceremony", day=SATURDAY),
        TimetableLine(day=SATURDAY, starts=time(10)),
        TimetableLine(title="x" * 81, day=SATURDAY, starts=time(10)),
        TimetableLine(7, day=SATURDAY, starts=time(10)),
        TimetableLine(title="Dinner", day=date(1, 1, 1), starts=time(19)),
    ]
    assert refused_problems(set_timetable, spring, SYSTEM, wrong) == [
        ("session_outside_the_days", "day 1"),
        ("line_day_missing", "day 2"),
        ("line_ends_before_it_starts", "ends 3"),
        ("line_start_missing", "starts 4"),
        ("line_title_missing", "title 5"),
        ("line_title_too_long", "title 6"),
        ("no_such_session", "starts 7"),
        ("line_far_from_the_days", "day 8"),
    ]
    assert not spring.timetable.exists()


def test_sessions_begin_one_after_the_other(spring: Tournament) -> None:
    def plan(*starts: tuple[int, date, time]) -> list[TimetableLine]:
        return [TimetableLine(session, day=day, starts=at) for session, day, at in starts]

    early = plan((1, SATURDAY, time(9)), (2, SATURDAY, time(10, 59)))
    assert refused_problems(set_timetable, spring, SYSTEM, early) == [
        ("session_before_the_last_is_over", "starts 2")
    ]
    twice = plan((1, SATURDAY, time(9)), (1, SUNDAY, time(9)))
    assert refused_problems(set_timetable, spring, SYSTEM, twice) == [("session_planned_twice", "starts 2")]
    with pytest.raises(Refused) as refused:
        set_timetable(spring, SYSTEM, plan((1, SUNDAY, time(9)), (2, SATURDAY, time(14))))
    (problem,) = refused.value.problems
    assert problem.params == {"session": 1, "until": "2026-11-15 11:00"}
    set_timetable(spring, SYSTEM, plan((1, SATURDAY, time(9)), (2, SATURDAY, time(11))))


def test_nobody_saves_over_another_change_and_what_began_stands_beside_it(spring: Tournament) -> None:
    seen = fingerprint(spring.timetable.all())
    set_timetable(spring, SYSTEM, LINES, seen=seen)
    with pytest.raises(Refused, match="timetable_changed_meanwhile"):
        set_timetable(spring, SYSTEM, LINES[:1], seen=seen)
    assert spring.timetable.count() == 4
    set_timetable(spring, SYSTEM, LINES)
    session = start_session(spring.sessions.get(number=1), SYSTEM)
    planned = planned_of(spring)
    assert planned.began_at == session.started_at
    Session.objects.filter(pk=session.pk).update(started_at=planned.starts_at)
    assert planned_of(spring).began_at is None, "it was punctual"


def test_lines_keep_their_identity_when_they_change(spring: Tournament) -> None:
    """A line copied is another line."""
    set_timetable(spring, SYSTEM, LINES)
    before = {item.title or item.session: item.uuid for item in spring.timetable.all()}
    registration, first, second, ceremony = lines_of(spring)
    second = replace(second, starts=time(16, 30))
    ceremony = replace(ceremony, title="Ceremony late", starts=time(18, 40))
    set_timetable(spring, SYSTEM, [registration, first, second, ceremony])
    after = {item.title.removesuffix(" late") or item.session: item.uuid for item in spring.timetable.all()}
    assert after == before
    set_timetable(spring, SYSTEM, [registration, replace(registration, day=SUNDAY)])
    assert spring.timetable.values("uuid").distinct().count() == 2


def test_sessions_are_planned_before_they_are_drawn() -> None:
    """Lines of sessions no longer planned are left out."""
    early = make_tournament(players=0, sessions=3, days=WEEKEND, drawn=False)
    set_timetable(early, SYSTEM, [TimetableLine(3, day=SUNDAY, starts=time(9))])
    planned = timetable(early)
    assert [(entry.number, entry.session) for entry in planned.entries] == [(3, None)]
    assert [entry.number for entry in planned.unplanned] == [1, 2]
    two_sessions = Particulars("Spring Open", "", SATURDAY, SUNDAY, sessions_planned=2)
    fewer = update_tournament(early, SYSTEM, two_sessions)
    assert not timetable(fewer).entries
    assert [line.session for line in lines_of(fewer)] == [1, 2]


def test_filling_it_in_keeps_what_else_was_planned(spring: Tournament) -> None:
    set_timetable(spring, SYSTEM, LINES)
    lines = filled(spring, TimetableWish(first=10 * 60), lunch="Lunch")
    assert [(line.session, line.title, line.day, line.starts) for line in lines] == [
        (None, "Registration", SATURDAY, time(8)),
        (1, "", SATURDAY, time(10)),
        (2, "", SUNDAY, time(10)),
        (None, "Ceremony", SUNDAY, time(17)),
    ]
    set_timetable(spring, SYSTEM, lines)
    assert filled(spring, TimetableWish(first=10 * 60), lunch="Lunch") == [
        replace(line, uuid=None) if line.session else line for line in lines_of(spring)
    ]
