"""Dues on their pages and by the API: one tap and its undo, everything wrong at its place."""

import csv
import io
from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from openpyxl import load_workbook
from rest_framework.test import APIClient

from tests.dues.test_dues_services import ACCOUNT, account, fee
from tests.support.factories import SYSTEM, make_member, make_organiser, make_tournament
from tests.support.pages import missing, signed_in
from tests.support.pages import organiser_url as at
from tests.support.programs import client_of
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Role, Tournament
from tournament.dues.models import Due, Payment
from tournament.dues.selectors import account_of, ledger_of_registration
from tournament.dues.services import create_dues_for, set_account, set_fees

NEEDLE = "needle-9c1e@players.example.org"


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, drawn=False)
    set_fees(event, SYSTEM, [fee("Members", 30), fee("Students", 15)])
    return event


@pytest.fixture
def program(event: Tournament) -> APIClient:
    return client_of(make_organiser(event, "program"))


@pytest.fixture
def ana(event: Tournament) -> Due:
    name = {"first_name": "=Ana", "last_name": "<i>Lima"}
    registration = Registration.objects.create(
        tournament=event, number=1, email=NEEDLE, state="accepted", made_at=timezone.now(), **name
    )
    (due,) = create_dues_for(event, [registration])
    return due


@pytest.mark.thorough
def test_a_cash_payment_is_stored_and_undone_with_one_tap_each(
    olga: Client, event: Tournament, ana: Due
) -> None:
    for torn in ({}, {"uuid": "x", "open": "30"}, {"uuid": str(uuid4()), "open": "NaN"}):
        assert olga.post(at(event, "due_cash", ana.pk), torn, follow=True).status_code == 200
        assert not Payment.objects.exists(), torn
    sent = {"uuid": str(uuid4()), "open": "30.00"}
    for _press in range(2):
        page = olga.post(at(event, "due_cash", ana.pk), sent, follow=True)
    assert Payment.objects.get().amount == 30
    assert "has paid 30.00\u00a0EUR" in page.text
    undo = at(event, "payment_cancel", Payment.objects.get().uuid)
    assert undo in page.text
    olga.post(undo, {"list": "1"})
    assert Payment.objects.get().cancelled_at is not None


def test_a_payment_by_transfer_with_a_comma(olga: Client, event: Tournament, ana: Due) -> None:
    page = olga.post(
        at(event, "person_payment", "r1"), {"amount": "1e9", "method": "shells", "on": "yesterday"}
    )
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {"amount", "method", "on", "uuid"}
    assert 'value="1e9"' in page.text
    paid = {"amount": "12,50", "method": "transfer", "on": timezone.localdate().isoformat()}
    olga.post(at(event, "person_payment", "r1"), paid | {"uuid": str(uuid4())})
    assert Payment.objects.get().amount == Decimal("12.50")


def test_the_page_after_a_payment_does_not_count_the_event_again(
    olga: Client, event: Tournament, ana: Due, django_assert_max_num_queries: Any
) -> None:
    olga.get(at(event, "person", "r1"))
    sent = {"amount": "12.50", "method": "cash", "on": timezone.localdate().isoformat(), "uuid": str(uuid4())}
    page = olga.post(at(event, "person_payment", "r1"), sent)["Location"]
    with django_assert_max_num_queries(32):
        olga.get(page)


def test_people_are_charged_together_and_this_is_undone(olga: Client, event: Tournament) -> None:
    page = olga.get(at(event, "people"), {"part": "without-fee"}).text
    assert (page.count('name="who"'), "Set the price" in page) == (8, True)
    batch = str(uuid4())
    answer = olga.post(at(event, "step"), {"step": "charge", "who": ["p1", "p2"], "batch": batch})
    assert Due.objects.count() == 2
    done = olga.get(answer["Location"]).text
    assert missing(done, batch, "Price set for 2 people.", "No e-mail is sent") == [], "nobody was told"
    olga.post(at(event, "charge_undo", batch))
    assert not Due.objects.exists()


def test_problems_of_prices_and_account_are_shown_at_their_fields(event: Tournament) -> None:
    treasurer = signed_in(make_member(event, Role.TREASURER, "theo"))
    url, (members, students) = at(event, "registration"), event.fees.all()
    rows = {"prices-TOTAL_FORMS": "3", "prices-INITIAL_FORMS": "2", "payment-currency": "EUR"}
    rows |= {"prices-0-id": str(members.pk), "prices-0-name": "Members", "prices-0-amount": "20,5"}
    rows |= {"prices-1-id": str(students.pk), "prices-1-name": "Students", "prices-1-amount": "15"}
    wrong = rows | {"prices-0-amount": "", "prices-2-name": "", "prices-2-amount": "5"}
    wrong |= {"payment-holder": "Club", "payment-iban": "DE00 1", "payment-mark": "a-b"}
    page = treasurer.post(url, wrong)
    assert page.status_code == 422
    assert [set(errors) for errors in page.context["prices"].formset.errors] == [{"amount"}, set(), {"name"}]
    assert set(page.context["payment"].form.errors) == {"iban", "mark"}
    assert missing(page.text, "DE00 1", "4 problems to fix") == []
    twice = rows | {"prices-1-DELETE": "on", "prices-2-name": "members", "prices-2-amount": "5"}
    page = treasurer.post(url, twice | {"payment-currency": "CHF"})
    assert [set(errors) for errors in page.context["prices"].formset.errors] == [set(), {"name"}]
    assert account_of(event).currency == "EUR", "all or nothing is stored"
    treasurer.post(url, rows | {"prices-1-DELETE": "on", "payment-currency": "CHF"})
    assert [(fee.name, fee.amount) for fee in event.fees.all()] == [("Members", Decimal("20.50"))]
    assert account_of(event).currency == "CHF"
    assert treasurer.post(url, {}).status_code == 422
    assert event.fees.count() == 1, "an empty request takes no categories away"


