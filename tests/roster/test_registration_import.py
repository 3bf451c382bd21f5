"""Lists whose new people are registered: preview, states of the rows, doubles, and the sheet read in again."""

import io
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament
from tests.support.pages import missing, signed_in
from tests.support.programs import client_of
from tests.support.registrations import confirmed, make_plan, question
from tournament.base.models.tournament import Role, Tournament
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.registration.services.admissions import set_questions

EVENT_WITH = {"players": 0}
CSV = (
    "Nom;Prénom;Pays;E-mail;Club;N° EMA\n"
    "Nowak;Anna;Pologne;anna@example.org;Wien;04000123\n"
    "Lima;Rui;Atlantide;x;;\n"
)
RUI_MENDED = {"cell-3-country": "Portugal", "cell-3-email": ""}


@pytest.fixture
def planned(event: Tournament) -> Tournament:
    make_plan(event, places=400)
    return event


def send(client: Client, event: Tournament, data: bytes = b"", /, **form: Any) -> Any:
    form = form or {"file": SimpleUploadedFile("list.csv", data)}
    return client.post(reverse("organiser_import", args=[event.slug]), form)


def sent_back(answer: Any) -> dict[str, Any]:
    """What the preview carries, without its cells."""
    values = re.findall(r'name="(list|offered)" value="([^"]*)"', answer.text)
    return {name: unescape(value) for name, value in values}


def edited_rows(answer: Any) -> set[str]:
    return set(re.findall(r'name="cell-(\d+)-', answer.text))


def state_of(answer: Any, row: int) -> str:
    rows = {context["row"].number: context["row"] for context in answer.context["rows"]}
    state: str = rows[row].state
    return state


def test_new_people_are_registered_once_registration_is_planned(olga: Client, planned: Tournament) -> None:
    answer = send(olga, planned, CSV.encode())
    assert missing(answer.text, "There is no country “Atlantide”.", "2 problems to fix") == []
    mended = send(olga, planned, **sent_back(answer), **RUI_MENDED)
    assert "Register 2 people" in mended.text
    assert not planned.registrations.exists()
    send(olga, planned, **sent_back(mended), enter="1")
    anna, rui = planned.registrations.order_by("number")
    assert (anna.name, anna.country, anna.email, anna.ema_number) == (
        "Anna Nowak",
        "POL",
        "anna@example.org",
        "04000123",
    )
    assert (rui.name, rui.state, planned.players.count()) == ("Rui Lima", "accepted", 0)
    again = send(olga, planned, CSV.encode())
    assert missing(again.text, "2 already registered", "There is nothing to add") == []


def test_new_people_become_players_when_somebody_says_so(olga: Client, planned: Tournament) -> None:
    answer = send(olga, planned, b"Last name;First name\nNowak;Anna\n")
    as_players = send(olga, planned, **sent_back(answer), enter_as="players")
    assert "Add 1 player" in as_players.text
    send(olga, planned, **sent_back(as_players), enter_as="players", enter="1")
    assert (planned.players.count(), planned.registrations.count()) == (1, 0)


@pytest.mark.parametrize("enter_as", ["players", "registrations"])
def test_second_names_and_prefixes_have_columns(olga: Client, planned: Tournament, enter_as: str) -> None:
    text = "Achternaam;Tussenvoegsel;Voornaam;Name on the badge\nBerg;van den;Anna;Aa\nVisser;-;Daan;\n"
    answer = send(olga, planned, text.encode())
    answer = send(olga, planned, **sent_back(answer), enter_as=enter_as)
    send(olga, planned, **sent_back(answer), enter_as=enter_as, enter="1")
    people = planned.players if enter_as == "players" else planned.registrations
    assert list(people.order_by("number").values_list("last_name", "first_name", "second_name")) == [
        ("van den Berg", "Anna", "Aa"),
        ("Visser", "Daan", ""),
    ]


