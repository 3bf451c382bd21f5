"""The desk's pages of registration: the plan, the list, steps that are looked at before they are done, files."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.dues.test_dues_services import fee
from tests.support.blank_forms import Page
from tests.support.factories import SYSTEM, edited, make_member
from tests.support.pages import missing, refused_page, signed_in
from tests.support.pages import organiser_url as at
from tests.support.registrations import (
    VISITOR,
    applicant,
    confirmed,
    for_france,
    make_plan,
    question,
    register_one,
    states,
)
from tournament.base.models.log import LogEntry
from tournament.base.models.registration import Question, RegistrationPlan
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import registration_url
from tournament.dues.models import Due
from tournament.dues.selectors import account_of
from tournament.dues.services import set_fees
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.registration.selectors.plan import Phase, registration_status
from tournament.registration.services.admissions import add_registrations, set_questions
from tournament.registration.services.registrations import change_registration

EVENT_WITH = {"players": 0, "drawn": False}


def step(olga: Client, event: Tournament, which: str, numbers: list[int], **more: str) -> str:
    data = {"step": which, "who": [f"r{number}" for number in numbers]} | more
    return olga.post(at(event, "step"), data, follow=True).content.decode()


def form(part: str, **values: str) -> dict[str, str]:
    return {f"{part}-{name}": value for name, value in values.items()}


def rows(part: str, *rows: dict[str, str], stored: int = 0) -> dict[str, str]:
    """The rows of a part as a browser sends them, of which the first `stored` were there before."""
    numbers = form(part, TOTAL_FORMS=str(len(rows)), INITIAL_FORMS=str(stored))
    return numbers | {
        f"{part}-{n}-{name}": value for n, row in enumerate(rows) for name, value in row.items()
    }


UNCHANGED = {
    **form("places", is_open="True", moves_up_automatically="on", list_is_public="on"),
    **form("payment", currency="EUR", confirms_by_mail="on"),
    **{name: value for part in ("places", "prices", "questions") for name, value in rows(part).items()},
}
"""What the page of registration sends of an event that has a plan and nothing else."""


def test_a_plan_is_checked_and_made(olga: Client, event: Tournament) -> None:
    url = at(event, "registration")
    plan = form(
        "places", is_open="True", places="1", opens_at="2030-05-02T18:00", closes_at="2030-05-01T18:00"
    )
    wien = {"by": "club", "value": "Wien", "places": ""}
    wrong = rows("places", {"by": "country", "value": "Atlantis", "places": "2"}, wien)
    answer = olga.post(url, UNCHANGED | plan | wrong)
    assert answer.status_code == 422
    for field in ("closes_at", "0-value", "1-places"):
        assert f'<a href="#id_places-{field}">' in answer.text
    denmark, blank = {"by": "country", "value": "Danmark", "places": "2"}, {"by": "country"}
    plan |= form("places", closes_at="")
    twice = rows("places", denmark, denmark | {"value": "DNK"}, blank)
    answer = olga.post(url, UNCHANGED | plan | twice)
    for field in ("places", "1-value"):
        assert f'<a href="#id_places-{field}">' in answer.text
    assert not RegistrationPlan.objects.exists()
    plan = form("places", places="12", opens_at="", closes_at="2030-05-01T18:00", accepts_automatically="on")
    olga.post(url, UNCHANGED | plan | rows("places", denmark, blank))
    stored = RegistrationPlan.objects.get()
    assert stored.closes_at is not None
    assert (stored.places, stored.closes_at.isoformat()) == (12, "2030-05-01T18:00:00+00:00")
    (reserved,) = stored.reservations.all()
    assert (reserved.by, reserved.value, reserved.places) == ("country", "DNK", 2)
    assert 'value="Denmark"' in olga.get(url).text
    removed = denmark | {"id": str(reserved.pk), "DELETE": "on"}
    olga.post(url, UNCHANGED | plan | rows("places", removed, stored=1))
    assert not stored.reservations.exists()


LUNCH = {"kind": "choice", "text_en": "Lunch", "ORDER": "2", "choices_en": "Rice\r\nNoodles"}
BED = {"kind": "yes_no", "text_en": "Bed?", "ORDER": "1"}


class TestOnePage:
    """Places, prices, questions and payment of an event without a plan."""

    sent = UNCHANGED | {
        **form("places", is_open="False", places="24"),
        **rows("prices", {"name": "Members", "amount": "60"}, {"name": "Students", "amount": "30"}),
        **rows("questions", LUNCH, BED, {"kind": "text"}),
        **form("payment", holder="Club", iban="DE89370400440532013000"),
    }

    def test_registration_is_opened_as_wanted(self, olga: Client, event: Tournament) -> None:
        page = olga.get(at(event, "registration")).text
        assert missing(page, "Save and open", 'name="places-is_open" value="False"') == []
        opened = olga.post(at(event, "registration"), self.sent | form("places", is_open="True"), follow=True)
        assert missing(opened.text, "Saved. Registration is open.", "Close registration") == []
        shown = Client().get(reverse("register", args=[event.slug])).text
        assert missing(shown, "Members: 60.00\u00a0EUR", "Bed?", "Noodles", "Send registration") == []
        assert account_of(event).iban == "DE89370400440532013000"
        closed = olga.post(
            at(event, "registration"), UNCHANGED | form("places", is_open="False"), follow=True
        )
        assert "Saved. Registration is closed." in closed.text

    def test_everything_is_set_before_it_opens(self, olga: Client, event: Tournament) -> None:
        olga.post(at(event, "registration"), self.sent)
        assert registration_status(event).phase is Phase.CLOSED
        Question.objects.all().delete()
        RegistrationPlan.objects.all().delete()
        unplanned = UNCHANGED | form("places", is_open="False") | rows("questions", BED)
        olga.post(at(event, "registration"), unplanned)
        assert (registration_status(event).phase, Question.objects.count()) == (Phase.CLOSED, 1)

    def test_nothing_is_stored_or_logged_twice(self, olga: Client, event: Tournament) -> None:
        olga.post(at(event, "registration"), self.sent)
        page, n = (
            Page(at(event, "registration"), olga.get(at(event, "registration")).text),
            LogEntry.objects.count(),
        )
        save = next(form for form in page.submissions() if "prices-0-name" in form.data)
        assert save.send(olga, {}).status_code == 302
        assert LogEntry.objects.count() == n

    def test_the_visitors_form_is_shown_while_it_is_written(self, olga: Client, event: Tournament) -> None:
        unsaved = self.sent | form("payment", currency="CHF") | {"questions-1-text_en": "Need a bed?"}
        shown = olga.post(f"{at(event, 'registration')}?preview", unsaved).text
        assert missing(shown, "Students: 30.00\u00a0CHF", "Need a bed?", "Rice", "inert") == []
        half = unsaved | {"prices-0-amount": "x", "questions-0-choices_en": "Rice"}
        shown = olga.post(f"{at(event, 'registration')}?preview", half).text
        assert ("Members" in shown, "Students" in shown, "Rice" in shown) == (False, True, False)
        assert not RegistrationPlan.objects.exists()

    def test_a_treasurer_sees_and_saves_prices_and_payment_only(self, event: Tournament) -> None:
        make_plan(event, places=8)
        treasurer = signed_in(make_member(event, Role.TREASURER, "theo"))
        page = treasurer.get(at(event, "registration")).text
        shown = [f'name="{part}-' in page for part in ("places", "questions", "prices", "payment")]
        assert (shown, 'id="letters"' in page) == ([False, False, True, True], False)
        assert treasurer.post(at(event, "registration"), self.sent).status_code == 302
        assert [fee.name for fee in event.fees.all()] == ["Members", "Students"]
        assert account_of(event).holder == "Club"
        (plan,) = RegistrationPlan.objects.all()
        assert (plan.is_open, plan.places, plan.questions.count()) == (True, 8, 0)
        preview = treasurer.post(f"{at(event, 'registration')}?preview", self.sent).text
        assert ("Students" in preview, "Bed?" in preview) == (True, False)


def test_the_plan_warns_that_no_mail_is_sent(olga: Client, event: Tournament, settings: Any) -> None:
    says = []
    for settings.EMAIL_HOST in ("", "mail.example.org"):
        says.append("This site has no mail server" in olga.get(at(event, "registration")).text)
    assert says == [True, False]


def test_the_draw_page_says_that_the_draw_closes_registration(olga: Client, event: Tournament) -> None:
    make_plan(event)
    add_players(event, SYSTEM, [Entrant(f"Player {number}") for number in range(1, 9)])
    assert "the draw closes it" in olga.get(at(event, "draw")).text
    assert "the draw closes it" in olga.get(at(event, "draw_preview"), {"seed": "1"}).text
    olga.post(at(event, "draw"), {"seed": "1"})
    assert "the draw closes it" not in olga.get(at(event, "draw")).text
    assert "Registration is closed" in olga.get(at(event, "log")).text


def test_unconfirmed_registrations_are_listed_with_links_and_confirmed_in_one_step(
    olga: Client, event: Tournament
) -> None:
    make_plan(event, places=1)
    for number in (1, 2):
        register_one(event, number)
    url = f"{at(event, 'people')}?part=unconfirmed"
    page = olga.get(url).text
    assert (
        missing(
            page, "No e-mail brings them", "Confirm all 2", *map(registration_url, event.registrations.all())
        )
        == []
    )
    done = step(olga, event, "confirm", [], all="1", part="unconfirmed", do="1")
    assert states(event) == {1: "accepted", 2: "waiting"}
    seq = done.partition('name="step" value="')[2].partition('"')[0]
    olga.post(at(event, "step_undo"), {"step": seq})
    assert states(event) == {1: "unconfirmed", 2: "unconfirmed"}


def test_a_country_that_the_person_changed_is_shown_and_approved(olga: Client, event: Tournament) -> None:
    make_plan(event, places=1, reserved=[for_france()])
    waiting = confirmed(event, 1, country="DEU")
    change_registration(edited(waiting, country="FRA"), VISITOR)
    page = at(event, "person", waiting.roster_key)
    assert missing(olga.get(page).text, "from Germany to France", "Accept the change") == []
    assert page in olga.get(at(event, "people")).text
    waiting.refresh_from_db()
    change_registration(edited(waiting, country="DNK"), VISITOR)
    olga.post(at(event, "accept_change", waiting.roster_key), {"country": "FRA"})
    waiting.refresh_from_db()
    assert (waiting.country, waiting.changed_from) == ("FRA", {}), "what was seen is what is accepted"
    assert "Accept the change" not in olga.get(page).text


class TestQuestions:
    def test_they_are_written_put_in_order_and_removed(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        url = at(event, "registration")
        short = LUNCH | {"choices_en": "Rice"}
        assert "A choice needs 2" in refused_page(olga.post(url, UNCHANGED | rows("questions", short)))
        lunch = LUNCH | {"choices_zh-hans": "饭\n面"}
        olga.post(url, UNCHANGED | rows("questions", lunch, BED, {"kind": "text"}))
        first, second = Question.objects.all()
        assert (first.text, second.choices[1]) == ({"en": "Bed?"}, {"en": "Noodles", "zh-hans": "面"})
        assert "Rice\r\nNoodles" in olga.get(url).text
        bed = BED | {"id": str(first.pk), "DELETE": "on"}
        lunch |= {"id": str(second.pk), "kind": "text"}
        olga.post(url, UNCHANGED | rows("questions", bed, lunch, stored=2))
        (left,) = Question.objects.all()
        assert (left.pk, left.kind, left.choices) == (second.pk, "text", [])

    def test_answers_go_with_their_question_if_ticked(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        (lunch,) = set_questions(event, SYSTEM, [question("yes_no")])
        confirmed(event, 1, answers={str(lunch.pk): True})
        url = at(event, "registration")
        assert 'name="drop_answers"' not in olga.get(url).text
        removed = {"kind": "yes_no", "text_en": "yes_no", "id": str(lunch.pk), "DELETE": "on"}
        sent = UNCHANGED | rows("questions", removed, stored=1)
        refused = olga.post(url, sent)
        assert refused.status_code == 422
        assert missing(refused.text, "Question 1 has answers (1).", 'name="drop_answers"') == []
        assert olga.post(url, sent | {"drop_answers": "on"}).status_code == 302
        assert not Question.objects.exists()


def test_the_list_counts_filters_and_finds(olga: Client, event: Tournament) -> None:
    make_plan(event, places=1)
    confirmed(event, 1, last_name="Nowak"), confirmed(event, 2, last_name="Lima")
    url = at(event, "people")
    assert "Places taken: 1 of 1" in olga.get(url).text
    waiting = olga.get(f"{url}?part=waiting").text
    assert ("Lima" in waiting, "Nowak" in waiting) == (True, False)
    assert "No match for" in olga.get(f"{url}?q=zzz").text
    assert "Nowak" in olga.get(f"{url}?q=PLAYER-1@").text


class TestSteps:
    def test_a_step_is_previewed_with_names_done_and_undone(self, olga: Client, event: Tournament) -> None:
        make_plan(event, places=1)
        confirmed(event, 1, last_name="Nowak"), confirmed(event, 2, last_name="Lima")
        preview = step(olga, event, "decline", [1])
        assert missing(preview, "Decline 1 person", "Nowak", "1 person moves up as a result", "Lima") == []
        assert states(event) == {1: "accepted", 2: "waiting"}
        done = step(olga, event, "decline", [1], do="1")
        assert states(event) == {1: "declined", 2: "accepted"}
        seq = done.partition('name="step" value="')[2].partition('"')[0]
        olga.post(at(event, "step_undo"), {"step": seq})
        assert states(event) == {1: "accepted", 2: "waiting"}

    @pytest.mark.thorough
    def test_everybody_is_chosen_on_all_pages(self, olga: Client, event: Tournament) -> None:
        make_plan(event, accepts_automatically=False)
        add_registrations(event, SYSTEM, [applicant(number) for number in range(130)])
        step(olga, event, "accept", [], all="1", part="to-review", do="1")
        assert set(states(event).values()) == {"accepted"}

    def test_accepted_people_become_players_up_to_the_places(self, olga: Client, event: Tournament) -> None:
        make_plan(event, places=1, accepts_automatically=False)
        confirmed(event, 1), confirmed(event, 2)
        preview = step(olga, event, "accept", [1, 2])
        assert missing(preview, "1 person gets a place", "1 person waits", "Accept 2 people") == []
        done = step(olga, event, "accept", [1, 2], do="1")
        assert missing(done, "1 person has a place. 1 person is on the waiting list.") == []
        preview = step(olga, event, "accept", [2])
        assert ("There is no place left" in preview, 'name="do"' in preview) == (True, False)
        make_plan(event, places=2)
        assert "Add 2 people to the player list" in step(olga, event, "enter", [], part="coming", all="1")
        step(olga, event, "enter", [1, 2], do="1")
        assert list(event.players.values_list("number", flat=True)) == [1, 2]
        assert olga.get(at(event, "people")).text.count("playing</span>") == 2

    def test_an_invalid_step_is_refused(self, olga: Client, event: Tournament) -> None:
        make_plan(event)
        for which, numbers in (("nonsense", ["1"]), ("accept", ["x", "9" * 40, "-1"]), ("enter", [])):
            data = {"step": which, "who": numbers}
            answer = olga.post(at(event, "step"), data, follow=True)
            assert (answer.status_code, "Choose" in answer.text) == (200, True), which


def test_the_desk_registers_somebody_and_changes_them(olga: Client, event: Tournament) -> None:
    make_plan(event)
    answer = olga.post(at(event, "person_new"), {"last_name": "Nowak"}, follow=True)
    registration = event.registrations.get()
    assert (registration.state, registration.email) == ("accepted", "")
    assert "http://testserver/t/spring-open/registration/" in answer.text, "a link to be handed over"
    data = {"last_name": "Nowak-Lima", "email": "new@example.org"}
    olga.post(at(event, "person_change", registration.roster_key), data)
    registration.refresh_from_db()
    assert registration.last_name == "Nowak-Lima"


def test_whom_the_organiser_adds_gets_a_place_or_waits(olga: Client, event: Tournament) -> None:
    make_plan(event, places=1, accepts_automatically=False)
    _adults, students = set_fees(event, SYSTEM, [fee("Adults", 60), fee("Students", 30)])
    url = at(event, "person_new")
    page = olga.get(url).text
    assert ("Who you are" in page, missing(page, "Students: 30.00", "Agreements")) == (False, [])
    answer = olga.post(url, {"last_name": "Nowak", "price": f"{students.pk}-30.00"}, follow=True)
    assert "Nowak is registered: accepted." in answer.text
    assert (
        "Lima is registered: on the waiting list." in olga.post(url, {"last_name": "Lima"}, follow=True).text
    )
    assert states(event) == {1: "accepted", 2: "waiting"}
    assert Due.objects.get(registration__number=1).fee == students


def test_a_person_leads_back_to_the_part_of_the_list(olga: Client, event: Tournament) -> None:
    make_plan(event)
    confirmed(event, 1)
    person, query = at(event, "person", "r1"), "?part=coming&q=a"
    assert f"{person}?part=coming" in olga.get(at(event, "people") + query).text
    page = olga.get(person + query).text
    assert missing(page, f"{at(event, 'people')}?part=coming&amp;q=a#r1") == []
    data = {"step": "wait", "who": "r1", "back": "r1", "do": "1"}
    answer = olga.post(at(event, "step") + query, data)
    assert answer["Location"] == f"{person}{query}"
    assert "Undo this step" in olga.get(answer["Location"]).text


def test_waiting_registrations_show_their_position(olga: Client, event: Tournament) -> None:
    make_plan(event, places=0)
    registration = confirmed(event, 1, ema_number="04000123", country="DEU")
    page = olga.get(at(event, "person", registration.roster_key)).text
    assert missing(page, "Number 1 on the waiting list", "fine if you have moved") == []
    assert registration_status(event).waiting == 1
    confirmed(event, 2)
    listed = olga.get(at(event, "people")).text
    assert [f"waiting, {number}" in listed for number in (1, 2, 3)] == [True, True, False]