def test_the_files_have_amounts_as_numbers_no_formula_and_no_address(
    olga: Client, event: Tournament, ana: Due
) -> None:
    text = olga.get(at(event, "list_dues", "csv")).content.decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["name"], row["open"], row["standing"]) == ("'=Ana <i>Lima", "30.00", "owes")
    assert NEEDLE not in text
    sheet = load_workbook(io.BytesIO(olga.get(at(event, "list_dues", "xlsx")).content)).active
    assert sheet is not None
    name, owed = sheet["B2"], sheet["D2"]
    assert (name.value, name.data_type, owed.value) == ("=Ana <i>Lima", "s", 30)


def test_the_persons_part_has_the_reference_and_a_code_only_for_euros(event: Tournament, ana: Due) -> None:
    set_account(account(event, **ACCOUNT), SYSTEM)
    with translation.override("en"):
        registration = Registration.objects.get()
        html = render_to_string("components/dues.html", {"ledger": ledger_of_registration(registration)})
        assert missing(html, "DE89 3704 0044 0532 0130 00", (ana.reference or "")[:4], 'class="qr"') == []
        set_account(account(event, currency="CHF"), SYSTEM)
        francs = render_to_string("components/dues.html", {"ledger": ledger_of_registration(registration)})
        assert 'class="qr"' not in francs
        assert "30.00\u00a0CHF" in francs
        assert render_to_string("components/dues.html", {"ledger": None}).strip() == ""


def test_the_api_sets_fees_account_and_dues(program: APIClient, event: Tournament, ana: Due) -> None:
    fees = reverse("api_fees", args=[event.slug])
    known = program.get(fees).json()
    answer = program.put(fees, [known[0] | {"amount": "31.00"}])
    assert [(fee["id"], fee["amount"]) for fee in answer.json()] == [(known[0]["id"], "31.00")]
    due = reverse("api_due", args=[event.slug, ana.pk])
    assert program.put(due, {"category": "Members"}).json()["owed"] == "31.00"
    assert program.get(due).json()["category"] == "Members"
    assert program.put(due, {"amount": "0.00"}).json()["standing"] == "free"
    assert program.put(due, {"category": "Nobody's"}).status_code == 400
    account = reverse("api_account", args=[event.slug])
    assert program.put(account, {"currency": "SEK"}).json()["currency"] == "SEK"
    assert program.delete(due).status_code == 204


@pytest.mark.thorough
def test_the_api_stores_payments_once_and_returns_no_address(
    program: APIClient, event: Tournament, ana: Due
) -> None:
    url = reverse("api_due_payments", args=[event.slug, ana.pk])
    amounts = [10**30, "1e308", "NaN", "Infinity", "sNaN", "-1e30", "", None, {}, "0.001"]
    answers = [program.post(url, {"uuid": str(uuid4()), "amount": sent}) for sent in amounts]
    assert {answer.status_code for answer in answers} <= {400, 422}
    assert not Payment.objects.exists()
    sent = {"uuid": str(uuid4()), "amount": "30.00", "open": "30.00"}
    assert [program.post(url, sent).status_code for _press in range(2)] == [201, 201]
    (due,) = program.get(reverse("api_dues", args=[event.slug])).json()
    assert (due["name"], due["open"], due["standing"]) == ("=Ana <i>Lima", "0.00", "paid")
    stale = program.post(url, sent | {"uuid": str(uuid4())})
    assert (stale.status_code, stale.json()["problems"][0]["code"]) == (422, "due_changed")
    cancelled = program.delete(reverse("api_payment", args=[event.slug, sent["uuid"]]))
    assert cancelled.json()["open"] == "30.00"
    for name in ("api_dues", "api_log", "api_fees", "api_account"):
        answer = program.get(reverse(name, args=[event.slug]))
        assert NEEDLE not in answer.content.decode(), name
    for name in ("tournament", "players_page", "draw_page", "documents_page"):
        assert NEEDLE not in Client().get(reverse(name, args=[event.slug])).text, name
