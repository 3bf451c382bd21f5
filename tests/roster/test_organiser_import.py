"""Entering a list of players: send, look, mend, enter; other sheets, whole names, lost zeros, the same list again."""

import io
import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook

from tests.support.factories import SYSTEM
from tests.support.pages import missing, refused_page
from tournament.base.models.tournament import Tournament
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.roster.views.importing import MAX_EDITABLE_ROWS
from tournament.web.exports.sheets import MAX_BYTES

DATA = Path(__file__).parents[1] / "data"

HEAD = "No.;Surname;First name;Country;EMA;Team\n"
ADA, BO = "1;DUPONT;Ada;FRA;04000123;Red\n", "2;Lee;Bo;GBR;;Red\n"
EVENT_WITH = {"players": 0}


@pytest.fixture
def entered(event: Tournament) -> Tournament:
    ada = Entrant("DUPONT", "Ada", "FRA", "04000123", "Red", 1)
    add_players(event, SYSTEM, [ada, Entrant("Lee", "Bo", "GBR", team="Red", number=2)])
    return event


def send(olga: Client, event: Tournament, **form: object) -> HttpResponse:
    url = reverse("organiser_import", args=[event.slug])
    return olga.post(url, form, follow="enter" in form)  # type: ignore[return-value]


def update(olga: Client, event: Tournament, **form: object) -> HttpResponse:
    return olga.post(reverse("organiser_import", args=[event.slug]), form)  # type: ignore[return-value]


def upload(olga: Client, event: Tournament, name: str) -> HttpResponse:
    return send(olga, event, file=SimpleUploadedFile(name, (DATA / name).read_bytes()))


def carried(answer: HttpResponse, form: str = "list") -> dict[str, object]:
    """What the page's form would send if nothing were touched."""
    page: str = answer.text
    sent: dict[str, object] = {}
    for tag in re.findall(r"<input\s[^>]*>", page):
        attributes = {name: unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if attributes["type"] in ("checkbox", "radio"):
            if tag.rstrip(">").rstrip().endswith("checked"):
                sent.setdefault(name, []).append(value)  # type: ignore[attr-defined]
        elif name in (form, "offered", "zeros") or name.startswith("cell-"):
            sent[name] = value
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'<option(?: value="([^"]*)")? selected>([^<]*)', options)
        sent[name] = unescape(chosen[1] if chosen[1] is not None else chosen[2]) if chosen else ""
    return sent


def test_a_clean_list_is_previewed_and_entered_once(olga: Client, event: Tournament) -> None:
    answer = upload(olga, event, "players.csv")
    assert missing(answer.text, "16 people, nothing to fix", "Add 16 players") == []
    assert "Write family names as De la Cruz" in answer.text
    assert "Chiara De la Cruz" in send(olga, event, **(carried(answer) | {"soften": "1"})).text
    assert not event.players.exists()
    form = carried(answer) | {"enter": "1"}
    assert "16 players entered." in send(olga, event, **form).text
    player = event.players.get(number=8)
    assert (player.name, player.country, player.ema_number) == ("伟 VAN DEN BERG", "CHN", "21308441")
    again = send(olga, event, **form)
    assert missing(again.text, "16 known, 0 new, 0 changed", "There is nothing to add") == []
    assert event.players.count() == 16


class TestMending:
    @pytest.mark.thorough
    def test_a_list_with_problems_in_every_row_fits_into_a_form(
        self, olga: Client, event: Tournament
    ) -> None:
        rows = "\n".join(f"Name {number},{number}" for number in range(MAX_EDITABLE_ROWS + 9))
        answer = send(olga, event, pasted=f"Name,EMA\n{rows}")
        assert "9 more rows need fixing" in answer.text
        form = carried(answer)
        assert sum(name.startswith("cell-") for name in form) == 3 * MAX_EDITABLE_ROWS
        assert send(olga, event, **form).status_code == 422

    def test_rows_are_corrected_in_the_preview_and_entered(self, olga: Client, event: Tournament) -> None:
        answer = upload(olga, event, "players-messy.csv")
        sentences = ("Row 6, Last name: The name is missing.", "Row 13, Country: There is no country “XX”.")
        assert missing(unescape(answer.text), *sentences, "6 problems to fix") == []
        form = carried(answer)
        assert send(olga, event, **form, enter="1").status_code == 422
        once = send(olga, event, **(form | {"cell-6-last_name": "Dubois"}))
        twice = send(olga, event, **(carried(once) | {"cell-7-ema_number": "04000124"}))
        assert "4 problems to fix" in unescape(twice.text)
        assert "Sans-Nom Dubois" in unescape(twice.text), "mended before"
        rest = {"cell-9-ema_number": "06000123", "cell-12-last_name": "Cmd", "cell-13-country": "Việt Nam"}
        row_2_again = {"leave": ["8"]}
        checked = send(olga, event, **(carried(twice) | rest | row_2_again))
        assert "10 people, nothing to fix" in checked.text
        assert not event.players.exists()
        send(olga, event, **(carried(checked) | row_2_again | {"enter": "1"}))
        assert [player.name for player in event.players.all()] == [
            "Élodie DUPONT", "Jürgen müller", "Zoë O'NEILL", "Sans-Nom Dubois", "王伟", "Søren ØSTERGAARD",
            "Inês SILVA", "Márton DE LA CRUZ; hijo", "Eve Cmd", "Quentin Nguyễn",
        ]  # fmt: skip
        assert event.players.get(last_name="Nguyễn").country == "VNM"

    def test_one_button_restores_all_lost_zeros(self, olga: Client, event: Tournament) -> None:
        text = HEAD + "".join(f"{n};Name{n};;FRA;400012{n};\n" for n in range(1, 6))
        answer = send(olga, event, pasted=text)
        assert missing(answer.text, "Restore all 5 zeros", "<s>4000123</s> → <b>04000123</b>") == []
        mended = send(olga, event, **(carried(answer) | {"zeros": "1"}))
        assert "5 people, nothing to fix" in mended.text
        send(olga, event, **(carried(mended) | {"enter": "1"}))
        assert event.players.get(number=3).ema_number == "04000123"


