"""Drawing the seats."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertInHTML

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.models import Seat, Tournament
from tournament.services.players import withdraw_player

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


def test_players_that_fill_no_tables_can_be_joined_by_substitutes_at_once(client: Client) -> None:
    tournament = make_tournament(players=18, drawn=False)
    client.force_login(make_organiser(tournament))
    page = client.get(reverse("organiser_draw_preview", args=[tournament.slug]), {"seed": "one"}).text
    assert "Add 2 substitutes who are not ranked" in page


def test_who_sits_where_by_table_and_by_player(client: Client, sixteen: Tournament) -> None:
    draw(client, sixteen, "one")
    assert 'id="s5"' in page(client, sixteen)
    assert re.search(r'<th scope="row">\s*张静\s*</th>', page(client, sixteen, "?by=player"))


def test_no_new_draw_once_a_session_has_begun(client: Client) -> None:
    tournament = make_tournament(running=0)
    client.force_login(make_organiser(tournament))
    before = seats(tournament)
    assert "Draw again" not in page(client, tournament)
    assert "Session 1 has already begun." in draw(client, tournament, "one")
    assert seats(tournament) == before


def preview(client: Client, tournament: Tournament, **query: str) -> Any:
    return client.get(reverse("organiser_draw_preview", args=[tournament.slug]), query)


def test_a_draw_is_looked_at_before_anything_is_stored(client: Client, sixteen: Tournament) -> None:
    answer = preview(client, sixteen, seed="one")
    assert "Nothing is stored yet." in answer.text
    assert "No two players meet twice" in answer.text
    assert seats(sixteen) == []
    shown = answer.context["sessions"]
    draw(client, sixteen, "one")
    stored = [(s, t, w, n) for s, t, w, n in seats(sixteen)]
    assert stored == sorted(
        (session, table, wind, player.number)
        for session, tables in enumerate(shown, 1)
        for table, at in enumerate(tables, 1)
        for wind, player in at
    )


def test_two_draws_side_by_side_with_the_seats_that_differ(client: Client, sixteen: Tournament) -> None:
    answer = preview(client, sixteen, seed="one", other="two")
    assert [one["seed"] for one in answer.context["draws"]] == ["one", "two"]
    assert dict(answer.context["figures"])["repeats"] == (0, 0)
    assert len(answer.context["compared"].moved) > 40
    assert "Take the other draw" in answer.text
    assert preview(client, sixteen, seed="one", other="one").context["compared"].moved == ()


def test_beside_the_seats_there_are(client: Client, sixteen: Tournament) -> None:
    draw(client, sixteen, "one")
    assert "Every seat is the same." in preview(client, sixteen, seed="one").text


def test_a_draw_that_is_no_longer_the_one_looked_at_is_refused(client: Client, sixteen: Tournament) -> None:
    answer = preview(client, sixteen, seed="one")
    seen = answer.context["draws"][0]["seen"]
    address = reverse("organiser_draw", args=[sixteen.slug])
    for number in range(1, 5):
        withdraw_player(sixteen.players.get(number=number), SYSTEM)
    refused = client.post(address, {"seed": "one", "seen": seen})
    assert refused.status_code == 422
    assert "The players have changed since you looked at this draw." in refused.text
    assert seats(sixteen) == []


def test_wishes_are_met_and_remembered(client: Client, sixteen: Tournament) -> None:
    data = {"seed": "one", "teams": "on", "forbidden": "1-5, 2–6", "stay": "7:2"}
    client.post(reverse("organiser_draw", args=[sixteen.slug]), data)
    at: dict[tuple[int, int], set[int]] = {}
    for session, table, _wind, number in seats(sixteen):
        at.setdefault((session, table), set()).add(number)
    assert not any({1, 5} <= four or {2, 6} <= four for four in at.values())
    assert not any(len({(n - 1) // 4 for n in four}) < 4 for four in at.values()), "a team met"
    assert all(7 in four for (_session, table), four in at.items() if table == 2)
    form = client.get(reverse("organiser_draw", args=[sixteen.slug])).context["form"]
    assert form["forbidden"].value() == "1-5, 2-6"
    assert form["stay"].value() == "7:2"


def test_the_draw_looked_at_names_the_wishes_it_keeps(client: Client, sixteen: Tournament) -> None:
    asked = {"seed": "one", "forbidden": "1-5, 2-6", "stay": "7:2"}
    page = client.get(reverse("organiser_draw_preview", args=[sixteen.slug]), asked).text
    assertInHTML("<dt>Pairs kept apart</dt>", page)
    assertInHTML("<dd>1–5, 2–6</dd>", page)
    assertInHTML("<dt>Kept at one table</dt>", page)
    assertInHTML("<dd>player 7 at table 2</dd>", page)


def test_club_mates_are_a_wish_once_there_are_clubs(client: Client, sixteen: Tournament) -> None:
    here = reverse("organiser_draw", args=[sixteen.slug])
    assert "clubs" not in client.get(here).context["form"].fields
    sixteen.players.filter(number__lte=4).update(club="Riichi & Co", team="", country="")
    client.post(here, {"seed": "one", "clubs": "on", "sessions": "4"})
    shown = client.get(here)
    assert shown.context["form"]["clubs"].value() is True
    assert shown.context["certificate"].quality.club_meetings == 0
    data = client.get(reverse("draw_certificate_json", args=[sixteen.slug])).json()
    assert data["inputs"]["clubs"] == dict.fromkeys("1234", "Riichi & Co")
    assert "Club-mates" in client.get(reverse("draw_certificate", args=[sixteen.slug])).text


@pytest.mark.parametrize(
    ("wish", "field", "said"),
    [
        ({"forbidden": "1+2"}, "forbidden", "“1+2” is not a pair of player numbers"),
        ({"forbidden": "1-1"}, "forbidden", "cannot be kept apart from the same player"),
        ({"forbidden": "1-99"}, "forbidden", "Player 99 is not in this draw."),
        ({"stay": "3"}, "stay", "“3” is not a player and a table"),
        ({"stay": "3:9"}, "stay", "There is no table 9: the tables are 1 to 4."),
        ({"stay": "3:1, 4:1"}, "stay", "Only one player can stay at table 1"),
    ],
)
def test_wishes_that_cannot_be(
    wish: dict[str, str], field: str, said: str, client: Client, sixteen: Tournament
) -> None:
    answer = preview(client, sixteen, seed="one", **wish)
    assert answer.status_code == 422
    assert said in answer.context["form"].errors[field][0]
