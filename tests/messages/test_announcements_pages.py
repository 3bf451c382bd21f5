"""Announcements on pages: the band, the organiser's page, the desk, the API."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tests.support.factories import SYSTEM, make_organiser, make_umpire
from tests.support.html import element, read, words
from tests.support.programs import client_of
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce, cancel_announcement

API = "/api/v1/tournaments/spring-open/announcements/"
EVENT_WITH = {"running": 1}


def say(event: Tournament, text: str = "Lunch at 12:30", **more: Any) -> Announcement:
    return announce(Announcement(tournament=event, text=text, **more), SYSTEM)


def band(client: Client, address: str, **headers: Any) -> str:
    """What the band of a page says."""
    page = read(client.get(address, **headers))
    return words(element(page, "div", class_="announcements"))


def pages(event: Tournament) -> list[str]:
    where: dict[str, tuple[int, ...]] = {"tournament": (), "ranking": (), "session_page": (1,)}
    where |= {"table_page": (1, 2), "player_page": (1,)}
    return [reverse(name, args=[event.slug, *parts]) for name, parts in where.items()]


@pytest.mark.thorough
def test_public_pages_show_an_announcement_until_it_is_withdrawn(client: Client, event: Tournament) -> None:
    ranking = reverse("ranking", args=[event.slug])
    tag = client.get(ranking)["ETag"]
    lunch = say(event)
    assert client.get(ranking, HTTP_IF_NONE_MATCH=tag).status_code == 200, "not the page kept by the browser"
    assert ["Lunch at 12:30" in band(client, page) for page in pages(event)] == [True] * 5
    cancel_announcement(lunch, SYSTEM)
    assert {band(client, page) for page in pages(event)} == {""}


@pytest.mark.thorough
def test_an_announcement_to_a_table_is_shown_there_to_its_players_and_at_its_desk(
    client: Client, event: Tournament
) -> None:
    say(event, "Please wait", tables=[2])
    seated = event.sessions.get(number=1).tables.get(number=2).seats.first()
    assert seated is not None
    number = seated.player.number
    bands = {page: band(client, page) for page in pages(event)}
    table = bands.pop(reverse("table_page", args=[event.slug, 1, 2]))
    assert table.startswith("Table 2 Please wait")
    assert set(bands.values()) <= {"", table}
    page = read(client.get(reverse("player_page", args=[event.slug, number])))
    announced = element(page, "div", class_="announcements")
    assert "Please wait" in words(announced)
    part = reverse("announcements", args=[event.slug])
    assert dict(announced.attributes)["data-refresh"] == f"{part}?player={number}"
    queries = ("", "?session=1&table=2", "?session=1&table=3", f"?player={number}", "?session=x&table=-1")
    heard = ["Please wait" in client.get(part + query).text for query in queries]
    assert heard == [False, True, False, True, False], "the band by itself is that of the page"
    client.force_login(make_umpire(event))
    desks = [client.get(reverse("api_desk", args=[event.slug, 1, n])).json()["state"] for n in (1, 2)]
    assert [[each["text"] for each in desk["announcements"]] for desk in desks] == [[], ["Please wait"]]
    assert "Please wait" in client.get(reverse("umpire_tables", args=[event.slug])).text


def test_readers_get_the_text_in_their_language(client: Client, event: Tournament) -> None:
    say(event, translations={"zh-hans": "12:30 午餐"})
    address = reverse("ranking", args=[event.slug])
    assert "12:30 午餐" in band(client, address, HTTP_ACCEPT_LANGUAGE="zh-hans")
    text = client.get(address, HTTP_ACCEPT_LANGUAGE="zh-hans").text
    assert re.search(r'lang="zh-hans">\s*12:30 午餐', text)
    assert "Lunch at 12:30" in band(client, address, HTTP_ACCEPT_LANGUAGE="zh-hant")


def test_an_organiser_announces_and_withdraws(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    address = reverse("organiser_hall", args=[event.slug])
    texts = {"text": "Lunch", "tables": "", "minutes": "30", "uuid": str(uuid4()), "zh-hans": "午餐"}
    body = {f"announcement-{name}": value for name, value in texts.items()}
    wrong = client.post(address, body | {"announcement-text": "", "announcement-tables": "1-x"})
    assert wrong.status_code == 422
    assert "There is no table" not in wrong.text, "a form not understood asks the service nothing"
    assert "“1-x” is not a list of tables" in wrong.text
    assert "There is no table 9." in client.post(address, body | {"announcement-tables": "1, 9"}).text
    for _twice in range(2):
        assert (
            "The announcement is now visible to its audience." in client.post(address, body, follow=True).text
        )
    lunch = Announcement.objects.get()
    assert (lunch.text, lunch.translations) == ("Lunch", {"zh-hans": "午餐"})
    assert lunch.ends_at is not None
    gone = client.post(reverse("organiser_announcement_cancel", args=[event.slug, lunch.uuid]), follow=True)
    assert "Withdrawn." in gone.text
    assert Announcement.objects.get().is_cancelled


def test_the_api_announces_lists_and_withdraws(event: Tournament) -> None:
    organiser, uuid = client_of(make_organiser(event)), str(uuid4())
    response = organiser.post(API, {"uuid": uuid, "text": "Lunch", "tables": [1]}, format="json")
    assert (response.status_code, response.json()["session"]) == (201, 1)
    refused = organiser.post(API, {"uuid": str(uuid4()), "text": ""}, format="json")
    assert [each["where"] for each in refused.json()["problems"]] == ["text"]
    listed = APIClient().get(API).json()
    assert [(each["uuid"], each["tables"]) for each in listed] == [(uuid, [1])]
    assert client_of(make_umpire(event)).delete(f"{API}{uuid}/").status_code == 403
    assert organiser.delete(f"{API}{uuid}/").json()["cancelled_at"]
    assert organiser.delete(f"{API}{uuid4()}/").status_code == 404
    assert APIClient().get(API).json() == []
