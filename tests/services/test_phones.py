"""Phones that want to be told: kept privately, few a player, and no longer than the tournament."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.support.factories import SYSTEM, WEEKEND, make_tournament, play_session
from tests.support.push_service import Browser
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import Phone, Player, Session, Tournament
from tournament.push import phones
from tournament.push.phones import Subscription, forget_phones, stop_telling, tell_phone

pytestmark = [pytest.mark.django_db, pytest.mark.stored]
VISITOR = Actor.of(None)


def browser(name: str = "a") -> Subscription:
    return Browser("https://push.example.org", name).subscription


def ask(player: Player, wanted: Subscription, language: str = "en") -> Phone:
    return tell_phone(player, VISITOR, wanted, language=language, site="hule.example.org")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A clock that is set: now(days) from the noon of the first day."""
    start = datetime.combine(WEEKEND[0], time(12), UTC)

    def set_to(days: float) -> None:
        monkeypatch.setattr(timezone, "now", lambda: start + timedelta(days=days))

    set_to(0)
    return set_to


@pytest.fixture
def tournament(now: Any) -> Tournament:
    return make_tournament(days=WEEKEND)


def player(tournament: Tournament, number: int = 1) -> Player:
    return tournament.players.get(number=number)


def refusal(player: Player, wanted: Subscription) -> str:
    with pytest.raises(Refused) as refused:
        ask(player, wanted)
    return refused.value.problems[0].code


def test_the_same_subscription_again_is_the_same_phone_in_its_new_language(tournament: Tournament) -> None:
    phone = ask(player(tournament), browser())
    assert ask(player(tournament), browser(), "zh-hans") == phone
    assert (phone.player, Phone.objects.get().language) == (player(tournament), "zh-hans")
    before = tournament.version
    tournament.refresh_from_db()
    assert tournament.version == before == tournament.log.count(), "without a trace in the log"


def test_a_player_has_so_many_phones_and_stops_one_of_them(tournament: Tournament) -> None:
    subscriptions = [browser(str(number)) for number in range(phones.MOST)]
    for subscription in [*subscriptions, subscriptions[0]]:
        ask(player(tournament), subscription)
    assert refusal(player(tournament), browser("more")) == "phones_too_many"
    ask(player(tournament, 2), browser("more"))
    stop_telling([subscriptions[0].endpoint, "https://push.example.org/nobody"])
    left = set(player(tournament).phones.values_list("endpoint", flat=True))
    assert left == {subscription.endpoint for subscription in subscriptions[1:]}
    assert Phone.objects.count() == phones.MOST


def test_a_service_that_cannot_be_is_refused(tournament: Tournament) -> None:
    """Which places are push services: tests/push/test_places.py."""
    real = browser()
    wrong = [Subscription(real.endpoint, "x", real.secret)]
    for endpoint in (
        "http://push.example.org/a",
        "https://10.0.0.1/a",
        "https://push.example.org/" + "a" * 600,
    ):
        wrong.append(Subscription(endpoint, real.key, real.secret))
    codes = {refusal(player(tournament), subscription) for subscription in wrong}
    assert codes == {"phone_unknown_service"}


def test_strangers_hear_nothing_of_a_private_tournament() -> None:
    hidden = make_tournament(public=False)
    with pytest.raises(Forbidden):
        ask(player(hidden), browser())
    tell_phone(player(hidden), SYSTEM, browser(), language="en", site="x")


def test_a_week_after_the_last_session_all_of_this_tournament_are_forgotten(
    tournament: Tournament, now: Any
) -> None:
    ask(player(tournament), browser())
    for session in tournament.sessions.all():
        play_session(session, 1)
    other = make_tournament(name="Autumn Open", days=(WEEKEND[0], WEEKEND[1] + timedelta(days=16)))
    elsewhere = ask(player(other), browser("elsewhere"))
    now(6.9)
    assert forget_phones() == 0
    now(7.1)
    assert refusal(player(tournament), browser("late")) == "phone_too_late"
    assert forget_phones() == 1
    assert Phone.objects.get() == elsewhere


def test_while_sessions_are_left_to_play_nobody_is_forgotten(tournament: Tournament, now: Any) -> None:
    ask(player(tournament), browser())
    play_session(tournament.sessions.get(number=1), 1)
    now(6.9)
    assert forget_phones() == 0
    Session.objects.filter(number=2).update(state=Session.State.RUNNING)
    now(100)
    assert forget_phones() == 0


def test_one_that_was_never_played_is_over_a_week_after_its_days(tournament: Tournament, now: Any) -> None:
    ask(player(tournament), browser())
    now(8)
    assert forget_phones() == 0
    now(9)
    assert forget_phones() == 1
