"""Dues and messages on their pages and by the API: one tap and its undo, everything wrong at its place."""

from __future__ import annotations

import csv
import io
from decimal import Decimal
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook
from rest_framework.test import APIClient

from tests.services.test_dues import ACCOUNT
from tests.support.factories import SYSTEM, make_organiser, make_tournament, make_umpire
from tournament.models import Due, Mail, Payment, Registration, Tournament
from tournament.selectors.dues import owes
from tournament.selectors.fees import AccountWish, FeeWish
from tournament.services.dues import come_to_owe
from tournament.services.fees import set_account, set_fees

pytestmark = pytest.mark.django_db
NEEDLE = "needle-9c1e@players.example.org"


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=8, drawn=False)
    set_fees(made, SYSTEM, [FeeWish("Members", Decimal(30)), FeeWish("Students", Decimal(15))])
    return made


@pytest.fixture
def olga(event: Tournament, client: Client) -> Client:
    client.force_login(make_organiser(event))
    return client


@pytest.fixture
def ana(event: Tournament) -> Due:
    registered = Registration.objects.create(
        tournament=event,
        number=1,
        first_name="=Ana",
        last_name="<i>Lima",
        email=NEEDLE,
        state="accepted",
        made_at=timezone.now(),
    )
    (due,) = come_to_owe(event, [registered])
    return due


def at(event: Tournament, name: str, *where: object) -> str:
    return reverse(f"organiser_{name}", args=[event.slug, *where])


def test_one_tap_notes_all_of_it_in_cash_and_one_takes_it_back(
    olga: Client, event: Tournament, ana: Due
) -> None:
    sent = {"uuid": str(uuid4()), "open": "30.00"}
    for _press in range(2):
        page = olga.post(at(event, "due_cash", ana.pk), sent, follow=True)
    assert Payment.objects.get().amount == 30
    assert "has paid 30.00\u00a0EUR" in page.text
    undo = at(event, "payment_cancel", Payment.objects.get().uuid)
    assert undo in page.text
    olga.post(undo, {"list": "1"})
    assert Payment.objects.get().cancelled_at is not None


@pytest.mark.parametrize("sent", [{}, {"uuid": "x", "open": "30"}, {"uuid": str(uuid4()), "open": "NaN"}])
def test_a_tap_that_lost_its_number_notes_nothing(
    olga: Client, event: Tournament, ana: Due, sent: dict[str, str]
) -> None:
    assert olga.post(at(event, "due_cash", ana.pk), sent, follow=True).status_code == 200
    assert not Payment.objects.exists()


def test_a_payment_by_transfer_with_a_comma(olga: Client, event: Tournament, ana: Due) -> None:
    today = timezone.localdate().isoformat()
    olga.post(
        at(event, "due", ana.pk), {"amount": "12,50", "method": "transfer", "on": today, "uuid": str(uuid4())}
    )
    assert Payment.objects.get().amount == Decimal("12.50")


def test_everything_wrong_with_a_payment_is_said_and_stays_typed(
    olga: Client, event: Tournament, ana: Due
) -> None:
    page = olga.post(at(event, "due", ana.pk), {"amount": "1e9", "method": "shells", "on": "yesterday"})
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"amount", "method", "on", "uuid"}
    assert 'value="1e9"' in page.text


def test_many_are_asked_by_name_and_it_can_be_taken_back(olga: Client, event: Tournament) -> None:
    assert olga.get(at(event, "dues_ask")).text.count('name="who"') == 8
    batch = str(uuid4())
    answer = olga.post(at(event, "dues_ask"), {"who": ["p1", "p2"], "uuid": batch})
    assert Due.objects.count() == 2
    assert batch in olga.get(answer["Location"]).text
    olga.post(at(event, "dues_undo", batch))
    assert not Due.objects.exists()


def test_who_owes_is_listed_by_name_before_anybody_is_written_to(
    olga: Client, event: Tournament, ana: Due
) -> None:
    page = olga.get(at(event, "dues_reminders"))
    assert "=Ana &lt;i&gt;Lima" in page.text
    uuid = str(uuid4())
    for _press in range(2):
        olga.post(at(event, "dues_reminders"), {"who": [ana.pk, "x", "9" * 40], "uuid": uuid})
    assert Mail.objects.get().letter == "payment_reminder"


