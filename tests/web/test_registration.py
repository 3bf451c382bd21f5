"""Registering on the pages everybody sees: the form, the link, and what is sent that should not be."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_tournament
from tests.support.registrations import VISITOR, applicant, confirmed, make_plan, register_one, states
from tournament.access.registration_link import CONFIRM_WITHIN, token_of
from tournament.models import Mail, Registration, Tournament
from tournament.selectors.registration_plan import QuestionWish
from tournament.services import registrations
from tournament.services.limits import Limit
from tournament.services.registration_plan import set_questions
from tournament.services.registrations import confirm_registration

pytestmark = pytest.mark.django_db

SAID = {
    "last_name": "Nowak",
    "first_name": "Anna",
    "email": "anna@example.org",
    "privacy": "on",
    "country": "Polska",
}
LONG = "x" * 300


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=1)
    return event


def form(event: Tournament) -> str:
    return reverse("register", args=[event.slug])


def own(one: Registration, page: str = "registration") -> str:
    return reverse(page, args=[one.tournament.slug, token_of(one)])


def test_somebody_registers_confirms_and_sees_the_place(client: Client, event: Tournament) -> None:
    assert client.post(form(event), SAID).url == reverse("registration_sent", args=[event.slug])  # type: ignore[attr-defined]
    one = event.registrations.get()
    assert (one.country, one.state, one.language) == ("POL", "unconfirmed", "en")
    assert own(one) in Mail.objects.get().text
    page = client.get(own(one)).content.decode()
    assert "Confirm my registration" in page
    assert states(event) == {1: "unconfirmed"}
    answer = client.post(own(one, "registration_confirm"), follow=True)
    assert "You have a place" in answer.content.decode()


def test_who_waits_sees_the_number_and_moves_up(client: Client, event: Tournament) -> None:
    first, second = confirmed(event, 1), confirmed(event, 2)
    assert "You are number 1 on the waiting list" in client.get(own(second)).content.decode()
    assert "Cancel my registration" in client.get(own(first, "registration_cancel")).content.decode()
    client.post(own(first, "registration_cancel"))
    assert "You have a place" in client.get(own(second)).content.decode()


def test_who_confirms_too_late_is_told_so(client: Client) -> None:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=1, waiting_places=0)
    late = register_one(event, 2)
    confirmed(event, 1)
    page = client.post(own(late, "registration_confirm"), follow=True).text
    assert "the waiting list is full, too" in page
    assert "Thank you" not in page


def test_without_a_mail_server_nobody_is_promised_a_letter(
    client: Client, event: Tournament, settings: Any
) -> None:
    sent = reverse("registration_sent", args=[event.slug])
    confirmed(event, 1)
    waiting = confirmed(event, 2)
    settings.EMAIL_HOST = ""
    assert "mailbox" not in client.get(sent).text
    assert "The organiser of" in client.get(sent).text
    assert "look here again" in client.get(own(waiting)).text
    settings.EMAIL_HOST = "mail.example.org"
    assert "Look into your mailbox" in client.get(sent).text
    assert "are told by e-mail" in client.get(own(waiting)).text


def test_what_was_said_is_changed(client: Client, event: Tournament) -> None:
    one = confirmed(event, 1)
    page = client.get(own(one, "registration_change")).content.decode()
    assert 'name="email"' not in page
    client.post(own(one, "registration_change"), {"last_name": "Nowak", "club": "Wien", "name_shown": "on"})
    one.refresh_from_db()
    assert (one.last_name, one.club, one.name_shown) == ("Nowak", "Wien", True)


@pytest.mark.parametrize(
    ("field", "typed"),
    [
        ("last_name", LONG),
        ("last_name", ""),
        ("email", "nobody"),
        ("email", f"{LONG}@example.org"),
        ("email", "a@b.c\nBcc: d@e.f"),
        ("country", "Atlantis"),
        ("country", LONG),
        ("ema_number", "123"),
        ("ema_number", "abcdefgh"),
        ("club", LONG),
        ("team", LONG),
        ("message", "x" * 5000),
        ("privacy", ""),
        ("last_name", "a\x00b"),
    ],
)
def test_what_is_wrong_is_said_at_its_place_and_nothing_is_lost(
    client: Client, event: Tournament, field: str, typed: str
) -> None:
    said = SAID | {field: typed, "first_name": "Anna-Kept"}
    answer = client.post(form(event), {name: value for name, value in said.items() if value})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'<a href="#id_{field}">' in page
    assert "Anna-Kept" in page
    assert not event.registrations.exists()


@pytest.mark.parametrize(
    "name", ["Ó", "สมชาย", "<script>alert(1)</script>", 'O\'Hara & "Söhne"', "李", "x" * 80]
)
def test_names_are_names_in_whatever_script(client: Client, event: Tournament, name: str) -> None:
    client.post(form(event), SAID | {"last_name": name, "name_shown": "on"})
    one = event.registrations.get()
    confirm_registration(one, VISITOR)
    assert one.last_name == name
    for page in (own(one), reverse("coming", args=[event.slug])):
        content = client.get(page).content.decode()
        assert "<script>alert" not in content
        assert one.last_name[:1] in content


def test_questions_are_asked_in_the_readers_language_and_answered(client: Client, event: Tournament) -> None:
    lunch, diet, bed = set_questions(
        event,
        SYSTEM,
        [
            QuestionWish("yes_no", {"en": "Lunch?", "zh-hans": "午餐？"}),
            QuestionWish("choice", {"en": "Diet"}, [{"en": "All"}, {"en": "Vegetarian"}], is_required=True),
            QuestionWish("text", {"zh-hant": "住宿"}),
        ],
    )
    page = client.get(form(event), headers={"accept-language": "zh-hans"}).content.decode()
    assert "午餐？" in page
    assert "住宿" in page
    assert client.post(form(event), SAID).status_code == 422
    client.post(form(event), SAID | {f"q{lunch.pk}": "on", f"q{diet.pk}": "1", f"q{bed.pk}": "<b>"})
    one = event.registrations.get()
    assert one.answers == {str(lunch.pk): True, str(diet.pk): 1, str(bed.pk): "<b>"}
    assert "Vegetarian" in client.get(own(one)).content.decode()


def test_a_yes_or_no_that_has_to_be_answered_is_no_box_to_be_left_empty(
    client: Client, event: Tournament
) -> None:
    (dinner,) = set_questions(event, SYSTEM, [QuestionWish("yes_no", {"en": "Dinner?"}, is_required=True)])
    assert client.post(form(event), SAID).status_code == 422
    client.post(form(event), SAID | {f"q{dinner.pk}": "no"})
    one = event.registrations.get()
    assert one.answers == {str(dinner.pk): False}
    confirm_registration(one, VISITOR)
    assert '<option value="no" selected>' in client.get(own(one, "registration_change")).text
    client.post(own(one, "registration_change"), {"last_name": "Nowak", f"q{dinner.pk}": "yes"})
    one.refresh_from_db()
    assert one.answers == {str(dinner.pk): True}


def test_a_choice_that_is_none_is_refused(client: Client, event: Tournament) -> None:
    (diet,) = set_questions(
        event, SYSTEM, [QuestionWish("choice", {"en": "Diet"}, [{"en": "A"}, {"en": "B"}])]
    )
    assert client.post(form(event), SAID | {f"q{diet.pk}": "7"}).status_code == 422


def test_a_robot_is_thanked_and_forgotten(client: Client, event: Tournament) -> None:
    answer = client.post(form(event), SAID | {"website": "https://spam.example"})
    assert answer.status_code == 302
    assert not event.registrations.exists()


def test_too_many_from_one_place_are_turned_away(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registrations, "FROM_ONE_ADDRESS", Limit("registrations", most=1, within=60))
    client.post(form(event), SAID)
    answer = client.post(form(event), SAID | {"email": "b@example.org"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    assert "b@example.org" in answer.text, "what was typed is still there"


def test_nobodys_mailbox_is_filled(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registrations, "TO_ONE_MAILBOX", Limit("registration-letters", most=2, within=60))
    answers = [client.post(form(event), SAID | {"last_name": f"N{n}"}).status_code for n in range(3)]
    assert answers == [302, 302, 429]


def test_an_ema_number_of_another_country_is_odd_and_no_fault(client: Client, event: Tournament) -> None:
    client.post(form(event), SAID | {"ema_number": "0400 0123"})
    one = event.registrations.get()
    assert one.ema_number == "04000123"
    assert "no fault if you have moved" in client.get(own(one)).content.decode()


class TestLinksThatOpenNothing:
    def test_a_torn_one(self, client: Client, event: Tournament) -> None:
        answer = client.get(reverse("registration", args=[event.slug, token_of(register_one(event, 1))[:-3]]))
        assert answer.status_code == 404
        assert "This link opens nothing" in answer.content.decode()

    def test_one_of_another_tournament(self, client: Client, event: Tournament) -> None:
        other = make_tournament(players=0, drawn=False, name="Other")
        answer = client.get(reverse("registration", args=[other.slug, token_of(register_one(event, 1))]))
        assert answer.status_code == 404
        assert "belongs to another tournament" in answer.content.decode()

    def test_one_that_ran_out(self, client: Client, event: Tournament) -> None:
        one = register_one(event, 1)
        Registration.objects.update(made_at=timezone.now() - CONFIRM_WITHIN - timedelta(seconds=1))
        assert client.get(own(one)).status_code == 410
        assert client.post(own(one, "registration_confirm")).status_code == 410
        assert states(event) == {1: "unconfirmed"}

    def test_one_used_before_shows_the_place_again(self, client: Client, event: Tournament) -> None:
        one = confirmed(event, 1)
        answer = client.post(own(one, "registration_confirm"), follow=True)
        assert "was confirmed before" in answer.content.decode()

    def test_one_of_a_tournament_that_is_hidden(self, client: Client, event: Tournament) -> None:
        one = confirmed(event, 1)
        Tournament.objects.update(is_public=False)
        assert client.get(own(one)).status_code == 404

    def test_opening_a_link_confirms_nothing(self, client: Client, event: Tournament) -> None:
        one = register_one(event, 1)
        for page in ("registration_confirm", "registration", "registration_cancel", "registration_change"):
            client.get(own(one, page))
        assert states(event) == {1: "unconfirmed"}


def test_without_a_plan_there_is_nothing_to_register_for(client: Client) -> None:
    event = make_tournament(players=0, drawn=False)
    for page in ("register", "registration_sent", "coming"):
        assert client.get(reverse(page, args=[event.slug])).status_code == 404


def test_a_closed_form_says_so(client: Client, event: Tournament) -> None:
    make_plan(event, is_open=False)
    assert "You cannot register now" in client.get(form(event)).content.decode()
    assert client.post(form(event), SAID).status_code == 410


def test_no_page_shows_an_address(client: Client, event: Tournament) -> None:
    one = confirmed(event, 1, email="unmistakable@example.org", name_shown=True)
    for page in (form(event), reverse("coming", args=[event.slug]), reverse("tournament", args=[event.slug])):
        assert "unmistakable" not in client.get(page).content.decode()
    assert "unmistakable" in client.get(own(one)).content.decode()


def test_a_list_that_is_not_shown_is_not_there(client: Client, event: Tournament) -> None:
    make_plan(event, list_is_public=False)
    assert client.get(reverse("coming", args=[event.slug])).status_code == 404


@pytest.mark.thorough
def test_ninety_register_for_seventy_places(client: Client, event: Tournament) -> None:
    make_plan(event, places=70)
    for person in map(applicant, range(90)):
        names = {"last_name": person.last_name, "first_name": person.first_name}
        client.post(form(event), SAID | names | {"email": person.email})
    for one in event.registrations.order_by("number"):
        client.post(own(one, "registration_confirm"))
    found = list(states(event).values())
    assert (found.count("accepted"), found.count("waiting")) == (70, 20)
