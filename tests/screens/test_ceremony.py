"""A ceremony on public pages, on the hall's screen, on the organiser's page and by REST."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, end_appeals, make_organiser, make_tournament
from tests.support.html import read, words
from tests.support.pages import missing, signed_in
from tests.support.programs import Program, codes_of, refusal
from tournament.base.models.tournament import Tournament
from tournament.fouls.services.appeals import open_appeal
from tournament.ranking.services import hide_results
from tournament.screens.models import Ceremony
from tournament.screens.services import announce_next_place, start_ceremony

EVERYWHERE = ("/t/spring-open/ceremony/", "/t/spring-open/ceremony/hall/")

PATH = "ceremony/"
EVENT_WITH = {"players": 8, "sessions": 2, "played": 2}
"""Eight players, both sessions closed."""


@pytest.fixture
def closed_event() -> Tournament:
    """Return an event with two closed sessions, the second one hidden."""
    tournament = make_tournament(players=8, sessions=2, played=2)
    hide_results(tournament.sessions.get(number=2), SYSTEM)
    return Tournament.objects.get()


@pytest.fixture
def olga(closed_event: Tournament) -> Client:
    return signed_in(make_organiser(closed_event))


def press_button(client: Client, button: str, **data: Any) -> str:
    return words(read(client.post(f"/organiser/spring-open/ceremony/{button}", data, follow=True)))


def begin_ceremony(olga: Client, first: int) -> str:
    data = {"kind": "players", "first": str(first)}
    return words(read(olga.post("/organiser/spring-open/results/", data, follow=True)))


def announce_all(ceremony: Ceremony) -> Iterator[set[str]]:
    """Announce place by place, and yield the names announced so far."""
    lines = [(line["rank"], line["name"]) for line in ceremony.lines]
    for rank in sorted({rank for rank, _name in lines}, reverse=True):
        ceremony = announce_next_place(ceremony, SYSTEM, seen=ceremony.announced_steps)
        yield {name for at, name in lines if at >= rank}


def test_names_appear_only_when_they_are_announced(
    client: Client, olga: Client, closed_event: Tournament
) -> None:
    """Also for staff on the public pages."""
    ceremony = start_ceremony(closed_event, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    names = {line["name"] for line in ceremony.lines}

    def shown() -> list[set[str]]:
        pages = [reader.get(url).text for url in EVERYWHERE for reader in (client, olga)]
        return [{name for name in names if name in page} for page in pages]

    assert shown() == [set()] * 4
    for announced in announce_all(ceremony):
        assert shown() == [announced] * 4


@pytest.mark.thorough
def test_the_pages_work_before_during_and_after_a_ceremony(client: Client, closed_event: Tournament) -> None:
    def statuses(language: str) -> set[int]:
        return {client.get(url, headers={"Accept-Language": language}).status_code for url in EVERYWHERE}

    assert statuses("en") == {200}
    for kind, language in zip(Ceremony.Kind, ("en", "zh-hans", "zh-hant"), strict=True):
        list(announce_all(start_ceremony(closed_event, SYSTEM, kind)))
        assert statuses(language) == {200}


def test_announced_places_stay_until_the_next_ceremony_of_their_kind(
    client: Client, closed_event: Tournament
) -> None:
    list(announce_all(start_ceremony(closed_event, SYSTEM, Ceremony.Kind.TEAMS)))
    players = start_ceremony(closed_event, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    list(announce_all(players))
    page = words(read(client.get(EVERYWHERE[0])))
    assert "Team 1" in page
    again = start_ceremony(closed_event, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    page = client.get(EVERYWHERE[0]).content.decode()
    assert "Team 1" in page
    assert not [line["name"] for line in again.lines if f"<b>{line['name']}" in page]


@pytest.mark.thorough
def test_the_organiser_starts_announces_goes_back_publishes_and_ends(
    olga: Client, closed_event: Tournament
) -> None:
    page = begin_ceremony(olga, first=3)
    ceremony = Ceremony.objects.get()
    last = max(line["rank"] for line in ceremony.lines)
    assert missing(page, "Next (only you see this)", f"Show place {last}") == []
    assert "publish" not in page.lower()
    assert "One step back" in press_button(olga, "announce/", seen=0)
    assert "One step back" not in press_button(olga, "undo/", seen=1)
    list(announce_all(Ceremony.objects.get()))
    assert "Reveal the results and publish" in words(read(olga.get("/organiser/spring-open/results/")))
    done = press_button(olga, "publish/")
    assert "Everybody sees all results, and the standings are published." in done
    assert not closed_event.sessions.filter(hidden=True).exists()
    assert closed_event.publications.get().is_final
    assert "Begin the ceremony" in press_button(olga, "end/")


@pytest.mark.thorough
def test_a_button_of_an_earlier_step_does_nothing(olga: Client, closed_event: Tournament) -> None:
    begin_ceremony(olga, first=0)
    press_button(olga, "announce/", seen=0)
    press_button(olga, "announce/", seen=0)
    for seen in ("", "x", "-1", "9999999"):
        response = olga.post("/organiser/spring-open/ceremony/announce/", {"seen": seen})
        assert response.status_code == 404, seen
    assert Ceremony.objects.get().announced_steps == 1


def test_an_unknown_kind_and_a_running_session_are_refused(olga: Client, closed_event: Tournament) -> None:
    assert olga.post("/organiser/spring-open/results/", {"kind": "cats"}).status_code == 422
    playing = make_tournament(players=8, sessions=2, played=1, running=1, name="Autumn Open")
    olga.force_login(make_organiser(playing, "otto"))
    response = olga.post("/organiser/autumn-open/results/", {"kind": "players", "first": "3"})
    assert response.status_code == 422
    assert not Ceremony.objects.exists()


def start(organiser_client: Program, base_url: str, **body: Any) -> Any:
    return organiser_client.post(base_url, {"kind": "players", "first": 3} | body)


def announce(organiser_client: Program, base_url: str, seen: Any) -> Any:
    return organiser_client.post(base_url + "places/", {"seen": seen})


@pytest.mark.thorough
def test_every_place_is_announced_once_and_public(
    organiser_client: Program, umpire_client: Program, base_url: str
) -> None:
    """Only organisers see the next place. A step can be taken back; announced places stay after the end."""
    script = start(organiser_client, base_url).json()["script"]
    for client in (Program(), umpire_client):
        seen = client.get(base_url).json()
        assert (seen["script"], seen["kinds"], seen["stage"]["places"]) == (None, None, [])
    own = organiser_client.get(base_url).json()
    assert (own["kinds"], own["script"]["left"]) == (["players", "teams", "nations"], 3)
    assert [
        announce(organiser_client, base_url, 0).json()["script"]["announced_steps"] for _again in range(2)
    ] == [1, 1]
    back = organiser_client.delete(base_url + "places/", {"seen": 1}).json()
    assert (back["script"]["announced_steps"], back["stage"]["places"]) == (0, [])
    while script["next"]:
        answer = announce(organiser_client, base_url, script["announced_steps"]).json()
        assert answer["stage"]["places"][0] == script["next"]
        script = answer["script"]
    stage = Program().get(base_url).json()["stage"]
    assert (stage["places"][0][0]["rank"], stage["complete"]) == (1, True)
    for _again in range(2):
        ended = organiser_client.delete(base_url).json()
        assert (ended["stage"], ended["before"][0]["places"]) == (None, stage["places"])
    assert refusal(announce(organiser_client, base_url, 1)) == (422, ["ceremony_over"])


def test_results_are_opened_and_published_in_one_request(
    event: Tournament, organiser_client: Program, base_url: str
) -> None:
    hide_results(event.sessions.get(number=2), SYSTEM)
    end_appeals(event)
    published = organiser_client.post(base_url + "publish/").json()
    assert (published["after_session"], len(published["rows"])) == (2, 8)
    assert not event.sessions.filter(hidden=True).exists()


def test_invalid_ceremonies_and_steps_are_refused(organiser_client: Program, base_url: str) -> None:
    assert announce(organiser_client, base_url, 0).status_code == 404
    assert organiser_client.delete(base_url).status_code == 404
    for wrong in ({"kind": "dogs"}, {"kind": ["players"]}, {"first": 0}, {"first": True}, {"first": "3"}):
        assert start(organiser_client, base_url, **wrong).status_code == 400, wrong
    assert not Ceremony.objects.exists()
    start(organiser_client, base_url)
    for seen in (None, -1, 10**30, "1"):
        assert announce(organiser_client, base_url, seen).status_code == 400, seen


def test_hidden_results_are_opened_by_session_then_all_with_a_reason(
    organiser_client: Program, event: Tournament, event_url: str
) -> None:
    """A reason is needed while an appeal is open."""
    for session in event.sessions.select_related("tournament"):
        hide_results(session, SYSTEM)
    results = event_url + "results/open/"
    for sessions in ([10**30], ["x"], 1):
        assert organiser_client.post(results, {"sessions": sessions}).status_code == 400, sessions
    assert event.sessions.filter(hidden=True).count() == 2
    assert organiser_client.post(results, {"sessions": [2, 99]}).json() == {"sessions": [2]}
    table = event.sessions.get(number=1).tables.get(number=1)
    player = table.seats.earliest("id").player.number
    open_appeal(table, SYSTEM, player, "Hand 1 was not won.", uuid=uuid4())
    answer = organiser_client.post(results)
    assert (answer.status_code, len(codes_of(answer))) == (409, 1)
    assert organiser_client.post(results, {"reason": "it is ruled tonight"}).json() == {"sessions": [1]}
    assert not event.sessions.filter(hidden=True).exists()
    assert organiser_client.post(results).json() == {"sessions": []}
