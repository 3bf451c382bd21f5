"""Registering on the pages everybody sees and by program: the form, the link, what is sent that should not be."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.pages import missing, refused_page
from tests.support.play import begin
from tests.support.programs import ROOT, Program, client_of
from tests.support.registrations import VISITOR, confirmed, make_plan, register_one, states
from tournament.base.limits import Limit
from tournament.base.models.registration import Question, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_token
from tournament.messages.mail.models import Mail
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import add_players
from tournament.registration.selectors.registrations import CONFIRM_WITHIN
from tournament.registration.services import registrations
from tournament.registration.services.admissions import enter_registered, set_questions
from tournament.registration.services.registrations import confirm_registration
from tournament.seating.services.seatings import draw_seats
from tournament.web.api import base

NAME = {"last_name": "Nowak", "first_name": "Anna"}
ANNA = NAME | {"email": "anna@example.org", "privacy": "on", "country": "Polska"}
LONG = "x" * 300

PATH = "registrations/"

NOWAK = {"last_name": "Nowak", "email": "anna@example.org", "privacy_read": True}


@pytest.fixture
def event(settings: Any) -> Tournament:
    """One place, where letters go out."""
    settings.EMAIL_HOST = "mail.example.org"
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=1)
    return event


def form(event: Tournament) -> str:
    return reverse("register", args=[event.slug])


def own(registration: Registration, page: str = "registration") -> str:
    return reverse(page, args=[registration.tournament.slug, registration_token(registration)])


def test_somebody_registers_confirms_and_sees_the_place(client: Client, event: Tournament) -> None:
    sent = client.post(form(event), ANNA | {"ema_number": "0400 0123"})
    assert sent["Location"] == reverse("registration_sent", args=[event.slug])
    anna = event.registrations.get()
    assert (anna.country, anna.state, anna.language) == ("POL", "unconfirmed", "en")
    assert anna.ema_number == "04000123"
    assert own(anna) in Mail.objects.get().text
    page = client.get(own(anna)).text
    assert "Confirm my registration" in page
    assert "fine if you have moved" in page, "an EMA number of another country is odd"
    for name in ("registration_confirm", "registration_cancel", "registration_change"):
        client.get(own(anna, name))
    assert states(event) == {1: "unconfirmed"}, "opening a link confirms nothing"
    assert "You have a place" in client.post(own(anna, "registration_confirm"), follow=True).text
    assert "was confirmed before" in client.post(own(anna, "registration_confirm"), follow=True).text


def test_a_waiting_registration_shows_its_position_and_is_promoted(client: Client, event: Tournament) -> None:
    first, second = confirmed(event, 1), confirmed(event, 2)
    assert "You are number 1 on the waiting list" in client.get(own(second)).text
    assert "Cancel my registration" in client.get(own(first, "registration_cancel")).text
    client.post(own(first, "registration_cancel"))
    assert "You have a place" in client.get(own(second)).text


def test_a_late_confirmation_is_explained(client: Client, event: Tournament) -> None:
    make_plan(event, places=1, waiting_places=0)
    late = register_one(event, 2)
    confirmed(event, 1)
    page = client.post(own(late, "registration_confirm"), follow=True).text
    assert "the waiting list is full too" in page
    assert "Thank you" not in page


def test_without_a_mail_server_the_page_promises_no_mail(
    client: Client, event: Tournament, settings: Any
) -> None:
    sent = reverse("registration_sent", args=[event.slug])
    confirmed(event, 1)
    waiting = confirmed(event, 2)
    assert "Check your e-mail" in client.get(sent).text
    assert "are notified by e-mail" in client.get(own(waiting)).text
    settings.EMAIL_HOST = ""
    assert client.get(sent)["Location"] == form(event)
    assert "check this page from time to time" in client.get(own(waiting)).text
    assert ("E-mails go to" in (page := client.get(form(event)).text), "No e-mail is sent" in page) == (
        False,
        True,
    )


def test_without_a_mail_server_a_registration_is_confirmed_and_shows_its_link(
    client: Client, event: Tournament, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    page = client.post(form(event), ANNA, follow=True)
    assert states(event) == {1: "accepted"}
    assert (
        missing(page.text, "You have a place", f'value="http://testserver{own(event.registrations.get())}"')
        == []
    )
    again = refused_page(client.post(form(event), ANNA))
    assert "is already registered" in again, "whose link it is nobody can tell"
    assert own(event.registrations.get()) not in again


def test_without_a_mail_server_the_api_returns_the_link(
    event: Tournament, base_url: str, settings: Any
) -> None:
    settings.EMAIL_HOST = ""
    answer = Program().post(base_url, NOWAK)
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    assert answer.json() == {"link": f"http://testserver{own(event.registrations.get())}"}


def test_a_registration_is_changed_but_for_its_address(client: Client, event: Tournament) -> None:
    registration = confirmed(event, 1)
    change = own(registration, "registration_change")
    assert 'name="email"' not in client.get(change).text
    client.post(change, {"last_name": "Nowak", "club": "Wien", "name_shown": "on"})
    registration.refresh_from_db()
    assert (registration.last_name, registration.club, registration.name_shown) == ("Nowak", "Wien", True)


def test_problems_are_shown_at_their_fields(client: Client, event: Tournament) -> None:
    """All of them at once, and nothing typed is lost."""
    for typed in (
        {"last_name": LONG, "email": "nobody", "country": "Atlantis", "ema_number": "123", "privacy": ""},
        {"last_name": "", "email": f"{LONG}@example.org", "country": LONG, "ema_number": "abcdefgh"},
        {"last_name": "a\x00b", "email": "a@b.c\nBcc: d@e.f", "club": LONG, "team": LONG},
        {"message": "x" * 5000},
    ):
        sent = ANNA | {"first_name": "Anna-Kept"} | typed
        page = refused_page(client.post(form(event), {name: value for name, value in sent.items() if value}))
        assert missing(page, "Anna-Kept", *(f'<a href="#id_{field}">' for field in typed)) == []
    assert not event.registrations.exists()


@pytest.mark.thorough
def test_names_in_any_script_are_valid(client: Client, event: Tournament) -> None:
    make_plan(event, places=6)
    names = ["สมชาย", "<script>alert(1)</script>", 'O\'Hara & "Söhne"', "李" * 80]
    for number, name in enumerate(names, 1):
        client.post(form(event), ANNA | {"last_name": name, "name_shown": "on"})
        registration = event.registrations.get(number=number)
        confirm_registration(registration, VISITOR)
        assert registration.last_name == name
        for page in (own(registration), reverse("participants", args=[event.slug])):
            text = client.get(page).text
            assert "<script>alert" not in text, page
            assert name[:1] in text, name


def test_questions_are_asked_in_the_readers_language_and_answered(client: Client, event: Tournament) -> None:
    wishes = [
        Question(kind="yes_no", text={"en": "Lunch?", "zh-hans": "午餐？"}),
        Question(
            kind="choice",
            text={"en": "Diet"},
            choices=[{"en": "All"}, {"en": "Vegetarian"}],
            is_required=True,
        ),
        Question(kind="text", text={"zh-hant": "住宿"}),
    ]
    lunch, diet, bed = set_questions(event, SYSTEM, wishes)
    page = client.get(form(event), headers={"accept-language": "zh-hans"}).text
    assert missing(page, "午餐？", "住宿") == []
    assert client.post(form(event), ANNA).status_code == 422, "no answer"
    assert client.post(form(event), ANNA | {f"q{diet.pk}": "7"}).status_code == 422, "no such choice"
    client.post(form(event), ANNA | {f"q{lunch.pk}": "on", f"q{diet.pk}": "1", f"q{bed.pk}": "<b>"})
    registration = event.registrations.get()
    assert registration.answers == {str(lunch.pk): True, str(diet.pk): 1, str(bed.pk): "<b>"}
    assert "Vegetarian" in client.get(own(registration)).text


def test_a_required_yes_or_no_has_to_be_chosen(client: Client, event: Tournament) -> None:
    (dinner,) = set_questions(
        event, SYSTEM, [Question(kind="yes_no", text={"en": "Dinner?"}, is_required=True)]
    )
    assert client.post(form(event), ANNA).status_code == 422
    client.post(form(event), ANNA | {f"q{dinner.pk}": "no"})
    registration = event.registrations.get()
    assert registration.answers == {str(dinner.pk): False}
    confirm_registration(registration, VISITOR)
    change = own(registration, "registration_change")
    assert '<option value="no" selected>' in client.get(change).text
    client.post(change, {"last_name": "Nowak", f"q{dinner.pk}": "yes"})
    registration.refresh_from_db()
    assert registration.answers == {str(dinner.pk): True}


def test_a_robot_gets_the_success_page_and_nothing_is_stored(client: Client, event: Tournament) -> None:
    answer = client.post(form(event), ANNA | {"website": "https://spam.example"})
    assert answer.status_code == 302
    assert not event.registrations.exists()


def test_registrations_are_limited_per_address_and_mailbox(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            registrations, "PER_MAILBOX_AND_ADDRESS", Limit("registration-letters", maximum=2, within=60)
        )
        name, _at, domain = ANNA["email"].partition("@")
        sent = [ANNA | {"last_name": f"N{tag}", "email": f"{name}{tag}@{domain}"} for tag in ("", "+a", "+b")]
        assert [client.post(form(event), ANNA | {"last_name": ""}).status_code for _ in sent] == [422] * 3
        assert [client.post(form(event), data).status_code for data in sent] == [302, 302, 429]
        theirs = client.post(form(event), sent[2], REMOTE_ADDR="192.0.2.9")
        assert theirs.status_code == 302, "what others sent there keeps nobody out elsewhere"
    monkeypatch.setattr(registrations, "PER_ADDRESS", Limit("registrations", maximum=1, within=60))
    client.post(form(event), ANNA | {"email": "a@example.org"})
    answer = client.post(form(event), ANNA | {"email": "b@example.org"})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"]
    assert "b@example.org" in answer.text, "what was typed is still there"


def test_a_flooded_mailbox_shuts_out_neither_links_nor_confirmed_people(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters from several addresses have used up the limit of the mailbox."""
    client.post(form(event), ANNA)
    monkeypatch.setattr(
        registrations, "PER_MAILBOX", Limit("registration-letters-in-all", maximum=0, within=60)
    )
    family = [ANNA | {"first_name": name} for name in ("Ada", "Bo", "Cy")]
    assert client.post(form(event), family[0]).status_code == 429
    anna = Registration.objects.get()
    assert client.post(own(anna, "registration_confirm")).status_code == 302
    assert client.post(own(anna, "registration_change"), ANNA | {"club": "East"}).status_code == 302
    assert [client.post(form(event), data).status_code for data in family] == [302, 302, 429]
    assert client.post(form(event), family[2], REMOTE_ADDR="192.0.2.9").status_code == 302


