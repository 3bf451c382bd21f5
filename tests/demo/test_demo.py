"""`manage.py demo`: a believable tournament of any size, with a login per role."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.support.factories import make_tournament, make_user
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.demo.playing import at
from tournament.demo.trials import LOGINS, ORGANISER, UMPIRE
from tournament.dues.models import Payment
from tournament.play.selectors.closing import closing_check
from tournament.play.selectors.public import seating_chart
from tournament.play.selectors.timetable import timetable
from tournament.prizes.selectors import winners_of
from tournament.seating.selectors.draws import draw_origin

pytestmark = pytest.mark.django_db


def test_only_the_thread_that_plays_sees_the_time_played() -> None:
    """The worker of `hule serve` has the scheduler in a thread of its own."""
    with at(datetime(2001, 2, 3, tzinfo=UTC)), ThreadPoolExecutor(1) as threads:
        assert timezone.now().year == 2001
        assert threads.submit(timezone.now).result().year > 2001
    assert timezone.now().year > 2001


def demo(**options: Any) -> str:
    out = StringIO()
    call_command("demo", stdout=out, **options)
    return out.getvalue()


@pytest.mark.thorough
def test_the_demo_stops_in_the_middle_of_the_requested_session() -> None:
    demo(players=8, sessions=5, until=4)
    event = Tournament.objects.get()
    assert [session.state for session in event.sessions.all()] == ["closed"] * 3 + ["running", "planned"]
    assert all(4 <= table.hands_played <= 9 for table in event.sessions.get(number=4).tables.all())
    assert event.starts_on <= timezone.localdate(timezone=event.zone) <= event.ends_on
    assert [publication.after_session for publication in event.publications.order_by("version")] == [1, 2, 3]
    assert closing_check(event, list(event.sessions.filter(state="closed"))) == ()
    began, planned = event.sessions.get(number=4).started_at, timetable(event).of(4)
    assert began
    assert planned
    assert planned.starts_at
    assert timedelta() < began - planned.starts_at < timedelta(minutes=5)
    assert timetable(event).unplanned == ()
    assert [winner.kind for winner in winners_of(event)] == ["overall"] * 3 + ["newcomer"]
    times = list(event.log.order_by("seq").values_list("at", flat=True))
    assert times == sorted(times)
    assert times[-1] <= timezone.now()
    origin = draw_origin(event, seating_chart(event))
    assert origin
    assert origin.is_as_drawn
    assert re.fullmatch(r"\d+( · \d+){5}", origin.inputs.seed)


@pytest.mark.thorough
def test_each_role_has_a_login_that_works_and_writes_what_is_its_own(client: Client) -> None:
    """The umpire the hands, at every table; the organiser runs the sessions."""
    printed = demo(players=8, sessions=1)
    assert "Session 1 of 1 played." in printed
    tournament = Tournament.objects.get()
    actors = {(entry.action, entry.actor_name) for entry in tournament.log.select_related("actor")}
    assert ("hand_recorded", f"{UMPIRE.first_name} {UMPIRE.last_name}") in actors
    assert ("session_started", f"{ORGANISER.first_name} {ORGANISER.last_name}") in actors
    for login in LOGINS:
        assert f"{login.username:10} password {login.password}" in printed
        account = {"username": login.username, "password": login.password}
        assert client.post("/login/", account).status_code == 302
    membership = Membership.objects.get(role=Role.UMPIRE)
    assert (membership.sessions.count(), membership.tables.count()) == (0, 0)


def test_if_empty_keeps_an_existing_tournament() -> None:
    make_tournament(players=0)
    assert "There is a tournament already." in demo(if_empty=True)
    assert not Hand.objects.exists()


def test_impossible_options_are_reported_in_one_line() -> None:
    """Nor is an account of somebody else taken over."""
    make_user(ORGANISER.username)
    for options, line in (
        ({"players": 18}, "--players must be a multiple of four"),
        ({"players": 0}, "--players must be a multiple of four"),
        ({"players": 5000}, "--players must be a multiple of four, 8 to 4000."),
        ({"sessions": 0}, "--sessions must be at least 1"),
        ({"sessions": 2, "until": 3}, "--until one of the sessions"),
        ({"players": 8, "sessions": 1}, "somebody's who may not make tournaments"),
    ):
        with pytest.raises(CommandError, match=line):
            demo(**options)
    assert not Tournament.objects.exists()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("locale", "options", "titles"),
    [
        ("en_GB.UTF-8", {}, {"Check-in", "Lunch", "Dinner", "Prize-giving"}),
        ("zh_TW.UTF-8", {}, {"報到", "午餐", "晚宴", "頒獎典禮"}),
        ("C.UTF-8", {"language": "zh-hans"}, {"签到", "午餐", "晚宴", "颁奖仪式"}),
    ],
)
def test_the_timetable_is_in_the_language_of_the_shell_or_that_of_the_option(
    locale: str, options: dict[str, str], titles: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    demo(coming=True, **options)
    assert {item.title for item in Tournament.objects.get().timetable.filter(session=None)} == titles


@pytest.mark.thorough
def test_the_upcoming_tournament_has_a_waiting_list(client: Client) -> None:
    demo(coming=True)
    event = Tournament.objects.get()
    states = Counter(event.registrations.values_list("state", flat=True))
    assert states == {"accepted": 48, "waiting": 5, "cancelled": 2}
    assert 0 < event.dues.filter(payments__isnull=False).count() < event.dues.count()
    assert event.starts_on.isoweekday() == 6
    assert timetable(event).unplanned == ()
    days = {registration.made_at.date() for registration in event.registrations.all()}
    assert len(days) > 14
    payments = Payment.objects.values_list("due__registration__made_at", "on")
    assert all(timezone.localdate(made_at) < on <= timezone.localdate() for made_at, on in payments)
    for language in ("en", "zh-hans", "zh-hant"):
        headers = {"Accept-Language": language}
        assert client.get(f"/t/{event.slug}/register/", headers=headers).status_code == 200
