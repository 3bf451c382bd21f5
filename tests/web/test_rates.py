"""How often programs may ask, and that a hall of people at desks is never counted."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from tests.house.event import client_for
from tests.support.factories import make_user
from tests.support.programs import ROOT
from tournament.accounts.services import make_token
from tournament.base.models.tournament import Tournament


@pytest.fixture
def event(running_event: Tournament) -> Tournament:
    return running_event


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three a minute by a token, two by strangers, at the beginning of a minute."""
    rates = {"token": "3/min", "address": "2/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    monkeypatch.setattr(SimpleRateThrottle, "timer", lambda _self: 600.0)


@pytest.fixture
def olga() -> User:
    return make_user("olga")


def program(user: User, base_url: str = "192.0.2.1") -> Client:
    return Client(REMOTE_ADDR=base_url, headers={"Authorization": f"Bearer {make_token(user)[1]}"})


def answers(client: Client, times: int) -> list[int]:
    return [client.get(ROOT).status_code for _again in range(times)]


def test_a_token_has_its_own_quota_wherever_it_is_shown(olga: User) -> None:
    assert answers(program(olga), 4) == [200, 200, 200, 429]
    other = program(olga).get(ROOT)
    assert (other.status_code, other["RateLimit-Policy"]) == (200, '"token";q=3;w=60')
    assert other["RateLimit"] == '"token";r=2;t=60'


def test_requests_without_a_token_share_the_quota_of_their_address() -> None:
    """Whose token is none is a stranger."""
    assert answers(Client(REMOTE_ADDR="192.0.2.7"), 3) == [200, 200, 429]
    assert answers(Client(REMOTE_ADDR="192.0.2.8"), 1) == [200]
    unknown = Client(headers={"Authorization": "Bearer nobody-s"})
    assert answers(unknown, 3) == [401, 401, 429]


def test_whoever_is_signed_in_in_a_browser_is_not_counted(olga: User) -> None:
    desk = client_for(olga)
    assert answers(desk, 10) == [200] * 10
    assert "RateLimit" not in desk.get(ROOT).headers


def test_a_limited_request_gets_retry_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "timer", lambda _self: 618.5)
    stranger = Client()
    answers(stranger, 2)
    refused = stranger.get(ROOT)
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert (refused["Retry-After"], refused["RateLimit"]) == ("42", '"address";r=0;t=42')
    assert refused.json()["problems"][0]["code"] == "requests_too_many"


def test_no_rates_mean_no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"token": None, "address": None})
    assert answers(Client(), 5) == [200] * 5