def test_an_invalid_link_is_explained(client: Client, event: Tournament) -> None:
    registration = register_one(event, 1)
    torn = client.get(own(registration)[:-4] + "/")
    assert (torn.status_code, "This link is not valid" in torn.text) == (404, True)
    other = make_tournament(players=0, drawn=False, name="Other")
    elsewhere = client.get(reverse("registration", args=[other.slug, registration_token(registration)]))
    assert (elsewhere.status_code, "belong to another tournament" in elsewhere.text) == (404, True)
    Registration.objects.update(made_at=timezone.now() - CONFIRM_WITHIN - timedelta(seconds=1))
    assert client.get(own(registration)).status_code == 410
    assert client.post(own(registration, "registration_confirm")).status_code == 410
    assert states(event) == {1: "unconfirmed"}
    hidden = confirmed(event, 2)
    Tournament.objects.update(is_public=False)
    assert client.get(own(hidden)).status_code == 404


def test_a_closed_form_a_hidden_list_and_no_plan(client: Client, event: Tournament) -> None:
    make_plan(event, is_open=False, list_is_public=False)
    assert "You cannot register now" in client.get(form(event)).text
    assert client.post(form(event), ANNA).status_code == 410
    assert client.get(reverse("participants", args=[event.slug])).status_code == 404
    unplanned = make_tournament(players=0, drawn=False, name="Unplanned")
    for page in ("register", "registration_sent", "participants"):
        assert client.get(reverse(page, args=[unplanned.slug])).status_code == 404


