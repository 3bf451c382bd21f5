"""Drawing the seats."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_organiser, make_tournament
from tournament.models import Seat, Tournament

pytestmark = pytest.mark.django_db


def page(client: Client, tournament: Tournament, query: str = "") -> str:
    return client.get(reverse("organiser_draw", args=[tournament.slug]) + query).text


def draw(client: Client, tournament: Tournament, seed: str) -> str:
    return client.post(reverse("organiser_draw", args=[tournament.slug]), {"seed": seed}, follow=True).text


@pytest.fixture
def sixteen(client: Client) -> Tournament:
    tournament = make_tournament(players=16, sessions=5, drawn=False)
    client.force_login(make_organiser(tournament))
    return tournament


def seats(tournament: Tournament) -> list[tuple[int, int, str, int]]:
    found = Seat.objects.filter(table__session__tournament=tournament)
    return list(
        found.order_by("table__session__number", "table__number", "wind").values_list(
            "table__session__number", "table__number", "wind", "player__number"
        )
    )


def test_a_draw_of_every_session(client: Client, sixteen: Tournament) -> None:
    after = draw(client, sixteen, "3 · 17 · 22")
    assert "The seats are drawn." in after
    assert len(seats(sixteen)) == 16 * 5
    assert "No two players meet twice" in after
    assert "3 · 17 · 22" in after


def test_the_same_seed_gives_the_same_seats(client: Client, sixteen: Tournament) -> None:
    draw(client, sixteen, "one")
    first = seats(sixteen)
    draw(client, sixteen, "two")
    assert seats(sixteen) != first
    draw(client, sixteen, "one")
    assert seats(sixteen) == first


def test_a_seed_is_proposed_and_can_be_changed(client: Client, sixteen: Tournament) -> None:
    assert " · " in client.get(reverse("organiser_draw", args=[sixteen.slug])).context["form"]["seed"].value()


@pytest.mark.parametrize("seed", ["", " ", "x" * 81])
def test_a_seed_that_will_not_do(seed: str, client: Client, sixteen: Tournament) -> None:
    answer = client.post(reverse("organiser_draw", args=[sixteen.slug]), {"seed": seed})
    assert answer.status_code == 422
    assert "seed" in answer.context["form"].errors


@pytest.mark.parametrize("players", [3, 18])
def test_players_that_fill_no_tables(players: int, client: Client) -> None:
    tournament = make_tournament(players=players, drawn=False)
    client.force_login(make_organiser(tournament))
    answer = client.post(reverse("organiser_draw", args=[tournament.slug]), {"seed": "one"})
    assert answer.status_code == 422
    assert answer.context["form"].non_field_errors()


def test_who_sits_where_by_table_and_by_player(client: Client, sixteen: Tournament) -> None:
    draw(client, sixteen, "one")
    assert 'id="s5"' in page(client, sixteen)
    assert '<th scope="row">张静</th>' in page(client, sixteen, "?by=player")


def test_no_new_draw_once_a_session_has_begun(client: Client) -> None:
    tournament = make_tournament(running=0)
    client.force_login(make_organiser(tournament))
    before = seats(tournament)
    assert "Draw again" not in page(client, tournament)
    assert "Session 1 has already begun." in draw(client, tournament, "one")
    assert seats(tournament) == before