@pytest.mark.thorough
def test_columns_are_chosen_and_an_invalid_list_is_refused(
    olga: Client, event: Tournament, subtests: pytest.Subtests
) -> None:
    answer = send(olga, event, pasted="Wer,Wo,Team,EMA\nDupont,Frankreich,A,\n")
    assert "Which column holds the names?" in answer.text
    columns = {"column-0": "last_name", "column-1": "country", "column-2": "team"}
    checked = send(olga, event, **(carried(answer) | columns))
    assert missing(checked.text, "1 person, nothing to fix", "FRA") == []
    for content, sentence in (
        (b"", "There is nobody in this list."),
        (b"\x89PNG\r\n\x1a\n\0\0", "This file is not a list that can be read."),
        (b"x" * (MAX_BYTES + 1), "This file is too large to be a list of players."),
    ):
        with subtests.test(sentence):
            answer = send(olga, event, file=SimpleUploadedFile("list.csv", content))
            assert (answer.status_code, sentence in answer.text) == (422, True)
    assert "Choose a file, or paste the list below." in send(olga, event, pasted=" ").text
    for torn in ("null", '[["Name"],["last_name"],[[2]', "[" * 50_000):
        with subtests.test("torn", preview=torn[:30]):
            answer = send(olga, event, list=torn, enter="1")
            assert "The list arrived incomplete." in refused_page(answer)


def workbook() -> SimpleUploadedFile:
    book, file = Workbook(), io.BytesIO()
    book.active.title = "Cover"
    book.active.append(["Danish Open 2026"])
    players, waiting = book.create_sheet("Players"), book.create_sheet("Waiting")
    headings = ["#", "SURNAME", "First name", "EMA"]
    for row in (["Danish Open 2026"], [], headings, [1, "DUPONT", "Ada", 4000123], [2, "LEE", "Bo"]):
        players.append(row)
    for row in (["SURNAME", "First name"], ["", "Kasia"]):
        waiting.append(row)
    book.save(file)
    return SimpleUploadedFile("danish.xlsx", file.getvalue())


class TestSheetsAndFiles:
    def test_another_sheet_keeps_the_corrections(self, olga: Client, event: Tournament) -> None:
        answer = send(olga, event, file=workbook())
        assert missing(answer.text, "Read from sheet “Players”, headings in row 3", "Ada DUPONT") == []
        form = carried(answer) | {"cell-4-ema_number": "04000124"}
        other = send(olga, event, **(form | {"sheet": "Waiting"}))
        assert "Read from sheet “Waiting”, headings in row 1" in other.text
        back = send(olga, event, **(carried(other) | {"sheet": "Players"}))
        assert missing(back.text, "04000124", "2 people, nothing to fix") == []
        page = send(olga, event, **(form | {"heading": "0"})).text
        assert missing(page, "Read from sheet “Players”, without headings", "04000124") == []

    def test_an_empty_sheet_or_a_legend_is_left_out(self, olga: Client, event: Tournament) -> None:
        form = carried(send(olga, event, pasted=HEAD + ADA))
        answer = send(olga, event, **(form | {"heading": "2"}))
        assert answer.status_code == 422
        assert missing(answer.text, "There is nobody in this list.", "Read with headings in row 1") == []
        answer = send(olga, event, pasted=HEAD + ADA + BO + "\n* vegetarian;;;;;\n")
        assert missing(answer.text, "2 people, nothing to fix", "not a person?") == []
        form = carried(answer)
        assert form.pop("leave") == ["5"]
        assert "Row 5, Number" in unescape(send(olga, event, **form).text)