def test_before_play_players_without_consent_are_shown_by_initials(client: Client, event: Tournament) -> None:
    """Also those without a registration. The staff's programs know them; once play has begun everybody does."""
    make_plan(event, opens_at=timezone.now() + timedelta(days=1))
    add_players(event, SYSTEM, [Entrant("Imported", "Ana", number=8)])
    footnote, overview = "by initials", reverse("tournament", args=[event.slug])
    assert ("Imported" in (page := client.get(overview).text), footnote in page) == (True, False), (
        "nobody was asked"
    )
    make_plan(event)
    for number in range(1, 8):
        name = {"first_name": "Rui", "last_name": f"Lima{number}", "club": "Porto"}
        confirmed(event, number, **name, name_shown=number == 1)
    enter_registered(event, SYSTEM, list(range(1, 8)))
    api = f"{ROOT}{event.slug}/players/"
    pages = [
        *(
            reverse(name, args=[event.slug])
            for name in ("tournament", "players_page", "participants", "overlays")
        ),
        *(
            reverse(name, args=[event.slug, number])
            for name in ("player_page", "player_calendar", "overlay_player")
            for number in (2, 8)
        ),
        *(reverse("list_file", args=[event.slug, "players", "csv"]), api, f"{api}2/", f"{api}8/"),
    ]

    def naming(name: str) -> list[str]:
        return [page for page in pages if name in client.get(page).content.decode()]

    assert naming("Lima2") + naming("Imported") == []
    assert missing(client.get(pages[0]).text, "Rui Lima1", "R. L.", "A. I.", footnote) == []
    assert "Lima2" in client_of(make_organiser(event)).get(api).text
    late, playing = register_one(event, 9), event.registrations.get(number=2)
    draw_seats(event, SYSTEM, seed="1")
    begin(event, 1)
    assert "Lima2" in client.get(pages[1]).text
    assert "Registration has ended, and you have no place" in client.get(own(late)).text
    assert "Cancel my registration" not in client.get(own(playing)).text
    assert client.get(own(playing, "registration_cancel")).status_code == 302


