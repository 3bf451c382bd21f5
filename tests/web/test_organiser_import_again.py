"""Lists as organisers have them, on the page: other sheets, whole names, lost zeros, namesakes, the same list again."""

import io
import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tournament.models import Tournament
from tournament.selectors.entrants import Entrant
from tournament.services.players import add_players

pytestmark = pytest.mark.django_db

HEAD = "No.;Surname;First name;Country;EMA;Team\n"
ADA, BO = "1;DUPONT;Ada;FRA;04000123;Red\n", "2;Lee;Bo;GBR;;Red\n"


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(players=0)


@pytest.fixture
def entered(tournament: Tournament) -> Tournament:
    people = [
        Entrant("DUPONT", "Ada", "FRA", "04000123", "Red", 1),
        Entrant("Lee", "Bo", "GBR", team="Red", number=2),
    ]
    add_players(tournament, SYSTEM, people)
    return tournament


@pytest.fixture
def olga(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


def send(olga: Client, tournament: Tournament, **form: object) -> HttpResponse:
    return olga.post(reverse("organiser_import", args=[tournament.slug]), form)  # type: ignore[return-value]


def carried(answer: HttpResponse, form: str = "list") -> dict[str, object]:
    """What the page's form would send if nothing were touched."""
    page: str = answer.text
    sent: dict[str, object] = {}
    for tag in re.findall(r"<input [^>]*>", page):
        said = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        name, value = said.get("name", ""), said.get("value", "")
        if said["type"] in ("checkbox", "radio"):
            if tag.rstrip(">").rstrip().endswith("checked"):
                sent.setdefault(name, []).append(value)  # type: ignore[attr-defined]
        elif name in (form, "offered", "zeros") or name.startswith("cell-"):
            sent[name] = value
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        sent[name] = unescape(chosen[1] if chosen[1] is not None else chosen[2]) if chosen else ""
    return sent


def workbook() -> SimpleUploadedFile:
    made = Workbook()
    made.active.title = "Cover"
    made.active.append(["Danish Open 2026"])
    players, waiting = made.create_sheet("Players"), made.create_sheet("Waiting")
    for row in (
        ["Danish Open 2026"],
        [],
        ["#", "SURNAME", "First name", "EMA"],
        [1, "DUPONT", "Ada", 4000123],
        [2, "LEE", "Bo"],
    ):
        players.append(row)
    for row in (["SURNAME", "First name"], ["", "Kasia"]):
        waiting.append(row)
    kept = io.BytesIO()
    made.save(kept)
    return SimpleUploadedFile("danish.xlsx", kept.getvalue())


class TestWhereTheListStands:
    def test_the_page_says_which_sheet_and_row(self, olga: Client, tournament: Tournament) -> None:
        page = send(olga, tournament, file=workbook()).text
        assert "Read from sheet “Players”, headings in row 3" in page
        assert "Ada LEE" not in page
        assert "Ada DUPONT" in page

    def test_another_sheet_and_back_keeps_what_was_mended(self, olga: Client, tournament: Tournament) -> None:
        form = carried(send(olga, tournament, file=workbook())) | {"cell-4-ema_number": "04000124"}
        other = send(olga, tournament, **(form | {"sheet": "Waiting"}))
        assert "Read from sheet “Waiting”, headings in row 1" in other.text
        back = send(olga, tournament, **(carried(other) | {"sheet": "Players"}))
        assert "04000124" in back.text
        assert "2 players, nothing to mend" in back.text

    def test_another_row_of_headings_keeps_what_was_mended(
        self, olga: Client, tournament: Tournament
    ) -> None:
        form = carried(send(olga, tournament, file=workbook())) | {"cell-4-ema_number": "04000124"}
        page = send(olga, tournament, **(form | {"heading": "0"})).text
        assert "Read from sheet “Players”, without headings" in page
        assert "04000124" in page

    def test_a_sheet_without_anybody_leaves_the_list_as_it_was(
        self, olga: Client, tournament: Tournament
    ) -> None:
        form = carried(send(olga, tournament, pasted=HEAD + ADA))
        answer = send(olga, tournament, **(form | {"heading": "2"}))
        assert answer.status_code == 422
        assert "There is nobody in this list." in answer.text
        assert "Read with headings in row 1" in answer.text

    def test_a_legend_is_left_out_until_it_is_wanted(self, olga: Client, tournament: Tournament) -> None:
        answer = send(olga, tournament, pasted=HEAD + ADA + BO + "\n* vegetarian;;;;;\n")
        assert "2 players, nothing to mend" in answer.text
        assert "looks like a note" in answer.text
        form = carried(answer)
        assert form.pop("leave") == ["5"]
        assert "Row 5, Number" in unescape(send(olga, tournament, **form).text)


class TestBack:
    def test_a_pasted_list_is_there_again(self, olga: Client, tournament: Tournament) -> None:
        form = carried(send(olga, tournament, pasted=HEAD + ADA + "2;;Bo;GBR;;\n"))
        page = send(olga, tournament, **(form | {"cell-3-last_name": "Leigh", "back": "1"}))
        assert page.status_code == 200
        assert HEAD + ADA in unescape(page.text)
        again = send(
            olga, tournament, pasted=HEAD + ADA + "2;;Bo;GBR;;\n", kept=carried(page, "kept")["kept"]
        )
        assert "Bo Leigh" in again.text, "with what was mended"

    def test_a_file_is_still_there(self, olga: Client, tournament: Tournament) -> None:
        form = carried(send(olga, tournament, file=workbook()))
        page = send(olga, tournament, **(form | {"back": "1"}))
        assert "danish.xlsx" in page.text
        again = send(olga, tournament, pasted="", kept=carried(page, "kept")["kept"])
        assert "Read from sheet “Players”" in again.text

    def test_a_new_list_replaces_it(self, olga: Client, tournament: Tournament) -> None:
        page = send(olga, tournament, **(carried(send(olga, tournament, file=workbook())) | {"back": "1"}))
        again = send(olga, tournament, pasted=HEAD + BO, kept=carried(page, "kept")["kept"])
        assert "1 player, nothing to mend" in again.text

    def test_browsers_may_keep_the_empty_form(self, olga: Client, tournament: Tournament) -> None:
        page = olga.get(reverse("organiser_import", args=[tournament.slug]))
        assert page["Cache-Control"] == "private, no-cache"
        assert "no-store" in send(olga, tournament, pasted=HEAD + ADA)["Cache-Control"]


class TestWholeNames:
    LIST = "Name;Country\nDUPONT Élodie;FRA\nBo LEE;GBR\n王伟;CHN\n"

    def test_they_are_parted_when_asked(self, olga: Client, tournament: Tournament) -> None:
        answer = send(olga, tournament, pasted=self.LIST)
        assert "The names stand whole in one column" in answer.text
        parted = send(olga, tournament, **(carried(answer) | {"split": "capitals"}))
        send(olga, tournament, **(carried(parted) | {"enter": "1"}))
        people = tournament.players.values_list("last_name", "first_name")
        assert list(people) == [("DUPONT", "Élodie"), ("LEE", "Bo"), ("王", "伟")]

    def test_they_are_shown_parted_before_they_are_entered(
        self, olga: Client, tournament: Tournament
    ) -> None:
        form = carried(send(olga, tournament, pasted=self.LIST))
        shown = send(olga, tournament, **(form | {"split": "capitals", "enter": "1"}))
        assert "Enter 3 players" in shown.text
        assert not tournament.players.exists()

    def test_or_left_whole(self, olga: Client, tournament: Tournament) -> None:
        send(olga, tournament, **(carried(send(olga, tournament, pasted=self.LIST)) | {"enter": "1"}))
        assert tournament.players.get(number=1).last_name == "DUPONT Élodie"


def test_one_button_puts_all_lost_zeros_back(olga: Client, tournament: Tournament) -> None:
    text = HEAD + "".join(f"{n};Name{n};;FRA;400012{n};\n" for n in range(1, 6))
    answer = send(olga, tournament, pasted=text)
    assert "Put all 5 zeros back" in answer.text
    assert "<s>4000123</s> → <b>04000123</b>" in answer.text
    mended = send(olga, tournament, **(carried(answer) | {"zeros": "1"}))
    assert "5 players, nothing to mend" in mended.text
    send(olga, tournament, **(carried(mended) | {"enter": "1"}))
    assert tournament.players.get(number=3).ema_number == "04000123"


class TestNamesakes:
    TWO = HEAD + ";Jansen;Jan;NLD;;Red\n;Jansen;Jan;NLD;;Blue\n"

    def test_they_are_not_entered_before_somebody_says_that_they_are_two(
        self, olga: Client, tournament: Tournament
    ) -> None:
        answer = send(olga, tournament, pasted=self.TWO)
        assert "Row 2 has the same name." in answer.text
        assert send(olga, tournament, **(carried(answer) | {"enter": "1"})).status_code == 422
        assert not tournament.players.exists()
        told = send(olga, tournament, **(carried(answer) | {"apart": "3"}))
        send(olga, tournament, **(carried(told) | {"enter": "1"}))
        assert tournament.players.count() == 2

    def test_or_one_row_is_left_out(self, olga: Client, tournament: Tournament) -> None:
        answer = send(olga, tournament, pasted=self.TWO)
        send(olga, tournament, **(carried(answer) | {"leave": "3", "enter": "1"}))
        assert tournament.players.count() == 1


class TestTheSameListAgain:
    CHANGED = HEAD + ADA.replace("Red", "Blue").replace("FRA", "BEL") + BO

    def test_it_is_said_who_is_known(self, olga: Client, entered: Tournament) -> None:
        page = send(olga, entered, pasted=HEAD + ADA + BO).text
        assert "2 known, 0 new, 0 changed" in page
        assert "There is nothing to enter" in page
        assert 'name="enter"' not in page

    def test_each_difference_is_chosen(self, olga: Client, entered: Tournament) -> None:
        answer = send(olga, entered, pasted=self.CHANGED)
        assert "2 known, 0 new, 1 changed" in answer.text
        assert "Team: <s>Red</s> → <b>Blue</b>" in answer.text
        form = carried(answer)
        form["take"] = [key for key in form["take"] if ".team." in key]  # type: ignore[attr-defined]
        done = olga.post(reverse("organiser_import", args=[entered.slug]), form | {"enter": "1"}, follow=True)
        assert "1 player changed." in done.text
        ada = entered.players.get(number=1)
        assert (ada.team, ada.country) == ("Blue", "FRA")

    def test_new_and_changed_at_once(self, olga: Client, entered: Tournament) -> None:
        before = entered.log.count()
        answer = send(olga, entered, pasted=self.CHANGED + "7;Nowak;Kasia;POL;;\n")
        assert "2 known, 1 new, 1 changed" in answer.text
        send(olga, entered, **(carried(answer) | {"enter": "1"}))
        assert entered.log.count() == before + 1
        assert entered.players.get(number=7).name == "Kasia Nowak"
        assert entered.players.get(number=1).country == "BEL"

    def test_what_was_not_shown_is_not_written(self, olga: Client, entered: Tournament) -> None:
        form = carried(send(olga, entered, pasted=self.CHANGED))
        entered.players.filter(number=1).update(team="Green")
        answer = send(olga, entered, **(form | {"enter": "1"}))
        assert "Team: <s>Green</s> → <b>Blue</b>" in answer.text
        assert entered.players.get(number=1).team == "Green"

    def test_who_is_not_in_the_list_is_told_and_stays(self, olga: Client, entered: Tournament) -> None:
        answer = send(olga, entered, pasted=HEAD + ADA)
        assert "1 player is not in this list, and stays" in answer.text
        assert "2 Bo Lee" in answer.text

    def test_a_namesake_of_somebody_entered_comes_in_as_new(self, olga: Client, entered: Tournament) -> None:
        answer = send(olga, entered, pasted="Surname;First name;Country\nLee;Bo;USA\n")
        assert "Another person of the same name: enter as new" in answer.text
        told = send(olga, entered, **(carried(answer) | {"apart": "2"}))
        send(olga, entered, **(carried(told) | {"enter": "1"}))
        assert list(entered.players.filter(last_name="Lee").values_list("country", flat=True)) == [
            "GBR",
            "USA",
        ]


def test_a_list_of_people_who_are_entered_does_not_say_that_nobody_is(
    olga: Client, entered: Tournament
) -> None:
    page = send(olga, entered, pasted=HEAD + ADA.replace("Red", "Blue") + BO).text
    assert "2 known, 0 new, 1 changed" in page
    assert "Nothing is stored yet." in page
