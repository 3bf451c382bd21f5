"""Who owes what: asked, paid, given back, taken back."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.checks import refused_codes, refused_problems
from tests.support.factories import SYSTEM, make_tournament
from tournament.base.engine.money import Standing
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.engine import remainder
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    account_of,
    debtors_without_due,
    ledger_of_player,
    ledger_of_registration,
    ledgers_by_player,
    list_ledgers,
    proposed_fee,
    totals_of,
)
from tournament.dues.services import (
    cancel_payment,
    charge_debtors,
    create_dues_for,
    record_payment,
    remove_due,
    set_account,
    set_due,
    set_fees,
    undo_charge,
)
from tournament.messages.mail.models import Mail
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored
State = Registration.State
ACCOUNT = {"holder": "Mahjong Club", "iban": "DE89 3704 0044 0532 0130 00", "mark": "mcr27"}
LATE = date(2027, 2, 1)


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, drawn=False)
    late = Fee(name="Late", amount=Decimal("55.5"), from_day=LATE)
    set_fees(event, SYSTEM, [fee("Members", 30), fee("Guests", 40), late])
    return event


def fee(name: str, amount: int | str) -> Fee:
    return Fee(name=name, amount=Decimal(amount))


def account(event: Tournament, **fields: Any) -> TournamentAccount:
    """The event's account with these changes, not stored."""
    account = account_of(event)
    for name, value in fields.items():
        setattr(account, name, value)
    return account


def registered(event: Tournament, number: int = 1, **fields: Any) -> Registration:
    person = {"first_name": "Ana", "last_name": f"Lima {number}", "email": f"ana{number}@example.org"}
    stored = {"state": State.ACCEPTED, "made_at": datetime(2027, 1, 10, tzinfo=UTC), "language": "en"}
    return Registration.objects.create(tournament=event, number=number, **person | stored | fields)


def due_of(event: Tournament, number: int = 1) -> Due:
    (due,) = create_dues_for(event, [registered(event, number)])
    return due


def pay(due: Due, amount: str, uuid: UUID | None = None, open: Decimal | None = None, **more: Any) -> Payment:
    payment = Payment(due=due, uuid=uuid or uuid4(), amount=Decimal(amount), **more)
    return record_payment(payment, SYSTEM, expected_open=open)


def standing(due: Due) -> Standing:
    return next(ledger for ledger in list_ledgers(due.tournament) if ledger.due.pk == due.pk).standing


def test_from_its_day_on_the_late_category_is_proposed(event: Tournament) -> None:
    fees = [proposed_fee(event.fees.all(), LATE + timedelta(days=days)) for days in (-1, 0, 9)]
    assert [fee and fee.name for fee in fees] == ["Members", "Late", "Late"]
    Tournament.objects.update(time_zone="Asia/Tokyo")
    event.refresh_from_db()
    evening_before = datetime(2027, 1, 31, 20, tzinfo=UTC)  # the first of February in Tokyo
    (due,) = create_dues_for(event, [registered(event, made_at=evening_before)])
    assert due.amount == Decimal("55.50"), "by the tournament's own clock"
    set_fees(event, SYSTEM, [fee("Members", 99)])
    due.refresh_from_db()
    assert (due.amount, due.fee) == (Decimal("55.50"), None), "who was asked goes on owing the same"


def test_all_problems_of_fees_or_account_are_refused_together(event: Tournament) -> None:
    unknown = Fee(name="B", amount=Decimal(1), pk=10**9)
    wrong = [fee("A", -1), fee("a", "0.001"), Fee(), unknown]
    assert set(refused_problems(set_fees, event, SYSTEM, wrong)) == {
        ("value_too_low", "fees.0.amount"),
        ("fee_twice", "fees.1.name"),
        ("not_understood", "fees.1.amount"),
        ("value_missing", "fees.2.name"),
        ("value_missing", "fees.2.amount"),
        ("no_such_fee", "fees.3.name"),
    }
    assert event.fees.count() == 3
    wrong_account = account(
        event,
        currency="XXX",
        iban="DE89370400440532013001",
        bic="COBA",
        mark="toolong-",
        link="javascript:alert(1)",
    )
    assert set(refused_problems(set_account, wrong_account, SYSTEM)) == {
        ("not_understood", "currency"),
        ("iban_wrong", "iban"),
        ("holder_missing", "holder"),
        ("bic_wrong", "bic"),
        ("not_understood", "mark"),
        ("not_understood", "link"),
    }