def test_categories_are_changed_all_at_once_and_faults_stand_at_their_lines(
    olga: Client, event: Tournament
) -> None:
    page = olga.post(
        at(event, "fees"), {"sent": "1", "name1": "Members", "amount1": "", "name2": "", "amount2": "5"}
    )
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"amount1", "name2"}
    olga.post(at(event, "fees"), {"sent": "1", "name1": "All", "amount1": "20,5", "name2": "", "amount2": ""})
    assert [(fee.name, fee.amount) for fee in event.fees.all()] == [("All", Decimal("20.50"))]
    assert olga.post(at(event, "fees"), {}).status_code == 422
    assert event.fees.count() == 1, "an empty request takes no categories away"


def test_a_wrong_account_number_stays_typed(olga: Client, event: Tournament) -> None:
    page = olga.post(
        at(event, "account"), {"currency": "EUR", "holder": "Club", "iban": "DE00 1", "mark": "a-b"}
    )
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"iban", "mark"}
    assert "DE00 1" in page.text


def test_the_files_have_amounts_as_numbers_no_formula_and_no_address(
    olga: Client, event: Tournament, ana: Due
) -> None:
    table = list(csv.DictReader(io.StringIO(olga.get(at(event, "dues_csv")).content.decode("utf-8-sig"))))
    assert [(row["name"], row["open"], row["standing"]) for row in table] == [
        ("'=Ana <i>Lima", "30.00", "owes")
    ]
    sheet = load_workbook(io.BytesIO(olga.get(at(event, "dues_sheet")).content)).active
    assert sheet is not None
    name, owed = sheet["B2"], sheet["D2"]
    assert (name.value, name.data_type, owed.value) == ("=Ana <i>Lima", "s", 30)
    assert NEEDLE not in olga.get(at(event, "dues_csv")).text


def test_the_persons_part_has_the_reference_and_a_code_only_for_euros(event: Tournament, ana: Due) -> None:
    set_account(event, SYSTEM, ACCOUNT)
    with translation.override("en"):
        registration = Registration.objects.get()
        html = render_to_string("components/dues.html", {"owed": owes(registration)})
        assert "DE89 3704 0044 0532 0130 00" in html
        assert (ana.reference or "")[:4] in html
        assert 'class="qr"' in html
        set_account(event, SYSTEM, AccountWish("CHF", ACCOUNT.holder, ACCOUNT.iban))
        francs = render_to_string("components/dues.html", {"owed": owes(registration)})
        assert 'class="qr"' not in francs
        assert "30.00\u00a0CHF" in francs
        assert render_to_string("components/dues.html", {"owed": None}).strip() == ""


def test_messages_are_found_and_shown_without_markup(olga: Client, event: Tournament, ana: Due) -> None:
    olga.post(at(event, "dues_reminders"), {"who": [ana.pk], "uuid": str(uuid4())})
    mail = Mail.objects.get()
    assert mail.subject in olga.get(at(event, "mail") + "?q=lima").text
    assert mail.subject not in olga.get(at(event, "mail") + "?q=nobody").text
    assert mail.subject not in olga.get(at(event, "mail") + "?state=sent").text
    page = olga.get(at(event, "mail_one", mail.pk)).text
    assert "&lt;i&gt;Lima" in page
    assert "mailto:needle" in page
    again = olga.post(at(event, "mail_again", mail.pk), {"key": "x"}, follow=True)
    assert "no mail server" in again.text


def test_a_letter_is_looked_at_changed_and_given_back(olga: Client, event: Tournament) -> None:
    url = at(event, "letter", "registration_waiting") + "?language=en"
    looked = olga.post(url, {"subject": "Hi {name}", "text": "<b>{nobody}</b>", "look": "1"})
    assert looked.status_code == 422
    assert "{nobody}" in looked.text
    shown = olga.post(url, {"subject": "Hi {name}", "text": "<b>{position}</b>", "look": "1"})
    assert "Hi Ana Lima" in shown.text
    assert "&lt;b&gt;3&lt;/b&gt;" in shown.text
    assert not event.letter_texts.exists()
    olga.post(url, {"subject": "Hi {name}", "text": "{position}"})
    assert event.letter_texts.get().subject == "Hi {name}"
    olga.post(at(event, "letter_restore", "registration_waiting") + "?language=en")
    assert not event.letter_texts.exists()
    assert olga.get(at(event, "letter", "love_letter")).status_code == 404


