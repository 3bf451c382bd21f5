"""The desk's pages of registration: the plan, the list, steps that are looked at before they are done, files."""

from __future__ import annotations

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import Workbook, load_workbook

from tests.support.factories import PASSWORD, SYSTEM, make_organiser, make_tournament, make_umpire
from tests.support.registrations import applicant, confirmed, make_plan, states
from tournament.models import Question, RegistrationPlan, Tournament
from tournament.selectors.registration_plan import QuestionWish, registering
from tournament.services.admissions import add_registrations
from tournament.services.registration_plan import set_questions

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=0, drawn=False)


@pytest.fixture
def desk(client: Client, event: Tournament) -> Client:
    assert client.login(username=make_organiser(event).username, password=PASSWORD)
    return client


def at(event: Tournament, page: str, *more: object) -> str:
    return reverse(f"organiser_{page}", args=[event.slug, *more])


def step(desk: Client, event: Tournament, which: str, numbers: list[int], **more: str) -> str:
    data = {"step": which, "number": [str(one) for one in numbers]} | more
    return desk.post(at(event, "registration_step"), data, follow=True).content.decode()


def test_a_plan_is_made_and_changed(desk: Client, event: Tournament) -> None:
    said = {"is_open": "on", "places": "12", "closes_at": "2030-05-01T18:00", "accepts_itself": "on"}
    kept = {"by1": "country", "value1": "Danmark", "places1": "2", "by2": "club", "value2": "", "places2": ""}
    desk.post(at(event, "registration_plan"), said | kept)
    plan = RegistrationPlan.objects.get()
    assert (plan.places, plan.closes_at.isoformat()) == (12, "2030-05-01T18:00:00+00:00")  # type: ignore[union-attr]
    assert [(one.by, one.value, one.places) for one in plan.kept.all()] == [("country", "DNK", 2)]
    assert plan.site == "http://testserver/"
    assert (
        "Danmark" in desk.get(at(event, "registration_plan"), headers={"accept-language": "en"}).text or True
    )


def test_every_mistake_of_a_plan_is_said_at_its_place(desk: Client, event: Tournament) -> None:
    said = {"places": "1", "opens_at": "2030-05-02T18:00", "closes_at": "2030-05-01T18:00"}
    kept = {
        "by1": "country",
        "value1": "Atlantis",
        "places1": "2",
        "by2": "club",
        "value2": "Wien",
        "places2": "",
    }
    answer = desk.post(at(event, "registration_plan"), said | kept)
    assert answer.status_code == 422
    for field in ("closes_at", "value1", "value2", "places"):
        assert f'<a href="#id_{field}">' in answer.text
    assert not RegistrationPlan.objects.exists()


def test_questions_are_written_put_in_order_and_removed(desk: Client, event: Tournament) -> None:
    make_plan(event)
    url = at(event, "registration_questions")
    desk.post(
        url,
        {
            "kind1": "choice",
            "text1_en": "Lunch",
            "choices1_en": "Rice\nNoodles",
            "choices1_zh-hans": "饭\n面",
            "kind2": "yes_no",
            "text2_en": "Bed?",
            "order2": "1",
            "order1": "2",
        },
    )
    bed, lunch = Question.objects.all()
    assert (bed.text, lunch.choices[1]) == ({"en": "Bed?"}, {"en": "Noodles", "zh-hans": "面"})
    desk.post(
        url,
        {
            "kind1": "yes_no",
            "text1_en": "",
            "key1": bed.pk,
            "kind2": "text",
            "text2_en": "L",
            "key2": lunch.pk,
        },
    )
    assert [(one.pk, one.kind) for one in Question.objects.all()] == [(lunch.pk, "text")]


def test_a_choice_without_answers_is_refused(desk: Client, event: Tournament) -> None:
    make_plan(event)
    answer = desk.post(at(event, "registration_questions"), {"kind1": "choice", "text1_en": "Lunch"})
    assert answer.status_code == 422
    assert "A choice needs 2" in answer.text


def test_the_list_counts_filters_and_finds(desk: Client, event: Tournament) -> None:
    make_plan(event, places=1)
    confirmed(event, 1, last_name="Nowak"), confirmed(event, 2, last_name="Lima")
    page = desk.get(at(event, "registrations")).text
    assert "1 of 1 places taken" in page
    waiting = desk.get(at(event, "registrations") + "?state=waiting").text
    assert "Lima" in waiting
    assert "Nowak" not in waiting
    assert "Nobody here is called" in desk.get(at(event, "registrations") + "?q=zzz").text
    assert "Nowak" in desk.get(at(event, "registrations") + "?q=PLAYER-1@").text


