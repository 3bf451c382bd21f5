"""The price on the form is the price that is charged: chosen when registering, owed with a place."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament
from tests.support.pages import missing
from tests.support.programs import Program
from tests.support.registrations import VISITOR, applicant, confirmed, make_plan, register_one
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import registration_token
from tournament.dues.models import Due, Fee
from tournament.dues.selectors import account_of, ledger_of_registration, list_ledgers, offered_fees
from tournament.dues.services import create_dues_for, set_account, set_fees
from tournament.messages.mail.models import Mail
from tournament.registration.services.registrations import cancel_registration, confirm_registration, register

ANNA = {"last_name": "Nowak", "first_name": "Anna", "email": "anna@example.org", "privacy": "on"}
LATE = date(2027, 2, 1)


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=0, drawn=False)
    make_plan(event, places=2)
    set_fees(
        event, SYSTEM, [Fee(name="Players", amount=Decimal(60)), Fee(name="Students", amount=Decimal(30))]
    )
    return event


def form(event: Tournament) -> str:
    return reverse("register", args=[event.slug])


def price(fee: Fee) -> str:
    return f"{fee.pk}-{fee.amount}"


def page_of(client: Client, registration: Registration) -> str:
    address = reverse("registration", args=[registration.tournament.slug, registration_token(registration)])
    return client.get(address).text


@given(days=st.lists(st.none() | st.integers(-3, 3), max_size=5), today=st.integers(-4, 4))
def test_offered_are_the_categories_of_the_latest_day(days: list[int | None], today: int) -> None:
    fees = [Fee(from_day=None if day is None else LATE + timedelta(days=day)) for day in days]
    offered = offered_fees(fees, LATE + timedelta(days=today))
    if any(day is None or day <= today for day in days):
        assert len({fee.from_day for fee in offered}) == 1, "all of one day"
    for fee in fees:
        is_later = [other for other in offered if (other.from_day or date.min) >= (fee.from_day or date.min)]
        has_begun = fee.from_day is None or fee.from_day <= LATE + timedelta(days=today)
        assert has_begun <= bool(is_later), "nothing newer is in force"


def test_the_price_shown_is_the_price_charged(client: Client, event: Tournament, settings: Any) -> None:
    settings.EMAIL_HOST = "mail.example.org"
    account = account_of(event)
    account.holder, account.iban = "Mahjong Club", "DE89370400440532013000"
    set_account(account, SYSTEM)
    _players, students = event.fees.all()
    shown = client.get(form(event)).text
    assert missing(shown, "Players: 60.00\u00a0EUR", "Students: 30.00\u00a0EUR", price(students)) == []
    refused = client.post(form(event), ANNA)
    assert set(refused.context["form"].errors) == {"price"}, "with several, one is chosen"
    client.post(form(event), ANNA | {"price": price(students)})
    anna = event.registrations.get()
    assert "30.00\u00a0EUR</b>, to be paid once you have a place" in page_of(client, anna)
    assert list_ledgers(event) == [], "nobody owes before there is a place"
    ledger = ledger_of_registration(anna)
    assert ledger is not None
    assert (ledger.owed, ledger.due.amount) == (0, 30)
    set_fees(event, SYSTEM, [Fee(name="All", amount=Decimal(99))])
    confirm_registration(anna, VISITOR)
    (ledger,) = list_ledgers(event)
    assert ledger.balance.open == 30
    letter = Mail.objects.filter(letter="registration_accepted").get().text
    assert missing(letter, "To pay: 30.00\u00a0EUR", "DE89 3704 0044 0532 0130 00") == []
    assert missing(page_of(client, anna), 'class="qr"', "30.00\u00a0EUR") == []


def test_a_price_that_changed_while_the_form_was_open_is_not_charged(
    client: Client, event: Tournament
) -> None:
    players, _students = fees = list(event.fees.all())
    seen, players.amount = price(players), Decimal(70)
    set_fees(event, SYSTEM, fees)
    page = client.post(form(event), ANNA | {"price": seen})
    assert page.status_code == 422
    assert "The prices have changed in the meantime. Choose again." in page.text
    stale = Fee(pk=players.pk, name="Players", amount=Decimal(60))
    codes = refused_codes(register, event, VISITOR, applicant(1), privacy_read=True, fee=stale)
    assert codes == ["price_changed"]
    assert not Registration.objects.exists()
    assert not Due.objects.exists()


def test_the_only_price_is_shown_and_needs_no_choice(client: Client, event: Tournament) -> None:
    (fee,) = set_fees(event, SYSTEM, [Fee(name="All", amount=Decimal(20))])
    shown = client.get(form(event)).text
    assert missing(shown, "All: 20.00\u00a0EUR", f'name="price" value="{price(fee)}"') == []
    client.post(form(event), ANNA | {"price": price(fee)})
    assert Due.objects.get().amount == 20


def test_late_prices_begin_with_the_day_in_the_events_own_zone(
    client: Client, event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tournament.objects.update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    late = Fee(name="Late", amount=Decimal(80), from_day=LATE)
    set_fees(event, SYSTEM, [*event.fees.all(), late])
    midnight = datetime(2027, 1, 31, 15, tzinfo=UTC)
    for now, names in (
        (midnight - timedelta(seconds=1), ["Players", "Students"]),
        (midnight, ["Late"]),
    ):
        monkeypatch.setattr("django.utils.timezone.now", lambda now=now: now)
        assert [fee.name for fee in client.get(form(event)).context["form"].prices.values()] == names


def test_who_waits_or_cancels_owes_nothing(event: Tournament) -> None:
    people = [confirmed(event, number) for number in range(1, 4)]
    assert [ledger.owed for ledger in list_ledgers(event)] == [60, 60], "the third one waits"
    cancel_registration(people[0], VISITOR)
    owing = [ledger.due.registration_id for ledger in list_ledgers(event)]
    assert owing == [people[1].pk, people[2].pk], "who moved up owes what was shown"
    cancelled = ledger_of_registration(people[0])
    assert cancelled is not None
    assert cancelled.owed == 0
    assert create_dues_for(event, people[1:]) == [], "nobody is charged twice"


def test_a_program_names_the_category(event: Tournament) -> None:
    program, address = Program(), reverse("api_registrations", args=[event.slug])
    sent = {"last_name": "Nowak", "email": "anna@example.org", "privacy_read": True}
    assert program.post(address, sent | {"category": "Nobody's"}).status_code == 400
    assert program.post(address, sent | {"category": "Students"}).status_code in (201, 202)
    assert Due.objects.get().amount == 30


def test_the_desk_sees_the_price_that_was_chosen(olga: Client, event: Tournament) -> None:
    anna = register_one(event, 1)
    page = reverse("organiser_person", args=[event.slug, anna.roster_key])
    assert (
        missing(olga.get(page).text, "Players: <b>60.00\u00a0EUR</b>, to be paid once you have a place") == []
    )
    confirm_registration(anna, VISITOR)
    payment = reverse("organiser_person_payment", args=[event.slug, anna.roster_key])
    assert missing(olga.get(page).text, "unpaid", payment) == []
