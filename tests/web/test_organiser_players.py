"""Players by hand: entering, changing, withdrawing."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tournament.access import Actor
from tournament.models import Player, Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=4, drawn=False)


@pytest.fixture
def olga(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


def entered(olga: Client, tournament: Tournament, **said: str) -> Player:
    olga.post(reverse("organiser_player_new", args=[tournament.slug]), said)
    return tournament.players.get(number=5)


def test_a_player_gets_the_next_number(olga: Client, tournament: Tournament) -> None:
    player = entered(olga, tournament, last_name="Kovács", first_name="Tünde", team="Team 9")
    assert (player.name, player.team) == ("Tünde Kovács", "Team 9")


def test_the_club_is_kept_proposed_and_shown(olga: Client, tournament: Tournament) -> None:
    assert entered(olga, tournament, last_name="Kovács", club="Duna  Klub").club == "Duna Klub"
    assert (
        '<option value="Duna Klub">' in olga.get(reverse("organiser_player_new", args=[tournament.slug])).text
    )
    assert "Duna Klub" in olga.get(reverse("organiser_players", args=[tournament.slug]), {"q": "duna"}).text
    assert "Duna Klub" in olga.get(reverse("player_page", args=[tournament.slug, 5])).text


@pytest.mark.parametrize("country", ["Magyarország", "Hungary", "hun", "匈牙利"])
def test_a_country_in_any_language(country: str, olga: Client, tournament: Tournament) -> None:
    assert entered(olga, tournament, last_name="Kovács", country=country).country == "HUN"


def test_one_after_another(olga: Client, tournament: Tournament) -> None:
    here = reverse("organiser_player_new", args=[tournament.slug])
    assert olga.post(here, {"last_name": "Kovács", "another": "1"})["Location"] == here


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("last_name", " ", "The name is missing."),
        ("last_name", "x" * 81, "This is too long: 81 characters, at most 80 are kept."),
        ("club", "x" * 81, "This is too long: 81 characters, at most 80 are kept."),
        ("country", "Atlantis", "There is no country “Atlantis”."),
        ("ema_number", "0400012", "An EMA number has eight digits; this one has 7."),
        ("ema_number", "04ABC123", "“04ABC123” is not an EMA number"),
        ("ema_number", "04000123", "EMA number 04000123 belongs to another player."),
        ("number", "1", "Number 1 belongs to another player."),
        ("number", "0", "0 is not a player number: 1 to 9999."),
        ("number", "five", "Only a whole number in digits"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field(
    olga: Client, tournament: Tournament, field: str, value: str, sentence: str
) -> None:
    add_players(tournament, Actor.system("tests"), [Entrant("Nagy", ema_number="04000123", number=99)])
    said = {"last_name": "Kovács", "first_name": "Tünde", field: value}
    answer = olga.post(reverse("organiser_player_new", args=[tournament.slug]), said)
    assert answer.status_code == 422
    assert sentence in " ".join(answer.context["form"].errors[field])
    assert 'value="Tünde"' in answer.text


def test_everything_wrong_is_said_at_once(olga: Client, tournament: Tournament) -> None:
    said = {"last_name": "", "country": "Atlantis", "ema_number": "12", "number": "1"}
    answer = olga.post(reverse("organiser_player_new", args=[tournament.slug]), said)
    assert set(answer.context["form"].errors) == set(said)
    said["number"] = "one"
    answer = olga.post(reverse("organiser_player_new", args=[tournament.slug]), said)
    assert set(answer.context["form"].errors) == set(said)


def test_a_player_is_changed(olga: Client, tournament: Tournament) -> None:
    here = reverse("organiser_player", args=[tournament.slug, 3])
    assert 'value="Sweden"' in olga.get(here).text
    olga.post(here, {"last_name": "Lindqvist", "first_name": "Bo", "country": "Sverige", "number": "3"})
    player = tournament.players.get(number=3)
    assert (player.name, player.country) == ("Bo Lindqvist", "SWE")


def test_a_change_that_is_refused_keeps_what_was_typed(olga: Client, tournament: Tournament) -> None:
    answer = olga.post(
        reverse("organiser_player", args=[tournament.slug, 3]), {"last_name": "Lindqvist", "number": "1"}
    )
    assert "Number 1 belongs to another player." in answer.text
    assert tournament.players.get(number=3).first_name == "Björn"


def test_withdrawing_and_playing_again(olga: Client, tournament: Tournament) -> None:
    page = olga.post(reverse("organiser_player_withdraw", args=[tournament.slug, 3]), follow=True).text
    assert "Björn Lindqvist has withdrawn." in page
    assert "withdrawn</span>" in page
    page = olga.post(reverse("organiser_player_withdraw", args=[tournament.slug, 3]), follow=True).text
    assert "Player 3 has already withdrawn." in page
    page = olga.post(reverse("organiser_player_readmit", args=[tournament.slug, 3]), follow=True).text
    assert "Björn Lindqvist plays again." in page


@pytest.mark.parametrize("words", ["lindq", "björn", "bjorn lind", "SWE", "3"])
def test_finding_a_player(words: str, olga: Client, tournament: Tournament) -> None:
    page = olga.get(reverse("organiser_players", args=[tournament.slug]), {"q": words}).text
    assert 'id="p3"' in page
    assert 'id="p2"' not in page


def test_finding_nobody_shows_the_way_on(olga: Client, tournament: Tournament) -> None:
    page = olga.get(reverse("organiser_players", args=[tournament.slug]), {"q": "nobody"}).text
    assert "Nobody here is called “nobody”" in page
    assert "Show all" in page


def test_a_table_that_would_not_be_full_is_told(client: Client) -> None:
    tournament = make_tournament(players=18, drawn=False)
    client.force_login(make_organiser(tournament))
    assert "2 players short" in client.get(reverse("organiser_players", args=[tournament.slug])).text


def test_a_draw_older_than_the_list_is_told(client: Client) -> None:
    tournament = make_tournament(players=16)
    client.force_login(make_organiser(tournament))
    here = reverse("organiser_players", args=[tournament.slug])
    assert "The list of players has changed since the draw" not in client.get(here).text
    add_players(tournament, Actor.system("tests"), [Entrant(f"Late {n}") for n in range(4)])
    assert "The list of players has changed since the draw" in client.get(here).text
