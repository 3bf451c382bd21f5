"""Entering a list of players: send, look, mend, enter."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.support.factories import make_organiser, make_tournament
from tournament.exchange.sheets import MOST_BYTES
from tournament.models import Tournament
from tournament.views.organiser.import_preview import MOST_MENDED

DATA = Path(__file__).parents[1] / "data"
pytestmark = pytest.mark.django_db

MENDED = {
    "cell-6-last_name": "Dubois",
    "cell-7-ema_number": "04000124",
    "cell-9-ema_number": "06000123",
    "cell-12-last_name": "Cmd",
    "cell-13-country": "Việt Nam",
    "leave": ["8"],
}
"""The messy list's faults, mended as its sender would; row 8 repeats row 2."""


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=0)


@pytest.fixture
def olga(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


def send(olga: Client, tournament: Tournament, **form: object) -> HttpResponse:
    return olga.post(reverse("organiser_import", args=[tournament.slug]), form)  # type: ignore[return-value]


def upload(olga: Client, tournament: Tournament, name: str) -> HttpResponse:
    return send(olga, tournament, file=SimpleUploadedFile(name, (DATA / name).read_bytes()))


def carried(answer: HttpResponse) -> dict[str, object]:
    """What the preview's form would send if nothing were touched."""
    page: str = answer.text
    form: dict[str, object] = {"list": unescape(re.search(r'name="list" value="([^"]*)"', page)[1])}  # type: ignore[index]
    for name, value in re.findall(
        r'<input\s+type="text"[^>]*?\sname="(cell-[^"]+)"[^>]*?\svalue="([^"]*)"', page
    ):
        form[name] = unescape(value)
    return form


def test_a_clean_list_is_shown_and_nobody_is_entered(olga: Client, tournament: Tournament) -> None:
    page = upload(olga, tournament, "players.csv").text
    assert "16 players, nothing to mend" in page
    assert "Enter 16 players" in page
    assert not tournament.players.exists()


def test_a_clean_list_is_entered_when_confirmed(olga: Client, tournament: Tournament) -> None:
    answer = upload(olga, tournament, "players.csv")
    page = olga.post(
        reverse("organiser_import", args=[tournament.slug]), carried(answer) | {"enter": "1"}, follow=True
    )
    assert "16 players entered." in page.text
    player = tournament.players.get(number=8)
    assert (player.name, player.country, player.ema_number) == ("伟 VAN DEN BERG", "CHN", "21308441")


def test_a_messy_list_shows_each_problem_by_row_and_column(olga: Client, tournament: Tournament) -> None:
    page = unescape(upload(olga, tournament, "players-messy.csv").text)
    for sentence in (
        "Row 6, Last name: The name is missing.",
        "Row 7, EMA number: An EMA number has eight digits; this one has 7.",
        "Row 8, Last name: The same person stands in row 2.",
        "Row 9, EMA number: “06ABC123” is not an EMA number",
        "Row 12, Last name: “=CMD(1)” is a formula for a spreadsheet and not a name.",
        "Row 13, Country: There is no country “XX”.",
    ):
        assert sentence in page
    assert "6 things to mend" in page


def test_a_list_with_problems_is_not_entered_even_when_confirmed(
    olga: Client, tournament: Tournament
) -> None:
    answer = upload(olga, tournament, "players-messy.csv")
    again = send(olga, tournament, **carried(answer), enter="1")
    assert again.status_code == 422
    assert not tournament.players.exists()


def test_rows_are_mended_in_the_preview_and_entered(olga: Client, tournament: Tournament) -> None:
    form = carried(upload(olga, tournament, "players-messy.csv"))
    checked = send(olga, tournament, **(form | MENDED))
    assert "10 players, nothing to mend" in checked.text
    assert not tournament.players.exists()
    send(olga, tournament, **(carried(checked) | {"leave": ["8"], "enter": "1"}))
    names = [player.name for player in tournament.players.all()]
    assert names == [
        "Élodie DUPONT", "Jürgen müller", "Zoë O'NEILL", "Sans-Nom Dubois", "王伟", "Søren ØSTERGAARD",
        "Inês SILVA", "Márton DE LA CRUZ; hijo", "Eve Cmd", "Quentin Nguyễn",
    ]  # fmt: skip
    assert tournament.players.get(last_name="Nguyễn").country == "VNM"


def test_what_was_mended_stays_while_the_rest_is_mended(olga: Client, tournament: Tournament) -> None:
    form = carried(upload(olga, tournament, "players-messy.csv"))
    once = send(olga, tournament, **(form | {"cell-6-last_name": "Dubois"}))
    twice = send(olga, tournament, **(carried(once) | {"cell-7-ema_number": "04000124"}))
    page = unescape(twice.text)
    assert "4 things to mend" in page
    assert "Sans-Nom Dubois" in page


def test_capitals_are_taken_back_when_asked(olga: Client, tournament: Tournament) -> None:
    answer = upload(olga, tournament, "players.csv")
    assert "Write family names as De la Cruz" in answer.text
    checked = send(olga, tournament, **carried(answer), soften="1")
    assert "Chiara De la Cruz" in checked.text
    send(olga, tournament, **carried(checked), soften="1", enter="1")
    assert tournament.players.get(number=8).last_name == "Van den Berg"


def test_columns_can_be_chosen_by_hand(olga: Client, tournament: Tournament) -> None:
    answer = send(olga, tournament, pasted="Wer,Wo,Team,EMA\nDupont,Frankreich,A,\n")
    assert "Which column holds the last names?" in answer.text
    chosen = carried(answer) | {"column-0": "last_name", "column-1": "country", "column-2": "team"}
    checked = send(olga, tournament, **chosen)
    assert "1 player, nothing to mend" in checked.text
    assert "FRA" in checked.text


def test_a_pasted_list(olga: Client, tournament: Tournament) -> None:
    assert "2 players, nothing to mend" in send(olga, tournament, pasted="Name\tLand\nAda\tDE\nBo\tDK").text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "There is nobody in this list."),
        (b"\x89PNG\r\n\x1a\n\0\0", "This file is not a list that can be read."),
        (b"x" * (MOST_BYTES + 1), "This file is too large to be a list of players."),
    ],
)
def test_a_file_that_cannot_be_read(
    content: bytes, sentence: str, olga: Client, tournament: Tournament
) -> None:
    answer = send(olga, tournament, file=SimpleUploadedFile("list.csv", content))
    assert answer.status_code == 422
    assert sentence in answer.text