class TestAListOfWhoIsRegistered:
    LIST = "Last name;First name;EMA number;Club\nNowak;Anna;18000001;Gdynia\nLima;Rui;12;\n"

    @pytest.fixture
    def registered(self, planned: Tournament) -> Tournament:
        confirmed(planned, 1, last_name="Nowak", first_name="Anna", country="POL", club="Gdańsk")
        confirmed(planned, 2, last_name="Lima", first_name="Rui", country="PRT")
        return planned

    def anna(self, event: Tournament) -> tuple[str, str]:
        registration = event.registrations.get(number=1)
        return registration.ema_number, registration.club

    def test_the_desk_takes_its_differences(self, registered: Tournament) -> None:
        desk = signed_in(make_member(registered, Role.DESK, "dora"))
        answer = send(desk, registered, self.LIST.encode())
        assert [state_of(answer, row) for row in (2, 3)] == ["changed", "registered"], "12 is no EMA number"
        number, _club = sent_back(answer)["offered"].split()
        send(desk, registered, **sent_back(answer), take=[number], enter="1")
        assert self.anna(registered) == ("18000001", "Gdańsk")
        assert registered.registrations.count() == 2
        assert "registration_changed" in registered.log.values_list("action", flat=True)

    def test_what_changed_meanwhile_is_refused(self, olga: Client, registered: Tournament) -> None:
        answer = send(olga, registered, self.LIST.encode())
        back = sent_back(answer)
        registered.registrations.filter(number=1).update(club="Sopot")
        page = send(olga, registered, **back, take=back["offered"].split(), enter="1")
        assert "Registration 1 has been changed in the meantime." in page.text
        assert self.anna(registered) == ("", "Sopot")

    def test_nothing_is_changed_for_a_person_in_doubt(self, olga: Client, registered: Tournament) -> None:
        text = "Last name;First name;Country;Club\nNowak;Anna;Germany;Berlin\n"
        answer = send(olga, registered, text.encode())
        assert (state_of(answer, 2), sent_back(answer)["offered"]) == ("doubtful", "")

    def test_programs_take_differences(self, registered: Tournament) -> None:
        program = client_of(make_organiser(registered, "program"))
        url = reverse("api_player_list", args=[registered.slug])
        sent = {"text": self.LIST, "enter_as": "registrations"}
        preview = program.post(reverse("api_player_list_preview", args=[registered.slug]), sent).json()
        (number, _club) = preview["rows"][0]["differences"]
        entered = program.post(url, sent | {"take": [number["key"]]}).json()
        assert (entered["registrations"], entered["changed_registrations"]) == ([], [1])
        assert self.anna(registered) == ("18000001", "Gdańsk")


@pytest.mark.parametrize("enter_as", ["players", "registrations"])
def test_known_people_are_never_entered_again(olga: Client, planned: Tournament, enter_as: str) -> None:
    """Whatever new people become, rows are compared with players and with registrations."""
    add_players(planned, SYSTEM, [Entrant("Müller", "Jürgen", "DEU")])
    confirmed(planned, 1, last_name="Nowak", first_name="Anna", country="POL")
    confirmed(planned, 2, last_name="Lima", first_name="Rui", country="PRT")
    text = "Name;Vorname;Land\nMüller;Jürgen;DEU\nNOWAK;Anna;POL\nLima;Rui;BRA\n"
    answer = send(olga, planned, text.encode())
    answer = send(olga, planned, **sent_back(answer), enter_as=enter_as)
    assert [state_of(answer, row) for row in (2, 3, 4)] == ["known", "registered", "doubtful"]
    assert missing(answer.text, "already registered, no. 1", "Another person of the same name") == []
    send(olga, planned, **sent_back(answer), enter_as=enter_as, enter="1")
    assert (planned.players.count(), planned.registrations.count()) == (1, 2)
    apart = send(olga, planned, **sent_back(answer), enter_as=enter_as, apart="4")
    assert state_of(apart, 4) == "new"
    send(olga, planned, **sent_back(apart), enter_as=enter_as, apart="4", enter="1")
    assert planned.players.count() + planned.registrations.count() == 4


