"""Overlays for streams: what each shows, that it stays after the end, and that it tells what everybody may know."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.html import element, elements, read, words
from tournament.models import Tournament
from tournament.services.embargo import hide_results
from tournament.services.sessions import close_session
from tournament.services.tables import hand_in


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, running=3)


def overlay(client: Client, kind: str, *place: int) -> str:
    page = client.get(reverse(f"overlay_{kind}", args=["spring-open", *place]))
    return words(element(read(page), "main"))


def test_a_table_has_four_seats_whose_scores_sum_to_nothing(client: Client, event: Tournament) -> None:
    page = client.get(reverse("overlay_table", args=[event.slug, 1]))
    seats = list(elements(element(read(page), "ul", class_="over-seats"), "li"))
    scores = [int(words(seat).split()[-1].replace("−", "-")) for seat in seats]
    assert (len(seats), sum(scores), any(scores)) == (4, 0, True)


def test_the_last_hand_won_is_shown_with_what_it_counts(client: Client, event: Tournament) -> None:
    table = event.sessions.get().tables.get(number=1)
    hand = table.hands.filter(is_current=True, winner__isnull=False).latest("number")
    assert hand.winner is not None
    shown = overlay(client, "hand", 1)
    assert shown.startswith(hand.winner.name)
    assert f"{hand.points} points" in shown


def test_before_a_hand_is_won_there_is_nothing_over_the_picture(client: Client) -> None:
    make_tournament(players=8, sessions=1, running=0)
    assert overlay(client, "hand", 1) == ""


def test_it_stays_when_the_session_is_over(client: Client, event: Tournament) -> None:
    before = overlay(client, "hand", 1)
    session = event.sessions.get()
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM, reason="three hands are enough")
    assert overlay(client, "hand", 1) == before
    assert "Session 1" in overlay(client, "table", 1)
    assert "of 8" in overlay(client, "player", 1)
    assert "Session 1" in overlay(client, "clock")


def test_a_hidden_session_is_told_not_even_to_an_organiser(client: Client, event: Tournament) -> None:
    hide_results(event.sessions.get(), SYSTEM)
    client.force_login(make_organiser(event))
    assert overlay(client, "hand", 1) == ""
    page = client.get(reverse("overlay_table", args=[event.slug, 1]))
    assert list(elements(read(page), "b", class_="num")) == []


def test_its_size_stands_in_its_address(client: Client, event: Tournament) -> None:
    for query, size in (("", "m"), ("?size=xl", "xl"), ("?size=40em;x", "m")):
        page = read(client.get(reverse("overlay_clock", args=[event.slug]) + query))
        assert element(page, "main", class_=f"overlay-{size}"), query


def test_what_is_not_there_is_not_found(client: Client, event: Tournament) -> None:
    for place in ("table/9", "hand/9", "player/99", f"table/{10**30}"):
        assert client.get(f"/t/{event.slug}/overlay/{place}/").status_code == 404, place


def test_the_page_of_overlays_has_every_address_whole(client: Client, event: Tournament) -> None:
    page = client.get(reverse("overlays", args=[event.slug])).text
    for path in ("clock/", "table/1/", "table/2/", "hand/2/", "player/8/"):
        assert f"http://testserver/t/{event.slug}/overlay/{path}" in page
