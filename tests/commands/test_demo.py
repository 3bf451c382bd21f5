"""`manage.py demo`: a real evening, or a believable tournament of any size, with a login per role."""

from collections import Counter
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from tests.support.factories import make_tournament, make_user
from tournament.base.access import Audience
from tournament.base.models.play import Hand
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.demo.trials import LOGINS, ORGANISER, UMPIRE
from tournament.ranking.selectors.standings import current_standings

pytestmark = pytest.mark.django_db


def demo(**options: Any) -> str:
    out = StringIO()
    call_command("demo", stdout=out, **options)
    return out.getvalue()


@pytest.mark.thorough
def test_the_evening_is_in_the_middle_of_its_fourth_session() -> None:
    demo(evening=True)
    tournament = Tournament.objects.get()
    assert [session.state for session in tournament.sessions.all()] == ["closed"] * 3 + ["running", "planned"]
    tables = tournament.sessions.get(number=4).tables.all()
    assert [table.hands_played for table in tables] == [4, 6, 7, 4]
    days = (tournament.ends_on - tournament.starts_on).days
    assert (tournament.starts_on, days) == (timezone.localdate(), 1)


@pytest.mark.thorough
def test_each_role_has_a_login_that_works_and_writes_what_is_its_own(client: Client) -> None:
    """The umpire the hands, at every table; the organiser runs the sessions."""
    printed = demo(players=8, sessions=1)
    tournament = Tournament.objects.get()
    actors = {(entry.action, entry.actor_name) for entry in tournament.log.select_related("actor")}
    assert ("hand_recorded", UMPIRE.first_name) in actors
    assert ("session_started", ORGANISER.first_name) in actors
    for login in LOGINS:
        assert f"{login.username:10} password {login.password}" in printed
        account = {"username": login.username, "password": login.password}
        assert client.post("/login/", account).status_code == 302
    membership = Membership.objects.get(role=Role.UMPIRE)
    assert (membership.sessions.count(), membership.tables.count()) == (0, 0)


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_standings() -> None:
    demo(players=8, sessions=1, seed="again")
    demo(players=8, sessions=1, seed="again")
    first, second = (current_standings(event, Audience.STAFF).rows for event in Tournament.objects.all())
    assert first == second


@pytest.mark.thorough
def test_the_demo_stops_in_the_middle_of_the_requested_session() -> None:
    demo(players=8, sessions=3, until=2)
    tournament = Tournament.objects.get()
    assert [session.state for session in tournament.sessions.all()] == ["closed", "running", "planned"]
    assert all(2 <= table.hands_played <= 8 for table in tournament.sessions.get(number=2).tables.all())


@pytest.mark.thorough
def test_the_demo_reports_progress() -> None:
    assert "Session 1 of 2 played.\nSession 2 of 2 played." in demo(players=8, sessions=2)


def test_if_empty_keeps_an_existing_tournament() -> None:
    make_tournament(players=0)
    assert "There is a tournament already." in demo(evening=True, if_empty=True)
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
def test_the_upcoming_tournament_has_a_waiting_list(client: Client) -> None:
    demo(coming=True)
    event = Tournament.objects.get()
    states = Counter(event.registrations.values_list("state", flat=True))
    assert states == {"accepted": 48, "waiting": 5, "cancelled": 2}
    assert 0 < event.dues.filter(payments__isnull=False).count() < event.dues.count()
    for language in ("en", "zh-hans", "zh-hant"):
        headers = {"Accept-Language": language}
        assert client.get(f"/t/{event.slug}/register/", headers=headers).status_code == 200
