"""A player's card, which stands first on their own device, and what it says of a final without them."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_tournament
from tests.support.html import element, read, words
from tournament.access import Audience
from tournament.engine.finals import Carry, FinalStage, FinalsWish
from tournament.models import Tournament
from tournament.selectors.ranking import ranking
from tournament.services.finals import set_up_final
from tournament.services.players import withdraw_player


@pytest.fixture
def final() -> Tournament:
    """Four of eight play on after the first session."""
    tournament = make_tournament(players=8, sessions=2, played=1)
    set_up_final(tournament, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    return tournament


def card(client: Client, tournament: Tournament, number: int) -> str:
    return words(read(client.get(reverse("player_card", args=[tournament.slug, number]))))


def page(client: Client, tournament: Tournament, number: int) -> str:
    answer = client.get(reverse("player_page", args=[tournament.slug, number]))
    return words(element(read(answer), "main", id="main"))


def test_seat_rank_and_needs_are_on_the_card(client: Client) -> None:
    spring = make_tournament(sessions=3, played=1, running=1)
    text = card(client, spring, 5)
    line = ranking(spring, Audience.PUBLIC).find(5)
    assert line is not None
    for words_of_card in (f"Rank {line.standing.rank}", "Now: session 2", "What you need"):
        assert words_of_card in text
    assert client.get(reverse("player_card", args=[spring.slug, 99])).status_code == 404
    url = reverse("player_card", args=[spring.slug, 1])
    first, second = client.get(url), Client().get(url)
    assert first.content == second.content, "the same for everybody"
    assert not first.cookies
    assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_before_the_draw_it_says_that_seats_come(client: Client) -> None:
    assert "The seats are not drawn." in card(client, make_tournament(players=8, drawn=False), 1)


def test_who_missed_the_final_reads_place_and_finalists(client: Client, final: Tournament) -> None:
    finalists = final.finals.get().numbers
    names = [final.players.get(number=number).name for number in finalists]
    rows = ranking(final, Audience.PUBLIC).rows
    first_out = next(row for row in rows if row.player.number not in finalists)
    for read_by in (card, page):
        text = read_by(client, final, first_out.player.number)
        assert "The finals are set, without you" in text
        assert f"Your place: {first_out.standing.rank}." in text
        assert all(name in text for name in names)
    assert "without you" not in page(client, final, finalists[0])


def test_who_withdrew_before_it_reads_nothing_of_it(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2, played=1)
    withdraw_player(tournament.players.get(number=8), SYSTEM)
    set_up_final(tournament, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    assert "without you" not in page(client, tournament, 8)