def test_a_list_or_file_is_there_again_until_a_new_one_replaces_it(olga: Client, event: Tournament) -> None:
    text = HEAD + ADA + "2;;Bo;GBR;;\n"
    answer = send(olga, event, pasted=text)
    assert "no-store" in answer["Cache-Control"]
    page = send(olga, event, **(carried(answer) | {"cell-3-last_name": "Leigh", "back": "1"}))
    assert page.status_code == 200
    assert HEAD + ADA in unescape(page.text)
    again = send(olga, event, pasted=text, previous=carried(page, "previous")["previous"])
    assert "Bo Leigh" in again.text
    empty = olga.get(reverse("organiser_import", args=[event.slug]))
    assert empty["Cache-Control"] == "private, no-cache", "browsers may keep the empty form"
    form = carried(send(olga, event, file=workbook()))
    page = send(olga, event, **(form | {"back": "1"}))
    assert "danish.xlsx" in page.text
    list_before = carried(page, "previous")["previous"]
    assert "Read from sheet “Players”" in send(olga, event, pasted="", previous=list_before).text
    assert "1 person, nothing to fix" in send(olga, event, pasted=HEAD + BO, previous=list_before).text


def test_full_names_are_split_row_by_row_or_left_whole(olga: Client, event: Tournament) -> None:
    answer = send(olga, event, pasted="Name;Country\nDUPONT Élodie;FRA\nBo LEE;GBR\n王伟;CHN\n")
    assert "Add 3 players" in answer.text
    send(olga, event, **(carried(answer) | {"enter": "1"}))
    people = event.players.values_list("last_name", "first_name")
    assert list(people) == [("DUPONT", "Élodie"), ("LEE", "Bo"), ("王", "伟")]
    event.players.all().delete()
    whole = send(olga, event, **(carried(answer) | {"split": "whole"}))
    send(olga, event, **(carried(whole) | {"enter": "1"}))
    assert event.players.get(number=1).last_name == "DUPONT Élodie"


def test_names_in_doubt_are_shown_and_swapped(olga: Client, event: Tournament) -> None:
    answer = send(olga, event, pasted="Name\nMikko Virtanen\nLindqvist, Erik\nKorhonen Aino\n")
    assert missing(answer.text, "2 names may be in the wrong order", "Swap all of them", "3 people") == []
    assert "nothing to fix" not in answer.text
    swapped = send(olga, event, **(carried(answer) | {"swap": "4"}))
    assert "1 name may be in the wrong order" in swapped.text
    send(olga, event, **(carried(swapped) | {"enter": "1"}))
    people = event.players.values_list("last_name", "first_name")
    assert list(people) == [("Virtanen", "Mikko"), ("Lindqvist", "Erik"), ("Korhonen", "Aino")]
    both = send(olga, event, **(carried(answer) | {"swap": "all"}))
    assert missing(both.text, "Virtanen Mikko", "Aino Korhonen") == []


def test_an_encoding_in_doubt_is_asked_about_and_can_be_changed(olga: Client, event: Tournament) -> None:
    names = "Lõoke;Aivar\n".encode("cp1257")
    answer = send(olga, event, file=SimpleUploadedFile("list.csv", names))
    assert "Lõoke" not in answer.text, "too short to know, so that there must be a question"
    assert missing(answer.text, "it was read as Windows-1250", "choose another encoding") == []
    assert "nothing to fix" not in answer.text
    changed = send(olga, event, **(carried(answer) | {"encoding": "cp1257"}))
    assert missing(changed.text, "Lõoke", '<span class="tag">Windows-1257</span>', "nothing to fix") == []
    assert "it was read as" not in changed.text


def test_columns_that_nobody_reads_are_named_and_numbers_ignored(olga: Client, event: Tournament) -> None:
    answer = send(olga, event, pasted="No.;Name;Diet\n7;Lindqvist, Erik;vegan\n9;Lee, Bo;\n")
    assert missing(answer.text, "Not read: Diet", "Ignore the numbers") == []
    ignored = send(olga, event, **(carried(answer) | {"ignore": "0"}))
    send(olga, event, **(carried(ignored) | {"enter": "1"}))
    assert list(event.players.values_list("number", flat=True)) == [1, 2]