def test_no_public_page_shows_an_address(client: Client, event: Tournament) -> None:
    registration = confirmed(event, 1, email="unmistakable@example.org", name_shown=True)
    for page in (
        form(event),
        reverse("participants", args=[event.slug]),
        reverse("tournament", args=[event.slug]),
    ):
        assert "unmistakable" not in client.get(page).text
    assert "unmistakable" in client.get(own(registration)).text


def test_the_api_registers_somebody_who_then_confirms(event: Tournament, base_url: str) -> None:
    program = Program()
    assert program.post(base_url, NOWAK).status_code == 202
    own = f"{base_url}own/{registration_token(event.registrations.get())}/"
    assert program.post(own).json()["state"] == "accepted"
    assert program.get(own).json()["email"] == NOWAK["email"]
    assert program.put(own, NOWAK | {"club": "Wien"}).json()["club"] == "Wien"
    assert program.delete(own).json()["state"] == "cancelled"


def test_invalid_data_is_refused(event: Tournament, base_url: str) -> None:
    for body in ({"last_name": ""}, NOWAK | {"privacy_read": False}, NOWAK | {"answers": {"x\x00": [1]}}):
        assert Program().post(base_url, body).status_code in (400, 409, 422), body
    assert states(event) == {}


def test_a_script_is_slowed_down(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registrations, "PER_ADDRESS", Limit("registrations", maximum=1, within=60))
    Program().post(base_url, NOWAK)
    assert Program().post(base_url, NOWAK | {"email": "b@example.org"}).status_code == 429