def test_everybody_with_a_place_is_charged_in_one_step_that_can_be_undone(event: Tournament) -> None:
    accepted = registered(event, 1)
    registered(event, 2, state=State.WAITING, waits_since=timezone.now())
    batch = uuid4()
    assert len(debtors_without_due(event)) == 9, "eight players and first registration"
    assert charge_debtors(event, SYSTEM, batch=batch) == 9
    assert charge_debtors(event, SYSTEM, batch=batch) == 9, "the same step again"
    ledger = ledger_of_registration(accepted)
    assert ledger is not None
    pay(ledger.due, "30")
    assert undo_charge(event, SYSTEM, batch) == 8
    assert [ledger.name for ledger in list_ledgers(event)] == ["Ana Lima 1"], "who has paid stays"
    assert undo_charge(event, SYSTEM, uuid4()) == 0


def test_references_are_valid_and_unique(event: Tournament) -> None:
    set_account(account(event, **ACCOUNT), SYSTEM)
    other = make_tournament(players=8, drawn=False, name="Other")
    set_fees(other, SYSTEM, [fee("All", 1)])
    for tournament in (event, other):
        charge_debtors(tournament, SYSTEM, batch=uuid4())
    references = [reference or "" for reference in Due.objects.values_list("reference", flat=True)]
    assert len(set(references)) == 16
    assert {remainder(reference) for reference in references} == {1}
    assert sum("MCR27" in reference for reference in references) == 8


def test_a_due_follows_a_registration_that_becomes_a_player(event: Tournament) -> None:
    due = due_of(event)
    player = event.players.get(number=3)
    Registration.objects.update(player=player)
    ledger = ledger_of_player(player)
    assert ledger is not None
    assert (ledger.due.pk, ledger.name) == (due.pk, player.name)
    assert ledgers_by_player(event)[player.pk].due == due
    assert set_due(event, SYSTEM, player, amount=Decimal(10)).pk == due.pk, "no second first"
    assert player not in debtors_without_due(event)


def test_a_cancelled_registration_owes_nothing_and_is_refunded(event: Tournament) -> None:
    due, _never_paid = due_of(event), due_of(event, 2)
    pay(due, "30")
    Registration.objects.update(state=State.CANCELLED)
    (ledger,) = list_ledgers(event)
    assert (ledger.due.pk, ledger.owed, ledger.standing, ledger.refund) == (due.pk, 0, Standing.OVERPAID, 30)
    pay(due, "-30")
    assert standing(due) is Standing.REFUNDED


def test_amounts_are_not_negative_and_categories_belong_to_the_event(event: Tournament) -> None:
    other = make_tournament(players=8, drawn=False, name="Other")
    (theirs,) = set_fees(other, SYSTEM, [fee("All", 1)])
    player = event.players.get(number=1)
    assert standing(set_due(event, SYSTEM, player, amount=Decimal(0))) is Standing.FREE
    assert refused_codes(set_due, event, SYSTEM, player, amount=Decimal(-1)) == ["value_too_low"]
    assert refused_codes(set_due, event, SYSTEM, player, fee=theirs) == ["no_such_fee"]
    assert refused_codes(set_due, event, SYSTEM, player) == ["value_missing"]


def test_a_due_can_be_removed_and_the_currency_changed_until_the_first_payment(event: Tournament) -> None:
    due = due_of(event)
    remove_due(due, SYSTEM)
    remove_due(due, SYSTEM)
    assert not Due.objects.exists()
    set_account(account(event, **ACCOUNT), SYSTEM)
    paid = due_of(event, 2)
    pay(paid, "1")
    assert refused_codes(remove_due, paid, SYSTEM) == ["due_has_payments"]
    assert refused_codes(set_account, account(event, currency="CHF"), SYSTEM) == ["currency_in_use"]


