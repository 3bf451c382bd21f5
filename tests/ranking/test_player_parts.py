"""The parts of a player's page that phones load again: each what the page shows, and never of an older state."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_tournament, record, win
from tests.support.html import attribute, element, elements, read, words
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.seating.services.seatings import swap_players


@pytest.fixture
def spring() -> Tournament:
    return make_tournament(players=8, sessions=3, played=1, running=1)


CACHED = ("player_live", "player_hands")


def part(client: Client, tournament: Tournament, name: str, number: int = 1) -> str:
    arguments = [tournament.slug] if name == "ranks" else [tournament.slug, number]
    answer = client.get(reverse(name, args=arguments))
    assert answer.status_code == 200
    return answer.content.decode()


def own_table(tournament: Tournament, number: int) -> Table:
    return Table.objects.get(
        session__tournament=tournament, session__state=Session.State.RUNNING, seats__player__number=number
    )


def test_the_part_that_follows_play_shows_what_the_page_shows(client: Client, spring: Tournament) -> None:
    record(own_table(spring, 1), win(1))
    page, live = (
        read(client.get(reverse(name, args=[spring.slug, 1]))) for name in ("player_page", "player_live")
    )
    for result in elements(live, "li", class_="linked"):
        name = attribute(result, "id")
        assert words(result) == words(element(page, "li", id=name))
    needs, whole = (words(element(tree, "section", id="needs")) for tree in (live, page))
    assert needs.startswith("What you need, table 1 now You lead the table.")
    assert whole.startswith("What you need, table 1 now You lead the table. Overall rank")
    assert "Statistics" in words(element(page, "div", id="hands"))
    assert words(element(live, "div", id="hands")) == "", "the figures of hands are a part of their own"


def test_a_page_names_the_tables_that_concern_it(client: Client, spring: Tournament) -> None:
    match = re.search('data-places="([^"]*)"', part(client, spring, "player_live"))
    assert match
    seats = Table.objects.filter(session__tournament=spring, seats__player__number=1)
    expected = list(seats.order_by("session__number").values_list("session__number", "number"))
    assert match[1] == " ".join(f"{session}/{table}" for session, table in expected)


def test_a_hand_changes_the_players_of_its_table(client: Client, spring: Tournament) -> None:
    table = own_table(spring, 1)
    before = part(client, spring, "player_live")
    record(table, win(1))
    assert part(client, spring, "player_live") != before


def test_a_hand_at_another_table_changes_only_the_rank(client: Client, spring: Tournament) -> None:
    """The other parts are cached through changes elsewhere, so they may show nothing that follows from them."""
    record(own_table(spring, 1), win(1))
    others = Table.objects.filter(session__tournament=spring, session__state=Session.State.RUNNING)
    elsewhere = others.exclude(pk=own_table(spring, 1).pk).get()
    winner = elsewhere.seats.select_related("player").latest("player__number").player.number
    before, ranks = [part(client, spring, name) for name in CACHED], part(client, spring, "ranks")
    record(elsewhere, win(winner))
    assert [part(client, spring, name) for name in CACHED] == before
    assert part(client, spring, "ranks") != ranks


def test_changed_seats_are_on_the_next_part(client: Client, spring: Tournament) -> None:
    start_session(spring.sessions.get(number=2), SYSTEM) if not spring.sessions.filter(
        state="running"
    ) else None
    other = next(
        number for number in range(2, 9) if own_table(spring, number).number != own_table(spring, 1).number
    )
    before = part(client, spring, "player_live")
    swap_players(spring, SYSTEM, 1, other, [3])
    swapped = part(client, spring, "player_live")
    assert swapped != before
    assert "Next: session 3" in swapped


def test_withdrawal_and_the_end_of_a_session_are_on_the_next_part(client: Client, spring: Tournament) -> None:
    assert "Now: session 2" in part(client, spring, "player_live")
    for table in spring.sessions.get(number=2).tables.all():
        hand_in(table, SYSTEM)
    close_session(spring.sessions.get(number=2), SYSTEM, unplayed=[1, 2], reason="time")
    assert "Now: session 2" not in part(client, spring, "player_live")
    withdraw_player(spring.players.get(number=1), SYSTEM)
    assert "Next: session 3" not in part(client, spring, "player_live")


def test_one_response_has_the_ranks_of_all(client: Client, spring: Tournament) -> None:
    record(own_table(spring, 1), win(1))
    ranks = read(client.get(reverse("ranks", args=[spring.slug])))
    for number in range(1, 9):
        page = read(client.get(reverse("player_page", args=[spring.slug, number])))
        name = f"rank-{number}"
        assert words(element(ranks, "div", id=name)) == words(element(page, "div", id=name)) != ""


def test_parts_of_an_unknown_player_do_not_exist(client: Client, spring: Tournament) -> None:
    for name in ("player_live", "player_goal", "player_hands", "player_card"):
        assert client.get(reverse(name, args=[spring.slug, 99])).status_code == 404


def test_the_whole_hall_asks_in_few_queries(
    client: Client, spring: Tournament, django_assert_max_num_queries: object
) -> None:
    """Seats, ranking and timetable are read once for everybody."""
    part(client, spring, "player_live", 1)
    with django_assert_max_num_queries(6):  # type: ignore[operator]
        part(client, spring, "player_live", 2)