def test_no_list_at_all(olga: Client, tournament: Tournament) -> None:
    assert "Choose a file, or paste the list below." in send(olga, tournament, pasted=" ").text


@pytest.mark.parametrize("torn", ["", "null", '[["Name"],["last_name"],[[2]', "[" * 50_000, "{}"])
def test_a_preview_that_comes_back_torn(torn: str, olga: Client, tournament: Tournament) -> None:
    answer = send(olga, tournament, list=torn, enter="1")
    assert answer.status_code == 422
    assert "The list did not come back whole." in answer.text


def test_a_list_sent_twice_is_entered_once(olga: Client, tournament: Tournament) -> None:
    form = carried(upload(olga, tournament, "players.csv")) | {"enter": "1"}
    send(olga, tournament, **form)
    again = send(olga, tournament, **form)
    assert "16 known, 0 new, 0 changed" in again.text
    assert "There is nothing to enter" in again.text
    assert tournament.players.count() == 16


def test_a_list_wrong_from_end_to_end_stays_within_what_a_form_may_send(
    olga: Client, tournament: Tournament
) -> None:
    rows = "\n".join(f"Name {n},{n}" for n in range(300))
    answer = send(olga, tournament, pasted=f"Name,EMA\n{rows}")
    assert "200 more rows have something to mend" in answer.text
    form = carried(answer)
    assert len(form) == 1 + 2 * MOST_MENDED
    assert send(olga, tournament, **form).status_code == 422