def test_a_payment_is_idempotent_and_refunds_are_limited_to_what_was_paid(event: Tournament) -> None:
    due, other, uuid = due_of(event), due_of(event, 2), uuid4()
    assert pay(due, "30", uuid, open=Decimal(30)).pk == pay(due, "30", uuid, open=Decimal(30)).pk
    assert refused_codes(pay, other, "30", uuid) == ["due_changed"]
    assert refused_codes(pay, due, "30", open=Decimal(30)) == ["due_changed"]
    assert standing(due) is Standing.PAID
    due, other = due_of(event, 3), due_of(event, 4)
    standings = []
    for amount in ("10", "20", "5.50", "-5.50"):
        pay(due, amount)
        standings.append(standing(due))
    assert standings == [Standing.OWES, Standing.PAID, Standing.OVERPAID, Standing.REFUNDED]
    assert refused_codes(pay, due, "-30.01") == ["refund_too_large"]
    payment, refund = pay(other, "30"), pay(other, "-10")
    assert refused_codes(cancel_payment, payment, SYSTEM) == ["payment_refunded"]
    for cancelled in (refund, payment, payment):
        cancel_payment(cancelled, SYSTEM)
    assert standing(other) is Standing.OWES


def test_an_invalid_payment_is_refused(event: Tournament, subtests: pytest.Subtests) -> None:
    due = due_of(event)
    cases: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("0", {}, "payment_of_nothing"),
        ("0.001", {}, "not_understood"),
        ("NaN", {}, "not_understood"),
        ("10000000", {}, "not_understood"),
        ("1", {"on": date(2099, 1, 1)}, "payment_too_far"),
        ("1", {"on": date(1, 1, 1)}, "payment_too_far"),
        ("1", {"method": "shells"}, "not_understood"),
    )
    for amount, fields, code in cases:
        with subtests.test(amount=amount, **fields), pytest.raises(Refused, match=code):
            pay(due, amount, **fields)


def test_the_list_is_filtered_and_its_sums_exclude_cancelled_payments(event: Tournament) -> None:
    first, second = due_of(event, 1), due_of(event, 2)
    pay(first, "30")
    pay(second, "20", method="transfer")
    cancel_payment(pay(second, "10"), SYSTEM)
    pay(first, "-5")
    accounts = totals_of(list_ledgers(event))
    assert {method: sums.paid for method, sums in accounts.by_method.items()} == {"cash": 25, "transfer": 20}
    assert accounts.by_fee["Members"].open == accounts.sums.total.open == 15
    assert accounts.sums.still_open == 15


def test_a_receipt_is_sent_if_the_account_says_so_and_not_for_a_cancelled_payment(event: Tournament) -> None:
    set_account(account(event, confirms_by_mail=False), SYSTEM)
    pay(due_of(event, 2), "30")
    assert not Mail.objects.exists()
    set_account(account(event, confirms_by_mail=True), SYSTEM)
    due = due_of(event)
    payment = pay(due, "10")
    mail = Mail.objects.get()
    assert "10.00\u00a0EUR" in mail.text
    assert "Still to pay: 20.00\u00a0EUR." in mail.text
    cancel_payment(payment, SYSTEM)
    assert not Mail.objects.exists()
    pay(due, "30")
    assert "Still to pay" not in Mail.objects.get().text


def test_the_log_names_people_by_number_and_its_sentences_by_name(event: Tournament) -> None:
    set_account(account(event, **ACCOUNT), SYSTEM)
    before = Tournament.objects.get(pk=event.pk).public_version
    due = due_of(event)
    pay(due, "30")
    pay(due, "-5")
    set_due(event, SYSTEM, event.players.get(number=2), amount=Decimal(0))
    entries = LogEntry.objects.filter(tournament=event, action__startswith="dues_")
    data = str([entry.data for entry in entries])
    assert [word for word in ("Lima", "example.org", "DE89") if word in data] == []
    assert {
        "Ana Lima 1 has paid 30.00 (cash).",
        "5.00 refunded to Ana Lima 1 (cash).",
    } <= {log_words(event).sentence(entry) for entry in entries}
    assert Tournament.objects.get(pk=event.pk).public_version == before, "money is the staff's business"


def test_the_number_of_queries_does_not_grow_with_the_list(
    event: Tournament, django_assert_num_queries: Any
) -> None:
    charge_debtors(event, SYSTEM, batch=uuid4())
    for due in Due.objects.all():
        pay(due, "1")
    with django_assert_num_queries(3):
        assert len([ledger.balance for ledger in list_ledgers(event)]) == 8
