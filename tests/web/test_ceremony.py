"""The ceremony on phones, in the hall and in the organiser's hand: what is told is everywhere, what is not nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.support.factories import PASSWORD, SYSTEM, make_organiser, make_tournament
from tests.support.html import read, words
from tournament.models import Ceremony, Tournament
from tournament.services.ceremonies import start_ceremony, tell_next
from tournament.services.embargo import hide_results

pytestmark = pytest.mark.django_db

EVERYWHERE = ("/t/spring-open/ceremony/", "/t/spring-open/ceremony/hall/")


@pytest.fixture
def over() -> Tournament:
    """Both sessions are closed, the second one's results hidden."""
    tournament = make_tournament(players=8, sessions=2, played=2)
    make_organiser(tournament)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return Tournament.objects.get()


@pytest.fixture
def olga(over: Tournament) -> Client:
    client = Client()
    client.login(username="olga", password=PASSWORD)
    return client


def press(client: Client, button: str, **sent: Any) -> str:
    return words(read(client.post(f"/organiser/spring-open/ceremony/{button}", sent, follow=True)))


def steps_told(ceremony: Ceremony) -> Iterator[tuple[set[str], set[str]]]:
    """Step by step: the names that have been told, and those that have not."""
    lines = [(line["rank"], line["name"]) for line in ceremony.lines]
    for rank in sorted({rank for rank, _name in lines}, reverse=True):
        ceremony = tell_next(ceremony, SYSTEM, seen=ceremony.told)
        yield {n for at, n in lines if at >= rank}, {n for at, n in lines if at < rank}


@pytest.mark.parametrize("url", EVERYWHERE)
def test_nobody_is_in_the_page_before_being_called(url: str, client: Client, over: Tournament) -> None:
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS)
    page = client.get(url).content.decode()
    assert not [line["name"] for line in ceremony.lines if line["name"] in page]
    for told, waiting in steps_told(ceremony):
        page = client.get(url).content.decode()
        assert {name for name in told | waiting if name in page} == told


@pytest.mark.parametrize("url", EVERYWHERE)
@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
def test_the_page_is_there_before_during_and_after(
    url: str, language: str, client: Client, over: Tournament
) -> None:
    headers = {"Accept-Language": language}
    assert client.get(url, headers=headers).status_code == 200
    for kind in Ceremony.Kind:
        list(steps_told(start_ceremony(over, SYSTEM, kind)))
        assert client.get(url, headers=headers).status_code == 200


def test_what_an_earlier_one_told_stays_until_its_kind_is_told_again(
    client: Client, over: Tournament
) -> None:
    list(steps_told(start_ceremony(over, SYSTEM, Ceremony.Kind.TEAMS)))
    players = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    list(steps_told(players))
    page = words(read(client.get(EVERYWHERE[0])))
    assert "Team 1" in page
    again = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    page = client.get(EVERYWHERE[0]).content.decode()
    assert "Team 1" in page
    assert not [line["name"] for line in again.lines if f"<b>{line['name']}" in page]


def test_staff_see_on_these_pages_what_everybody_sees(olga: Client, over: Tournament) -> None:
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS)
    page = olga.get(EVERYWHERE[1]).content.decode()
    assert not [line["name"] for line in ceremony.lines if line["name"] in page]


def test_the_organiser_begins_tells_goes_back_opens_and_ends(olga: Client, over: Tournament) -> None:
    page = press(olga, "", kind="players", first="3")
    ceremony = Ceremony.objects.get()
    last = max(line["rank"] for line in ceremony.lines)
    assert "Next, for your eyes only" in page
    assert f"Show place {last}" in page
    assert "One step back" in press(olga, "tell/", seen=0)
    assert "One step back" not in press(olga, "back/", seen=1)
    list(steps_told(Ceremony.objects.get()))
    assert "Open the results and publish" in words(read(olga.get("/organiser/spring-open/ceremony/")))
    done = press(olga, "publish/")
    assert "Everybody sees all results, and the standings are published." in done
    assert not over.sessions.filter(hidden=True).exists()
    assert over.publications.get().is_final
    assert "Begin the ceremony" in press(olga, "end/")


def test_a_stale_button_of_a_second_phone_does_nothing(olga: Client, over: Tournament) -> None:
    press(olga, "", kind="players", first="0")
    press(olga, "tell/", seen=0)
    press(olga, "tell/", seen=0)
    assert Ceremony.objects.get().told == 1


@pytest.mark.parametrize("seen", ["", "x", "-1", "9999999"])
def test_a_button_without_its_number_is_nothing(seen: str, olga: Client, over: Tournament) -> None:
    press(olga, "", kind="players", first="3")
    assert olga.post("/organiser/spring-open/ceremony/tell/", {"seen": seen}).status_code == 404


def test_while_a_session_is_played_it_says_why_not(over: Tournament) -> None:
    playing = make_tournament(players=8, sessions=2, played=1, running=1, name="Autumn Open")
    make_organiser(playing, "otto")
    client = Client()
    client.login(username="otto", password=PASSWORD)
    answer = client.post("/organiser/autumn-open/ceremony/", {"kind": "players", "first": "3"})
    assert answer.status_code == 422
    assert not Ceremony.objects.exists()


def test_what_is_no_choice_is_refused_at_its_place(olga: Client, over: Tournament) -> None:
    assert olga.post("/organiser/spring-open/ceremony/", {"kind": "cats"}).status_code == 422