def test_the_list_is_for_the_desk_and_needs_a_constant_number_of_queries(
    organiser_client: Program, event: Tournament, base_url: str
) -> None:
    confirmed(event, 1)
    assert Program().get(base_url).status_code in (401, 403)
    (registration,) = organiser_client.get(base_url).json()  # the first use of a token is noted
    assert (registration["number"], registration["state"]) == (1, "accepted")
    assert "/registration/" in registration["link"]
    queries = []
    for count in (3, 5):
        for number in range(event.registrations.count() + 1, count + 1):
            confirmed(event, number)
        with CaptureQueriesContext(connection) as statements:
            rows = organiser_client.get(base_url).json()
        assert [row["position"] for row in rows] == [None, *range(1, count)]
        queries.append(len(statements))
    assert queries[0] == queries[1]


def test_the_next_page_has_the_same_filter(
    organiser_client: Program, event: Tournament, base_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(base.ShortPages, "page_size", 2)
    for number in range(1, 5):
        confirmed(event, number)
    page, seen = base_url + "?state=waiting", []
    while page:
        answer = organiser_client.get(page)
        seen += [(row["number"], row["state"]) for row in answer.json()]
        page = answer.headers.get("Link", "").partition(">")[0].removeprefix("<http://testserver")
    assert seen == [(number, "waiting") for number in range(2, 5)]
    unknown = organiser_client.get(base_url + "?state=wating")
    assert (unknown.status_code, "wating" in unknown.text) == (400, True)


def test_steps_are_done_and_undone(organiser_client: Program, event: Tournament, base_url: str) -> None:
    confirmed(event, 1), confirmed(event, 2)
    done = organiser_client.post(base_url + "steps/", {"step": "decline", "registrations": [1]}).json()
    assert states(event) == {1: "declined", 2: "accepted"}
    organiser_client.post(base_url + "steps/undo/", {"step": done["undo"]})
    assert states(event) == {1: "accepted", 2: "waiting"}
    organiser_client.post(base_url + "steps/", {"step": "decline", "registrations": [1, 2]})
    done = organiser_client.post(base_url + "steps/", {"step": "accept", "registrations": [2, 1]}).json()
    assert (done["waiting"], states(event)) == ([1], {1: "waiting", 2: "accepted"})
    # What cannot be done moves nobody.
    accept, wait = {"step": "accept", "registrations": [1]}, {"step": "wait", "registrations": []}
    for body in (accept, wait, {"step": "x"}):
        assert 400 <= organiser_client.post(base_url + "steps/", body).status_code < 500, body
    assert states(event) == {1: "waiting", 2: "accepted"}
    organiser_client.post(base_url + "steps/", {"step": "enter", "registrations": [2]})
    assert event.players.count() == 1


def test_the_desk_enters_a_list_and_changes_one(organiser_client: Program, base_url: str) -> None:
    body = {"registrations": [{"last_name": "Nowak"}, {"last_name": "Lima", "country": "PRT"}]}
    assert organiser_client.post(base_url + "list/", body).status_code == 201
    organiser_client.put(base_url + "2/", {"last_name": "Lima", "club": "Porto"})
    lima = organiser_client.get(base_url + "2/").json()
    assert (lima["club"], lima["position"]) == ("Porto", 1)


def test_a_plan_is_read_by_all_and_written_by_organisers(organiser_client: Program, base_url: str) -> None:
    plan = {"places": 5, "reserved_places": [{"by": "country", "value": "FRA", "places": 2}]}
    assert Program().put(base_url + "plan/", plan).status_code in (401, 403)
    assert organiser_client.put(base_url + "plan/", plan).status_code == 200
    organiser_client.put(
        base_url + "questions/", {"questions": [{"kind": "yes_no", "text": {"en": "Lunch?"}}]}
    )
    seen = Program().get(base_url + "plan/").json()
    assert (seen["phase"], seen["left"], seen["plan"]["reserved_places"]) == (
        "open",
        5,
        plan["reserved_places"],
    )
    assert seen["questions"][0]["text"] == {"en": "Lunch?"}
    assert Program().get(base_url + "questions/").status_code == 200
