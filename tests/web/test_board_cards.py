"""A card of the board is drawn once for what it says, and anew for anything else."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.factories import make_organiser, make_tournament
from tests.support.html import read, words
from tournament.display import board_cards
from tournament.models import Player, Seat, Tournament


@pytest.fixture
def tournament() -> Tournament:
    made = make_tournament(players=8, sessions=1, running=1)
    make_organiser(made)
    return made


def board(tournament: Tournament, language: str = "en") -> str:
    client = Client(headers={"Accept-Language": language})
    client.force_login(User.objects.get(username="olga"))
    return words(read(client.get(f"/organiser/{tournament.slug}/")))


def test_a_board_that_says_the_same_is_not_drawn_again(tournament: Tournament) -> None:
    before = board(tournament)
    drawn = board_cards._drawn.cache_info().misses
    assert board(tournament) == before
    assert board_cards._drawn.cache_info().misses == drawn


def test_each_language_has_its_own(tournament: Tournament) -> None:
    assert "Hand 2" in board(tournament)
    assert "Hand 2" not in board(tournament, "zh-hans")


def test_what_changes_without_the_table_is_drawn_too(tournament: Tournament) -> None:
    board(tournament)
    Player.objects.filter(tournament=tournament, number=3).update(last_name="Ilić", is_substitute=True)
    Seat.objects.filter(table__session__tournament=tournament, player__number=4).update(game_points=1234)
    said = board(tournament)
    assert "Ilić substitute" in said
    assert "1234" in said
