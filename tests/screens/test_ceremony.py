"""The ceremony on phones, in the hall and in the organiser's hand: what is told is everywhere, what is not nowhere."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.html import read, words
from tests.support.pages import missing, signed_in
from tournament.base.models.tournament import Tournament
from tournament.ranking.services import hide_results
from tournament.screens.models import Ceremony
from tournament.screens.services import start_ceremony, tell_next

EVERYWHERE = ("/t/spring-open/ceremony/", "/t/spring-open/ceremony/hall/")


@pytest.fixture
def over() -> Tournament:
    """Both sessions are closed, the second one's results hidden."""
    tournament = make_tournament(players=8, sessions=2, played=2)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return Tournament.objects.get()


@pytest.fixture
def olga(over: Tournament) -> Client:
    return signed_in(make_organiser(over))


def press(client: Client, button: str, **sent: Any) -> str:
    return words(read(client.post(f"/organiser/spring-open/ceremony/{button}", sent, follow=True)))


def steps_told(ceremony: Ceremony) -> Iterator[set[str]]:
    """Step by step: the names that have been told."""
    lines = [(line["rank"], line["name"]) for line in ceremony.lines]
    for rank in sorted({rank for rank, _name in lines}, reverse=True):
        ceremony = tell_next(ceremony, SYSTEM, seen=ceremony.told)
        yield {name for at, name in lines if at >= rank}


def test_nobody_is_in_the_page_before_being_called(client: Client, olga: Client, over: Tournament) -> None:
    """Staff see on these pages what everybody sees."""
    ceremony = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    names = {line["name"] for line in ceremony.lines}

    def shown() -> list[set[str]]:
        pages = [reader.get(url).text for url in EVERYWHERE for reader in (client, olga)]
        return [{name for name in names if name in page} for page in pages]

    assert shown() == [set()] * 4
    for told in steps_told(ceremony):
        assert shown() == [told] * 4


@pytest.mark.thorough
def test_the_page_is_there_before_during_and_after(client: Client, over: Tournament) -> None:
    def statuses(language: str) -> set[int]:
        return {client.get(url, headers={"Accept-Language": language}).status_code for url in EVERYWHERE}

    assert statuses("en") == {200}
    for kind, language in zip(Ceremony.Kind, ("en", "zh-hans", "zh-hant"), strict=True):
        list(steps_told(start_ceremony(over, SYSTEM, kind)))
        assert statuses(language) == {200}


def test_places_told_stay_until_their_kind_is_told_again(client: Client, over: Tournament) -> None:
    list(steps_told(start_ceremony(over, SYSTEM, Ceremony.Kind.TEAMS)))
    players = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    list(steps_told(players))
    page = words(read(client.get(EVERYWHERE[0])))
    assert "Team 1" in page
    again = start_ceremony(over, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    page = client.get(EVERYWHERE[0]).content.decode()
    assert "Team 1" in page
    assert not [line["name"] for line in again.lines if f"<b>{line['name']}" in page]


@pytest.mark.thorough
def test_the_organiser_begins_tells_goes_back_opens_and_ends(olga: Client, over: Tournament) -> None:
    page = press(olga, "", kind="players", first="3")
    ceremony = Ceremony.objects.get()
    last = max(line["rank"] for line in ceremony.lines)
    assert missing(page, "Next, for your eyes only", f"Show place {last}") == []
    assert "One step back" in press(olga, "tell/", seen=0)
    assert "One step back" not in press(olga, "back/", seen=1)
    list(steps_told(Ceremony.objects.get()))
    assert "Open the results and publish" in words(read(olga.get("/organiser/spring-open/ceremony/")))
    done = press(olga, "publish/")
    assert "Everybody sees all results, and the standings are published." in done
    assert not over.sessions.filter(hidden=True).exists()
    assert over.publications.get().is_final
    assert "Begin the ceremony" in press(olga, "end/")


@pytest.mark.thorough
def test_a_button_of_an_earlier_step_does_nothing(olga: Client, over: Tournament) -> None:
    press(olga, "", kind="players", first="0")
    press(olga, "tell/", seen=0)
    press(olga, "tell/", seen=0)
    for seen in ("", "x", "-1", "9999999"):
        response = olga.post("/organiser/spring-open/ceremony/tell/", {"seen": seen})
        assert response.status_code == 404, seen
    assert Ceremony.objects.get().told == 1


def test_what_is_no_choice_or_comes_too_early_is_refused(olga: Client, over: Tournament) -> None:
    assert olga.post("/organiser/spring-open/ceremony/", {"kind": "cats"}).status_code == 422
    playing = make_tournament(players=8, sessions=2, played=1, running=1, name="Autumn Open")
    olga.force_login(make_organiser(playing, "otto"))
    response = olga.post("/organiser/autumn-open/ceremony/", {"kind": "players", "first": "3"})
    assert response.status_code == 422
    assert not Ceremony.objects.exists()
