"""What now: the bar on every page of an organiser, and the one filled button for its step."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import SYSTEM, make_organiser, make_tournament, play_hands
from tournament.models import Membership, Role, Table, Tournament
from tournament.services.calls import raise_call

pytestmark = pytest.mark.django_db
PAGES = ("board", "players", "draw", "timetable", "umpires", "log", "documents", "settings", "screens")
BAR = '<section class="next-step'


def signed_in(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


def page(client: Client, tournament: Tournament, name: str = "board") -> str:
    return client.get(reverse(f"organiser_{name}", args=[tournament.slug])).text


def bar(text: str) -> str:
    return text.split(BAR)[1].split("</section>")[0]


@pytest.mark.parametrize("name", PAGES)
def test_every_page_of_an_organiser_has_the_bar_once(name: str, client: Client) -> None:
    tournament = make_tournament(players=8)
    text = page(signed_in(client, tournament), tournament, name)
    assert text.count(BAR) == 1
    assert "Start session 1" in bar(text)


@pytest.mark.parametrize("name", PAGES[:3])
@pytest.mark.parametrize(
    "made",
    [
        {"players": 0},
        {"players": 6, "drawn": False},
        {"players": 8, "drawn": False},
        {"players": 8},
        {"played": 1},
    ],
)
def test_board_players_and_draw_have_one_filled_button(
    made: dict[str, Any], name: str, client: Client
) -> None:
    tournament = make_tournament(**made)
    assert page(signed_in(client, tournament), tournament, name).count("btn primary") == 1


def test_where_the_step_is_done_the_page_has_the_button_and_the_bar_none(client: Client) -> None:
    tournament = make_tournament(players=8, drawn=False)
    signed_in(client, tournament)
    assert "btn primary" not in bar(page(client, tournament, "draw"))
    assert "btn primary" in bar(page(client, tournament, "players"))


def test_with_nothing_to_do_no_button_is_filled(client: Client) -> None:
    tournament = make_tournament(running=1)
    text = page(signed_in(client, tournament), tournament)
    assert "btn primary" not in text
    assert "Session 1 is being played; 4 of 4 tables are not in yet." in bar(text)


def test_the_first_link_of_the_page_leads_to_the_button(client: Client) -> None:
    tournament = make_tournament(players=8)
    text = page(signed_in(client, tournament), tournament)
    first = text.split("<a ")[1].split("</a>")[0]
    assert 'href="#next-step-go"' in first
    assert 'id="next-step-go"' in bar(text)


def test_the_bar_is_redrawn_with_the_board_and_read_out(client: Client) -> None:
    tournament = make_tournament(running=1)
    text = page(signed_in(client, tournament), tournament)
    assert text.index("data-refresh=") < text.index(BAR)
    assert 'role="status"' in bar(text)
    raise_call(Table.objects.get(session__number=1, number=3), SYSTEM, "score")
    assert "Table 3 waits for an umpire." in bar(page(client, tournament))


def test_my_tournaments_say_what_is_next_in_each(client: Client) -> None:
    first = make_tournament(players=8, drawn=False)
    olga = make_organiser(first)
    other = make_tournament(name="Autumn Open", running=1)
    Membership.objects.create(tournament=other, user=olga, role=Role.ORGANISER)
    client.force_login(olga)
    text = client.get(reverse("organiser_home")).text
    assert "Draw the seats" in text
    assert "Session 1 is being played; 4 of 4 tables are not in yet." in text


def test_the_board_after_a_hand_asks_no_more_than_before_there_was_a_bar(client: Client) -> None:
    tournament = make_tournament(running=1)
    signed_in(client, tournament)
    page(client, tournament)
    play_hands(Table.objects.get(session__number=1, number=1))
    with CaptureQueriesContext(connection) as asked:
        page(client, tournament)
    assert len(asked) <= 40, "so many it asked before"