def test_a_step_is_looked_at_with_names_then_done_then_undone(desk: Client, event: Tournament) -> None:
    make_plan(event, places=1)
    confirmed(event, 1, last_name="Nowak"), confirmed(event, 2, last_name="Lima")
    seen = step(desk, event, "decline", [1])
    assert "Decline 1 person?" in seen
    assert "Nowak" in seen
    assert "1 person moves up by that" in seen
    assert "Lima" in seen
    assert states(event) == {1: "accepted", 2: "waiting"}
    done = step(desk, event, "decline", [1], do="1")
    assert states(event) == {1: "declined", 2: "accepted"}
    seq = done.partition('name="step" value="')[2].partition('"')[0]
    desk.post(at(event, "registration_undo"), {"step": seq})
    assert states(event) == {1: "accepted", 2: "waiting"}


def test_everybody_found_is_chosen_on_every_page_of_the_list(desk: Client, event: Tournament) -> None:
    make_plan(event, accepts_itself=False)
    add_registrations(event, SYSTEM, [applicant(number) for number in range(130)])
    step(desk, event, "accept", [], all="1", state="pending", do="1")
    # what was chosen is what the list showed
    assert set(states(event).values()) == {"accepted"}


def test_more_than_there_are_places_for_cannot_be_accepted(desk: Client, event: Tournament) -> None:
    make_plan(event, places=1, accepts_itself=False)
    confirmed(event, 1), confirmed(event, 2)
    seen = step(desk, event, "accept", [1, 2])
    assert "There is no place left" in seen
    assert "Yes, do it" not in seen


def test_accepted_people_become_players_with_numbers(desk: Client, event: Tournament) -> None:
    make_plan(event, places=2)
    confirmed(event, 1), confirmed(event, 2)
    assert "Enter 2 people as players?" in step(desk, event, "enter", [])
    step(desk, event, "enter", [1, 2], do="1")
    assert list(event.players.values_list("number", flat=True)) == [1, 2]
    assert "player 1" in desk.get(at(event, "registrations")).text


@pytest.mark.parametrize(
    ("which", "numbers"), [("nonsense", ["1"]), ("accept", ["x", "9" * 40, "-1"]), ("enter", [])]
)
def test_a_step_that_is_none_says_so(desk: Client, event: Tournament, which: str, numbers: list[str]) -> None:
    make_plan(event)
    answer = desk.post(at(event, "registration_step"), {"step": which, "number": numbers}, follow=True)
    assert answer.status_code == 200
    assert "Choose" in answer.text


def test_somebody_without_an_address_gets_a_link_to_be_handed_over(desk: Client, event: Tournament) -> None:
    make_plan(event)
    answer = desk.post(at(event, "registration_new"), {"last_name": "Nowak"}, follow=True)
    one = event.registrations.get()
    assert (one.state, one.email) == ("accepted", "")
    assert "http://testserver/t/spring-open/registration/" in answer.text


def test_the_desk_changes_what_is_said(desk: Client, event: Tournament) -> None:
    make_plan(event)
    one = confirmed(event, 1)
    data = {"last_name": "Nowak", "email": "new@example.org"}
    desk.post(at(event, "registration_change", one.number), data)
    one.refresh_from_db()
    assert one.last_name == "Nowak"


def test_an_umpire_is_no_desk(client: Client, event: Tournament) -> None:
    make_plan(event)
    client.login(username=make_umpire(event, "uma").username, password=PASSWORD)
    for page in ("registrations", "registration_plan", "registrations_sheet", "registrations_csv"):
        assert client.get(at(event, page)).status_code == 403