def test_namesakes_are_distinguished_or_left_out(olga: Client, event: Tournament) -> None:
    answer = send(olga, event, pasted=HEAD + ";Jansen;Jan;NLD;;Red\n;Jansen;Jan;NLD;;Blue\n")
    assert "Row 2 has the same name." in answer.text
    assert send(olga, event, **(carried(answer) | {"enter": "1"})).status_code == 422
    assert not event.players.exists()
    apart = send(olga, event, **(carried(answer) | {"apart": "3"}))
    send(olga, event, **(carried(apart) | {"enter": "1"}))
    assert event.players.count() == 2
    event.players.all().delete()
    send(olga, event, **(carried(answer) | {"leave": "3", "enter": "1"}))
    assert event.players.count() == 1


class TestTheSameListAgain:
    CHANGED = HEAD + ADA.replace("Red", "Blue").replace("FRA", "BEL") + BO

    def test_known_players_stay_and_differences_are_chosen(self, olga: Client, entered: Tournament) -> None:
        page = send(olga, entered, pasted=HEAD + ADA + BO).text
        assert missing(page, "2 known, 0 new, 0 changed", "There is nothing to add") == []
        assert 'name="enter"' not in page
        without_bo = send(olga, entered, pasted=HEAD + ADA).text
        assert missing(without_bo, "1 player is not in this list, and stays", "2 Bo Lee") == []
        answer = send(olga, entered, pasted=self.CHANGED)
        assert "2 known, 0 new, 1 changed" in answer.text
        assert "Nothing is stored yet." in answer.text
        assert "Team: <s>Red</s> → <b>Blue</b>" in answer.text
        form = carried(answer)
        form["take"] = [key for key in form["take"] if ".team." in key]  # type: ignore[attr-defined]
        assert "1 player changed." in send(olga, entered, **(form | {"enter": "1"})).text
        ada = entered.players.get(number=1)
        assert (ada.team, ada.country) == ("Blue", "FRA")

    def test_only_what_was_shown_is_stored(self, olga: Client, entered: Tournament) -> None:
        form = carried(send(olga, entered, pasted=self.CHANGED))
        entered.players.filter(number=1).update(team="Green")
        answer = send(olga, entered, **(form | {"enter": "1"}))
        assert "Team: <s>Green</s> → <b>Blue</b>" in answer.text
        assert entered.players.get(number=1).team == "Green"


class TestTheEventsOwnListEdited:
    """Every difference is chosen, and the whole can be taken back."""

    LIST = "number;last name;first name;team;club\n1;Durand;Ada;;\n3;王;伟;Blue;\n"

    @pytest.fixture
    def listed(self, event: Tournament) -> Tournament:
        add_players(event, SYSTEM, [Entrant("Dupont", "Ada", team="Red"), Entrant("Lee", "Bo")])
        return event

    def test_emptied_fields_and_missing_players_are_not_ticked(
        self, olga: Client, listed: Tournament
    ) -> None:
        page = update(olga, listed, pasted=self.LIST)
        sent = carried(page)
        offered = str(sent["offered"]).split()
        assert [key.rpartition(".")[0] for key in offered] == ["1.last_name", "1.team", "2.leaves"]
        assert sent["take"] == offered[:1]
        assert update(olga, listed, **sent, enter="1").status_code == 302
        ada, bo, wei = listed.players.order_by("number")
        assert (ada.last_name, ada.team, bo.is_withdrawn, wei.name) == ("Durand", "Red", False, "王伟")

    def test_ticked_changes_are_done_and_undone(self, olga: Client, listed: Tournament) -> None:
        def state() -> list[tuple[str, str, bool]]:
            players = listed.players.order_by("number")
            return [(player.last_name, player.team, player.is_withdrawn) for player in players]

        url, before = reverse("organiser_list_undo", args=[listed.slug]), state()
        sent = carried(update(olga, listed, pasted=self.LIST))
        ticked = sent | {"take": str(sent["offered"]).split()}
        update(olga, listed, **ticked, enter="1")
        assert listed.players.get(number=2).is_withdrawn
        assert url in olga.get(reverse("organiser_people", args=[listed.slug])).text
        assert olga.post(url, {"step": olga.get(url).context["step"].seq}).status_code == 302
        assert state() == before
        update(olga, listed, **sent, enter="1")
        listed.players.filter(number=1).update(last_name="Duval")
        page = olga.get(url)
        assert "Number 1, Ada Durand, has been changed since and stays as it is." in page.text
        olga.post(url, {"step": page.context["step"].seq, "without": [1]})
        assert [player.last_name for player in listed.players.all()] == ["Duval", "Lee"]

    def test_a_change_made_meanwhile_is_refused(self, olga: Client, listed: Tournament) -> None:
        sent = carried(update(olga, listed, pasted=self.LIST))
        listed.players.filter(number=1).update(last_name="Duval")
        page = update(olga, listed, **sent, enter="1")
        assert "Player 1 has been changed in the meantime. Reload the page." in page.text
        assert listed.players.count() == 2
        assert "<s>Duval</s> → <b>Durand</b>" in " ".join(page.text.split())
