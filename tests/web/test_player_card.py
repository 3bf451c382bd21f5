"""A player's card, which stands first on their own device, and what it says of a final without them."""

from __future__ import annotations

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

pytestmark = pytest.mark.django_db


@pytest.fixture
def final() -> Tournament:
    """Four of eight play on after the first session."""
    made = make_tournament(players=8, sessions=2, played=1)
    set_up_final(made, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    return made


def card(client: Client, tournament: Tournament, number: int) -> str:
    return words(read(client.get(reverse("player_card", args=[tournament.slug, number]))))


def page(client: Client, tournament: Tournament, number: int) -> str:
    return words(
        element(read(client.get(reverse("player_page", args=[tournament.slug, number]))), "main", id="main")
    )


def test_seat_rank_and_needs_are_on_the_card(client: Client) -> None:
    spring = make_tournament(sessions=3, played=1, running=1)
    said = card(client, spring, 5)
    line = ranking(spring, Audience.PUBLIC).find(5)
    assert line is not None
    assert f"Rank {line.standing.rank}" in said
    assert "Now: session 2" in said
    assert "What you need" in said


def test_before_the_draw_it_says_that_seats_come(client: Client) -> None:
    assert "The seats are not drawn." in card(client, make_tournament(players=8, drawn=False), 1)


def test_a_card_is_the_same_for_everybody(client: Client) -> None:
    spring = make_tournament(played=1)
    url = reverse("player_card", args=[spring.slug, 1])
    first, second = client.get(url), Client().get(url)
    assert first.content == second.content
    assert not first.cookies
    assert client.get(url, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_nobody_has_no_card(client: Client) -> None:
    assert client.get(reverse("player_card", args=[make_tournament().slug, 99])).status_code == 404


def test_who_missed_the_final_reads_so_with_the_own_place_and_who_went_on(
    client: Client, final: Tournament
) -> None:
    finalists = final.finals.get().numbers
    names = [final.players.get(number=number).name for number in finalists]
    (first_out, *_) = [
        row for row in ranking(final, Audience.PUBLIC).rows if row.player.number not in finalists
    ]
    for said in (card(client, final, first_out.player.number), page(client, final, first_out.player.number)):
        assert "The finals are set, without you" in said
        assert f"Your place: {first_out.standing.rank}." in said
        assert all(name in said for name in names)


def test_a_finalist_reads_nothing_of_it(client: Client, final: Tournament) -> None:
    assert "without you" not in page(client, final, final.finals.get().numbers[0])


def test_who_withdrew_before_it_is_not_told(client: Client) -> None:
    made = make_tournament(players=8, sessions=2, played=1)
    withdraw_player(made.players.get(number=8), SYSTEM)
    set_up_final(made, SYSTEM, FinalsWish(FinalStage(4, 4, Carry.FULL), 1, "x"))
    assert "without you" not in page(client, made, 8)
