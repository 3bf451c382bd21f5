"""The certificate of the draw: anybody can draw the same seats again."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_tournament
from tournament.models import Tournament
from tournament.services.draw import draw_seats, seat


@pytest.fixture
def drawn() -> Tournament:
    tournament = make_tournament(sessions=5, drawn=False)
    draw_seats(tournament, SYSTEM, seed="3 · 17")
    return tournament


def page(client: Client, tournament: Tournament) -> str:
    return client.get(reverse("draw_certificate", args=[tournament.slug])).text


def download(client: Client, tournament: Tournament, tmp_path: Path) -> Path:
    answer = client.get(reverse("draw_certificate_json", args=[tournament.slug]))
    assert "attachment" in answer["Content-Disposition"]
    file = tmp_path / "draw.json"
    file.write_bytes(answer.content)
    return file


def checked(file: Path) -> object:
    out = StringIO()
    call_command("draw", "--check", str(file), stdout=out)
    return json.loads(out.getvalue())["sessions"]


def test_it_says_the_seed_the_figures_and_how_to_check(client: Client, drawn: Tournament) -> None:
    text = page(client, drawn)
    for words in (
        "3 · 17",
        "No two players meet twice",
        "The seats are exactly those that the seed gives.",
        "python manage.py draw --check draw-spring-open.json",
    ):
        assert words in text
    address = reverse("draw_certificate", args=[drawn.slug])
    assert address in client.get(reverse("draw_page", args=[drawn.slug])).text


def test_without_wishes_the_command_needs_no_file(client: Client, drawn: Tournament) -> None:
    drawn.players.update(team="")
    draw_seats(drawn, SYSTEM, seed="lottery 1 2")
    shown = "python manage.py draw --players 16 --sessions 5 --seed &#x27;lottery 1 2&#x27;"
    assert shown in page(client, drawn)
    out = StringIO()
    call_command("draw", players=16, sessions=5, seed="lottery 1 2", stdout=out)
    answer = client.get(reverse("draw_certificate_json", args=[drawn.slug]))
    assert json.loads(out.getvalue())["sessions"] == answer.json()["sessions"]


def test_the_download_is_drawn_again_and_checked(client: Client, drawn: Tournament, tmp_path: Path) -> None:
    file = download(client, drawn, tmp_path)
    data = json.loads(file.read_text())
    assert checked(file) == data["sessions"]
    one, other = data["sessions"][1]["tables"][:2]
    one["E"], other["E"] = other["E"], one["E"]
    file.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="2 seats are not what the inputs give, the first in session 2"):
        checked(file)


def test_another_file_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    for content in ("{}", "[]", "no", '{"inputs": null, "sessions": []}'):
        file.write_text(content)
        with pytest.raises(CommandError, match=r"other\.json is not the certificate of a draw by seed\."):
            checked(file)
    with pytest.raises(CommandError, match="cannot be read"):
        checked(tmp_path / "nowhere.json")


def test_seats_by_hand_have_figures_and_no_seed(client: Client, drawn: Tournament, tmp_path: Path) -> None:
    plan = client.get(reverse("draw_certificate_json", args=[drawn.slug])).json()["sessions"]
    seat(drawn, SYSTEM, [session["tables"] for session in plan])
    assert "These seats were not drawn from a seed" in page(client, drawn)
    data = json.loads(download(client, drawn, tmp_path).read_text())
    assert (data["inputs"], data["quality"]["repeats"]) == (None, 0)


def test_before_the_draw_there_is_none(client: Client) -> None:
    tournament = make_tournament(drawn=False)
    assert "The seats are not drawn yet" in page(client, tournament)
    assert client.get(reverse("draw_certificate_json", args=[tournament.slug])).status_code == 404