def test_several_lists_are_added_from_one_page(olga: Client, planned: Tournament) -> None:
    page = reverse("organiser_import", args=[planned.slug])
    for name, country in (("Nowak;Anna", "POL"), ("Lima;Rui", "PRT")):
        preview = send(olga, planned, f"Last name;First name;Country\n{name};{country}\n".encode())
        assert "Add, then another list" in preview.text
        answer = olga.post(page, sent_back(preview) | {"another": "1"}, follow=True)
        assert answer.redirect_chain == [(page, 302)]
        assert missing(answer.text, "1 person is registered.", "Preview the list") == []
    assert planned.registrations.count() == 2
    faulty = send(olga, planned, b"Last name;Country\nBerg;Atlantide\n")
    refused = send(olga, planned, **sent_back(faulty), another="1")
    assert (refused.status_code, planned.registrations.count()) == (422, 2)


def test_the_front_desk_registers_but_enters_no_players(
    client: Client, planned: Tournament, olga: Client
) -> None:
    planned.memberships.update(role=Role.DESK)
    answer = send(olga, planned, b"Last name;First name\nNowak;Anna\n")
    assert 'name="enter_as"' not in answer.text
    as_players = send(olga, planned, **sent_back(answer), enter_as="players")
    for button in ("enter", "another"):
        refused = send(olga, planned, **sent_back(as_players), enter_as="players", **{button: "1"})
        assert (refused.status_code, planned.players.count()) == (403, 0)
    send(olga, planned, **sent_back(answer), enter="1")
    assert planned.registrations.count() == 1


def test_the_order_of_known_names_is_not_asked_about(olga: Client, planned: Tournament) -> None:
    confirmed(planned, 1, last_name="Virtanen", first_name="Mikko")
    answer = send(olga, planned, b"Name\nMikko Virtanen\nAino Korhonen\n")
    assert [row.number for row in answer.context["doubtful_names"]] == [3]


def test_any_row_can_be_edited(olga: Client, planned: Tournament) -> None:
    answer = send(olga, planned, b"Last name;First name\nNowak;Anna\nLima;Rui\n")
    assert edited_rows(answer) == set()
    editing = send(olga, planned, **sent_back(answer), edit="3")
    assert edited_rows(editing) == {"3"}
    changed = send(olga, planned, **sent_back(editing), edit="3", **{"cell-3-last_name": "Limão"})
    assert "Rui Limão" in changed.text


def test_what_was_left_out_stays_left_out_when_columns_are_read_again(
    olga: Client, planned: Tournament
) -> None:
    answer = send(olga, planned, b"Last name;First name;Wo\nNowak;Anna;Wien\nLima;Rui;Faro\n")
    again = send(olga, planned, **sent_back(answer), leave="3", **{"column-2": "club"})
    assert [state_of(again, row) for row in (2, 3)] == ["new", "left_out"]


@pytest.mark.thorough
def test_a_thousand_are_read_and_registered(olga: Client, planned: Tournament) -> None:
    rows = [f"Name{number};First;DEU;p{number}@example.org;Club;" for number in range(1000)]
    answer = send(
        olga, planned, ("Last name;First name;Country;E-mail;Club;EMA\n" + "\n".join(rows)).encode()
    )
    send(olga, planned, **sent_back(answer), enter="1")
    states = list(planned.registrations.values_list("state", flat=True))
    assert (states.count("accepted"), states.count("waiting")) == (400, 600)


def test_the_sheet_is_read_in_again(olga: Client, planned: Tournament) -> None:
    (lunch,) = set_questions(planned, SYSTEM, [question("yes_no", text={"en": "Lunch?"})])
    confirmed(planned, 1, last_name="Nowak", answers={str(lunch.pk): True})
    sheet = olga.get(reverse("organiser_list_people", args=[planned.slug, "xlsx"])).content
    headings, row = load_workbook(io.BytesIO(sheet)).worksheets[0].iter_rows(values_only=True)
    cells = dict(zip(headings, row, strict=True))
    assert (cells["last name"], cells["Lunch?"]) == ("Nowak", "yes")
    other = make_tournament(players=0, drawn=False, name="Other")
    make_plan(other)
    planned.memberships.update(tournament=other)
    assert "Register 1 person" in send(olga, other, sheet).text


def test_a_workbook_of_whole_names_is_read(olga: Client, planned: Tournament) -> None:
    book, file = Workbook(), io.BytesIO()
    for row in ("Name Land Mail", "Nowak Polen a@example.org", "Lima Portugal"):
        book.active.append(row.split())
    book.save(file)
    assert "Register 2 people" in send(olga, planned, file.getvalue()).text