def test_an_address_is_on_no_public_page_and_in_no_answer_to_programs(
    client: Client, event: Tournament, ana: Due
) -> None:
    for name in ("tournament", "players_page", "draw_page", "documents_page"):
        assert NEEDLE not in client.get(reverse(name, args=[event.slug])).text
    program = APIClient()
    program.force_authenticate(make_organiser(event))
    for name in ("api_dues", "api_log", "api_fees", "api_account"):
        assert NEEDLE not in program.get(reverse(name, args=[event.slug])).content.decode()


def test_programs_note_payments_once(event: Tournament, ana: Due) -> None:
    program = APIClient()
    program.force_authenticate(make_organiser(event))
    url = reverse("api_due_payments", args=[event.slug, ana.pk])
    sent = {"uuid": str(uuid4()), "amount": "30.00", "open": "30.00"}
    assert [program.post(url, sent, format="json").status_code for _press in range(2)] == [201, 201]
    answer = program.get(reverse("api_dues", args=[event.slug])).json()
    assert [(one["name"], one["open"], one["standing"]) for one in answer] == [
        ("=Ana <i>Lima", "0.00", "paid")
    ]
    stale = program.post(url, sent | {"uuid": str(uuid4())}, format="json")
    assert (stale.status_code, stale.json()["problems"][0]["code"]) == (422, "due_changed")
    cancelled = program.delete(reverse("api_payment", args=[event.slug, sent["uuid"]]))
    assert cancelled.json()["open"] == "30.00"


def test_programs_set_categories_the_account_and_one_due(event: Tournament, ana: Due) -> None:
    program = APIClient()
    program.force_authenticate(make_organiser(event))
    fees = reverse("api_fees", args=[event.slug])
    known = program.get(fees).json()
    answer = program.put(fees, [known[0] | {"amount": "31.00"}], format="json")
    assert [(fee["id"], fee["amount"]) for fee in answer.json()] == [(known[0]["id"], "31.00")]
    due = reverse("api_due", args=[event.slug, ana.pk])
    assert program.put(due, {"category": "Members"}, format="json").json()["owed"] == "31.00"
    assert program.get(due).json()["category"] == "Members"
    assert program.put(due, {"amount": "0.00"}, format="json").json()["standing"] == "free"
    assert program.put(due, {"category": "Nobody's"}, format="json").status_code == 400
    account = reverse("api_account", args=[event.slug])
    assert program.put(account, {"currency": "SEK"}, format="json").json()["currency"] == "SEK"
    assert program.delete(due).status_code == 204


def test_an_umpire_sees_no_dues_and_no_messages(client: Client, event: Tournament, ana: Due) -> None:
    client.force_login(make_umpire(event))
    for name in (
        "dues",
        "dues_csv",
        "dues_sheet",
        "dues_ask",
        "dues_reminders",
        "fees",
        "account",
        "mail",
        "letters",
    ):
        assert client.get(at(event, name)).status_code == 403
    assert client.get(at(event, "due", ana.pk)).status_code == 403


@pytest.mark.parametrize(
    "amount", [10**30, "1e308", "NaN", "Infinity", "sNaN", "-1e30", "", None, {}, "0.001"]
)
def test_what_is_no_amount_is_refused_and_crashes_nothing(
    event: Tournament, ana: Due, amount: object
) -> None:
    program = APIClient()
    program.force_authenticate(make_organiser(event))
    url = reverse("api_due_payments", args=[event.slug, ana.pk])
    sent = {"uuid": str(uuid4()), "amount": amount}
    assert program.post(url, sent, format="json").status_code in (400, 422)
    assert not Payment.objects.exists()
