"""Who owes what: asked, paid, given back, taken back."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from tests.support.factories import SYSTEM, make_tournament
from tournament.engine.bank import is_reference
from tournament.engine.money import Standing
from tournament.errors import Refused
from tournament.models import Due, LogEntry, Mail, Payment, Registration, Tournament
from tournament.selectors.dues import (
    Wanted,
    accounts_of,
    all_owed,
    owed_by_player,
    owes,
    owes_of,
    proposed_fee,
    without_due,
)
from tournament.selectors.fees import AccountWish, FeeWish, Paid
from tournament.selectors.log_words import log_words
from tournament.services.dues import come_to_owe, give_dues, remove_due, set_due, take_dues_back
from tournament.services.fees import set_account, set_fees
from tournament.services.payments import cancel_payment, note_payment
from tournament.services.reminders import remind

pytestmark = pytest.mark.django_db
State = Registration.State
ACCOUNT = AccountWish("EUR", "Mahjong Club", "DE89 3704 0044 0532 0130 00", mark="mcr27")
LATE = date(2027, 2, 1)


@pytest.fixture
def event() -> Tournament:
    made = make_tournament(players=8, drawn=False)
    set_fees(
        made,
        SYSTEM,
        [
            FeeWish("Members", Decimal(30)),
            FeeWish("Guests", Decimal(40)),
            FeeWish("Late", Decimal("55.5"), LATE),
        ],
    )
    return made


def registered(
    event: Tournament, number: int = 1, state: State = State.ACCEPTED, **more: Any
) -> Registration:
    known = {
        "first_name": "Ana",
        "last_name": f"Lima {number}",
        "email": f"ana{number}@example.org",
        "made_at": datetime(2027, 1, 10, tzinfo=ZoneInfo("UTC")),
        "language": "en",
    }
    return Registration.objects.create(tournament=event, number=number, state=state, **known | more)


def due_of(event: Tournament, number: int = 1) -> Due:
    (due,) = come_to_owe(event, [registered(event, number)])
    return due


def pay(due: Due, amount: str, uuid: UUID | None = None, **more: Any) -> Payment:
    return note_payment(due, SYSTEM, Paid(Decimal(amount), **more), uuid=uuid or uuid4())


def standing(due: Due) -> Standing:
    return next(one for one in all_owed(due.tournament) if one.due.pk == due.pk).standing


def codes(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(problem.where, problem.code) for problem in refused.value.problems}


# --- what it costs ----------------------------------------------------------------------------------------------------
def test_the_first_category_is_proposed_and_from_its_day_on_the_late_one(event: Tournament) -> None:
    names = [proposed_fee(event, LATE + timedelta(days=days)) for days in (-1, 0, 9)]
    assert [fee and fee.name for fee in names] == ["Members", "Late", "Late"]


def test_the_day_is_that_of_the_tournaments_own_clock(event: Tournament) -> None:
    Tournament.objects.update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    evening_before = datetime(2027, 1, 31, 20, tzinfo=ZoneInfo("UTC"))  # the first of February in Tokyo
    (due,) = come_to_owe(event, [registered(event, made_at=evening_before)])
    assert due.amount == Decimal("55.50")


def test_who_was_asked_stays_with_what_they_were_told(event: Tournament) -> None:
    due = due_of(event)
    set_fees(event, SYSTEM, [FeeWish("Members", Decimal(99))])
    due.refresh_from_db()
    assert (due.amount, due.fee) == (Decimal(30), None)


def test_everything_wrong_with_categories_is_said_at_once(event: Tournament) -> None:
    with pytest.raises(Refused) as refused:
        set_fees(
            event,
            SYSTEM,
            [
                FeeWish("A", Decimal(-1)),
                FeeWish("a", Decimal("0.001")),
                FeeWish("", None),
                FeeWish("B", Decimal(1), pk=10**9),
            ],
        )
    assert codes(refused) == {
        ("fees.0.amount", "amount_below_zero"),
        ("fees.1.name", "fee_twice"),
        ("fees.1.amount", "amount_unfit"),
        ("fees.2.name", "fee_name_missing"),
        ("fees.2.amount", "fee_amount_missing"),
        ("fees.3.name", "no_such_fee"),
    }
    assert event.fees.count() == 3


def test_an_account_is_checked_as_banks_do(event: Tournament) -> None:
    wrong = AccountWish("XXX", "", "DE89370400440532013001", "COBA", "toolong-", "javascript:alert(1)")
    with pytest.raises(Refused) as refused:
        set_account(event, SYSTEM, wrong)
    assert codes(refused) == {
        ("currency", "unknown_currency"),
        ("iban", "iban_wrong"),
        ("holder", "holder_missing"),
        ("bic", "bic_wrong"),
        ("mark", "mark_wrong"),
        ("link", "link_unfit"),
    }


def test_the_currency_stays_once_something_was_paid(event: Tournament) -> None:
    set_account(event, SYSTEM, ACCOUNT)
    pay(due_of(event), "30")
    with pytest.raises(Refused, match="currency_in_use"):
        set_account(event, SYSTEM, AccountWish("CHF"))


# --- asking -----------------------------------------------------------------------------------------------------------
def test_everybody_with_a_place_is_asked_in_one_step_and_it_can_be_taken_back(event: Tournament) -> None:
    accepted = registered(event, 1)
    registered(event, 2, State.WAITING, waits_since=timezone.now())
    batch = uuid4()
    assert len(without_due(event)) == 9, "eight players and one registration"
    assert give_dues(event, SYSTEM, batch=batch) == 9
    assert give_dues(event, SYSTEM, batch=batch) == 9, "the same step again"
    owed = owes(accepted)
    assert owed is not None
    pay(owed.due, "30")
    assert take_dues_back(event, SYSTEM, batch) == 8
    assert [one.name for one in all_owed(event)] == ["Ana Lima 1"], "who has paid stays"
    assert take_dues_back(event, SYSTEM, uuid4()) == 0


def test_references_check_and_are_shared_by_nobody(event: Tournament) -> None:
    set_account(event, SYSTEM, ACCOUNT)
    other = make_tournament(players=8, drawn=False, name="Other")
    set_fees(other, SYSTEM, [FeeWish("All", Decimal(1))])
    for one in (event, other):
        give_dues(one, SYSTEM, batch=uuid4())
    found = list(Due.objects.values_list("reference", flat=True))
    assert len(set(found)) == 16
    assert all(is_reference(reference or "") for reference in found)
    assert sum("MCR27" in (reference or "") for reference in found) == 8


def test_a_due_follows_a_registration_that_becomes_a_player(event: Tournament) -> None:
    due = due_of(event)
    player = event.players.get(number=3)
    Registration.objects.update(player=player)
    owed = owes_of(player)
    assert owed is not None
    assert owed.due.pk == due.pk
    assert owed.name == player.name
    assert owed_by_player(event)[player.pk].due == due
    assert set_due(event, SYSTEM, player, amount=Decimal(10)).pk == due.pk, "no second one"
    assert player not in without_due(event)


def test_who_does_not_come_owes_nothing_and_gets_back_what_was_paid(event: Tournament) -> None:
    due = due_of(event)
    pay(due, "30")
    Registration.objects.update(state=State.CANCELLED)
    (one,) = all_owed(event)
    assert (one.owed, one.standing, one.back) == (0, Standing.OVERPAID, Decimal(30))
    pay(due, "-30")
    assert standing(due) is Standing.REFUNDED


def test_who_cancelled_and_never_paid_is_in_no_list(event: Tournament) -> None:
    due_of(event)
    Registration.objects.update(state=State.CANCELLED)
    assert all_owed(event) == []


def test_free_of_charge(event: Tournament) -> None:
    due = set_due(event, SYSTEM, event.players.get(number=1), amount=Decimal(0))
    assert standing(due) is Standing.FREE


def test_nobody_is_asked_for_less_than_nothing_or_by_anothers_category(event: Tournament) -> None:
    other = make_tournament(players=8, drawn=False, name="Other")
    (theirs,) = set_fees(other, SYSTEM, [FeeWish("All", Decimal(1))])
    player = event.players.get(number=1)
    with pytest.raises(Refused, match="amount_below_zero"):
        set_due(event, SYSTEM, player, amount=Decimal(-1))
    with pytest.raises(Refused, match="no_such_fee"):
        set_due(event, SYSTEM, player, fee=theirs)
    with pytest.raises(Refused, match="fee_amount_missing"):
        set_due(event, SYSTEM, player)


def test_a_due_goes_until_something_is_paid(event: Tournament) -> None:
    due = due_of(event)
    remove_due(due, SYSTEM)
    remove_due(due, SYSTEM)
    assert not Due.objects.exists()
    paid = due_of(event, 2)
    pay(paid, "1")
    with pytest.raises(Refused, match="due_has_payments"):
        remove_due(paid, SYSTEM)


# --- paying -----------------------------------------------------------------------------------------------------------
def test_the_same_payment_twice_is_one(event: Tournament) -> None:
    due, uuid = due_of(event), uuid4()
    assert pay(due, "30", uuid).pk == pay(due, "30", uuid).pk
    assert standing(due) is Standing.PAID
    with pytest.raises(Refused, match="due_changed"):
        pay(due_of(event, 2), "30", uuid)


def test_two_who_tap_at_once_note_it_once(event: Tournament) -> None:
    due = due_of(event)
    pay(due, "30", open=Decimal(30))
    with pytest.raises(Refused, match="due_changed"):
        pay(due, "30", open=Decimal(30))
    assert standing(due) is Standing.PAID


def test_in_parts_and_too_much_and_back(event: Tournament) -> None:
    due = due_of(event)
    seen = []
    for amount in ("10", "20", "5.50", "-5.50"):
        pay(due, amount)
        seen.append(standing(due))
    assert seen == [Standing.OWES, Standing.PAID, Standing.OVERPAID, Standing.REFUNDED]


def test_no_more_goes_back_than_came(event: Tournament) -> None:
    due = due_of(event)
    came = pay(due, "30")
    with pytest.raises(Refused, match="refund_too_large"):
        pay(due, "-30.01")
    refund = pay(due, "-10")
    with pytest.raises(Refused, match="payment_refunded"):
        cancel_payment(came, SYSTEM)
    cancel_payment(refund, SYSTEM)
    cancel_payment(came, SYSTEM)
    cancel_payment(came, SYSTEM)
    assert standing(due) is Standing.OWES


@pytest.mark.parametrize(
    ("amount", "more", "code"),
    [
        ("0", {}, "payment_of_nothing"),
        ("0.001", {}, "amount_unfit"),
        ("NaN", {}, "amount_unfit"),
        ("10000000", {}, "amount_unfit"),
        ("1", {"on": date(2099, 1, 1)}, "payment_too_far"),
        ("1", {"on": date(1, 1, 1)}, "payment_too_far"),
        ("1", {"method": "shells"}, "not_understood"),
    ],
)
def test_what_is_no_payment(event: Tournament, amount: str, more: dict[str, Any], code: str) -> None:
    with pytest.raises(Refused, match=code):
        pay(due_of(event), amount, **more)


def test_sums_by_method_and_category_leave_out_what_was_cancelled(event: Tournament) -> None:
    one, two = due_of(event, 1), due_of(event, 2)
    pay(one, "30")
    pay(two, "20", method="transfer")
    cancel_payment(pay(two, "10"), SYSTEM)
    pay(one, "-5")
    found = accounts_of(all_owed(event))
    assert {method: sums.paid for method, sums in found.by_method.items()} == {"cash": 25, "transfer": 20}
    assert found.by_fee["Members"].open == found.sums.total.open == 15
    assert found.sums.still_open == 15


def test_the_list_is_narrowed(event: Tournament) -> None:
    one, _two = due_of(event, 1), due_of(event, 2)
    pay(one, "30")
    everybody = all_owed(event)
    assert [who.due.pk for who in everybody if Wanted(Standing.PAID).fits(who)] == [one.pk]
    assert [who.due.pk for who in everybody if Wanted(words="LIMA ana1@").fits(who)] == [one.pk]
    assert [who.due.pk for who in everybody if Wanted(words=one.reference or "").fits(who)] == [one.pk]


# --- letters ----------------------------------------------------------------------------------------------------------
def test_a_payment_is_thanked_for_and_a_mistake_is_not(event: Tournament) -> None:
    due = due_of(event)
    noted = pay(due, "10")
    mail = Mail.objects.get()
    assert "10.00\u00a0EUR" in mail.text
    assert "Still open: 20.00\u00a0EUR." in mail.text
    cancel_payment(noted, SYSTEM)
    assert not Mail.objects.exists()
    pay(due, "30")
    assert "Still open" not in Mail.objects.get().text


def test_nobody_is_thanked_where_the_organiser_does_not_want_it(event: Tournament) -> None:
    set_account(event, SYSTEM, AccountWish("EUR", tells=False))
    pay(due_of(event), "30")
    assert not Mail.objects.exists()


def test_who_owes_is_reminded_once_a_step_with_what_a_bank_asks_for(event: Tournament) -> None:
    set_account(event, SYSTEM, ACCOUNT)
    due, paid = due_of(event, 1), due_of(event, 2)
    pay(paid, "30")
    Mail.objects.all().delete()
    uuid = uuid4()
    for _press in range(2):
        remind(event, SYSTEM, [due.pk, paid.pk, 10**9], uuid=uuid)
    mail = Mail.objects.get()
    assert mail.to == "ana1@example.org"
    assert "DE89 3704 0044 0532 0130 00" in mail.text
    assert (due.reference or "")[4:8] in mail.text.replace(" ", "")
    with pytest.raises(Refused, match="nobody_to_remind"):
        remind(event, SYSTEM, [paid.pk], uuid=uuid4())


def test_a_reminder_without_a_bank_account_names_none(event: Tournament) -> None:
    remind(event, SYSTEM, [due_of(event).pk], uuid=uuid4())
    assert "IBAN" not in (text := Mail.objects.get().text)
    assert "reference" not in text
    assert "{" not in text


# --- the log ----------------------------------------------------------------------------------------------------------
def test_the_log_names_people_by_number_and_says_them_by_name(event: Tournament) -> None:
    set_account(event, SYSTEM, ACCOUNT)
    due = due_of(event)
    pay(due, "30")
    pay(due, "-5")
    set_due(event, SYSTEM, event.players.get(number=2), amount=Decimal(0))
    remind(event, SYSTEM, [due.pk], uuid=uuid4())
    entries = LogEntry.objects.filter(tournament=event, action__startswith="dues_")
    assert "Lima" not in str([entry.data for entry in entries])
    assert "example.org" not in str([entry.data for entry in entries])
    assert "DE89" not in str([entry.data for entry in entries])
    said = [log_words(event).sentence(entry) for entry in entries]
    assert "Ana Lima 1 has paid 30.00 (cash)." in said
    assert "5.00 given back to Ana Lima 1 (cash)." in said
    assert "1 reminder written." in said


def test_money_is_nobodys_business_but_the_staffs(event: Tournament) -> None:
    before = Tournament.objects.get(pk=event.pk).public_version
    pay(due_of(event), "30")
    assert Tournament.objects.get(pk=event.pk).public_version == before


def test_a_list_of_many_asks_as_often_as_one_of_few(
    event: Tournament, django_assert_num_queries: Any
) -> None:
    give_dues(event, SYSTEM, batch=uuid4())
    for due in Due.objects.all():
        pay(due, "1")
    with django_assert_num_queries(3):
        assert len([one.balance for one in all_owed(event)]) == 8