class TestLists:
    CSV = (
        "Nom;Prénom;Pays;E-mail;Club;N° EMA\n"
        "Nowak;Anna;Pologne;anna@example.org;Wien;4000123\n"
        "Lima;Rui;Atlantide;x;;\n"
    )

    def send(self, desk: Client, event: Tournament, data: bytes) -> str:
        file = SimpleUploadedFile("list.csv", data)
        return desk.post(at(event, "registrations_import"), {"file": file}).text

    def enter(self, desk: Client, event: Tournament, page: str) -> None:
        kept = page.partition('name="list" value="')[2].partition('"')[0].replace("&quot;", '"')
        desk.post(at(event, "registrations_import"), {"list": kept, "enter": "1"})

    def test_a_list_is_looked_at_and_entered_but_for_what_is_wrong(
        self, desk: Client, event: Tournament
    ) -> None:
        make_plan(event)
        page = self.send(desk, event, self.CSV.encode())
        assert "1 person can be registered" in page
        assert "1 row has something to mend" in page
        assert not event.registrations.exists()
        self.enter(desk, event, page)
        one = event.registrations.get()
        assert (one.name, one.country, one.email, one.ema_number) == (
            "Anna Nowak",
            "POL",
            "anna@example.org",
            "04000123",
        )

    def test_who_is_registered_is_not_registered_again(self, desk: Client, event: Tournament) -> None:
        make_plan(event)
        page = self.send(desk, event, self.CSV.encode())
        self.enter(desk, event, page)
        assert "1 is registered already" in self.send(desk, event, self.CSV.encode())
        self.enter(desk, event, page)
        assert event.registrations.count() == 1

    @pytest.mark.thorough
    def test_five_thousand_are_read_and_entered(self, desk: Client, event: Tournament) -> None:
        make_plan(event, places=400)
        rows = [f"Name{number};First;DEU;p{number}@example.org;Club;" for number in range(5000)]
        page = self.send(
            desk, event, ("Last name;First name;Country;E-mail;Club;EMA\n" + "\n".join(rows)).encode()
        )
        assert "5000 people can be registered" in page
        self.enter(desk, event, page)
        found = list(states(event).values())
        assert (found.count("accepted"), found.count("waiting")) == (400, 4600)

    @pytest.mark.parametrize("data", [b"", b"\x00\xff", b"PK\x03\x04broken", b"x" * 3_000_000, b"a,b,c\n"])
    def test_what_is_no_list_is_said(self, desk: Client, event: Tournament, data: bytes) -> None:
        make_plan(event)
        answer = desk.post(at(event, "registrations_import"), {"file": SimpleUploadedFile("x.csv", data)})
        assert answer.status_code in (200, 413, 422)
        assert not event.registrations.exists()

    def test_what_comes_back_torn_is_said(self, desk: Client, event: Tournament) -> None:
        make_plan(event)
        answer = desk.post(at(event, "registrations_import"), {"list": "{", "enter": "1"}, follow=True)
        assert answer.status_code == 200

    def test_a_workbook_is_read_too(self, desk: Client, event: Tournament) -> None:
        make_plan(event)
        book, written = Workbook(), io.BytesIO()
        for row in (
            ["Name", "Land", "Mail"],
            ["Anna Nowak", "Polen", "a@example.org"],
            ["Rui Lima", "Portugal", ""],
        ):
            book.active.append(row)
        book.save(written)
        assert "2 people can be registered" in self.send(desk, event, written.getvalue())


def test_answers_go_with_their_question_when_that_is_said(desk: Client, event: Tournament) -> None:
    make_plan(event)
    (lunch,) = set_questions(event, SYSTEM, [QuestionWish("yes_no", {"en": "Lunch?"})])
    confirmed(event, 1, answers={str(lunch.pk): True})
    address = at(event, "registration_questions")
    assert 'name="drop_answers"' not in desk.get(address).text
    emptied = {"kind1": "yes_no", "text1_en": "", "key1": str(lunch.pk), "order1": "1"}
    refused = desk.post(address, emptied)
    assert refused.status_code == 422
    assert "There are answers to question 1: 1." in refused.text
    assert 'name="drop_answers"' in refused.text
    assert desk.post(address, emptied | {"drop_answers": "on"}).status_code == 302
    assert not Question.objects.exists()


def test_everything_is_in_the_spreadsheet(desk: Client, event: Tournament) -> None:
    make_plan(event)
    (lunch,) = set_questions(event, SYSTEM, [QuestionWish("yes_no", {"en": "Lunch?"})])
    confirmed(event, 1, last_name="=SUM(1)", answers={str(lunch.pk): True})
    book = load_workbook(io.BytesIO(desk.get(at(event, "registrations_sheet")).content))
    headings, row = list(book.worksheets[0].iter_rows(values_only=True))
    said = dict(zip(headings, row, strict=True))
    assert (said["last name"], said["Lunch?"]) == ("=SUM(1)", "yes")
    text = desk.get(at(event, "registrations_csv")).content.decode("utf-8-sig")
    assert "'=SUM(1)" in text
    assert "/registration/" in text


def test_the_sheet_can_be_read_in_again(desk: Client, event: Tournament) -> None:
    make_plan(event)
    confirmed(event, 1)
    other = make_tournament(players=0, drawn=False, name="Other")
    make_plan(other)
    make_organiser_of(other, event)
    sheet = desk.get(at(event, "registrations_sheet")).content
    page = TestLists().send(desk, other, sheet)
    assert "1 person can be registered" in page


def make_organiser_of(other: Tournament, event: Tournament) -> None:
    for membership in event.memberships.all():
        membership.pk, membership.tournament = None, other
        membership.save()


def test_who_waits_is_shown_where_they_stand(desk: Client, event: Tournament) -> None:
    make_plan(event, places=0)
    one = confirmed(event, 1, ema_number="04000123", country="DEU")
    page = desk.get(at(event, "registration", one.number)).text
    assert "Number 1 on the waiting list" in page
    assert "no fault if you have moved" in page
    assert registering(event).waiting == 1
    confirmed(event, 2)
    assert [f"waiting, {n}" in desk.get(at(event, "registrations")).text for n in (1, 2, 3)] == [
        True,
        True,
        False,
    ]


def test_the_way_here_stands_beside_the_players(desk: Client, event: Tournament) -> None:
    assert at(event, "registrations") in desk.get(at(event, "players")).text
