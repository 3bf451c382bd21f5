"""Store dues, fees, the account and payments."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid5

from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import log
from tournament.base.access import Actor, Right
from tournament.base.engine.money import Money
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_MISSING
from tournament.base.selectors import registration_url
from tournament.base.validation import changed_fields, check, problems_of
from tournament.dues import texts as actions
from tournament.dues.engine import creditor_reference
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    Debtor,
    Ledger,
    account_of,
    debtors_without_due,
    find_ledger,
    log_numbers,
    offered_fees,
    proposed_fee,
    registration_day,
)
from tournament.messages.mail.outbox import delete_unsent, queue_mail
from tournament.play.services.tables import fresh

MAX_FEES: Final = 30
FEE_TWICE = problem_code("fee_twice", "There are two categories “{name}”.")
FEES_TOO_MANY = problem_code("fees_too_many", "At most {maximum} categories.")
NO_SUCH_FEE = problem_code("no_such_fee", "There is no such category.")
FEES_MISSING = problem_code("fees_missing", "There are no price categories yet: set the prices first.")
DUE_CHANGED = problem_code("due_changed", "Someone else has changed this in the meantime. Reload the page.")
PAYMENT_REFUNDED = problem_code(
    "payment_refunded", "Part of this has already been refunded. Cancel the refund first."
)
DUE_HAS_PAYMENTS = problem_code(
    "due_has_payments", "{name} has already paid, so the price cannot be removed."
)
PRICE_CHANGED = problem_code("price_changed", "The prices have changed in the meantime. Choose again.")
NOBODY_TO_CHARGE = problem_code("nobody_to_charge", "All of them have a price already.")

# --- Dues ---


def charge_debtors(
    tournament: Tournament, actor: Actor, chosen: Sequence[Debtor] | None = None, *, batch: UUID
) -> int:
    """Create the proposed dues for everybody who has a place and no due, or for those of them who are `chosen`.

    Return how many. Idempotent for the same `batch`.
    """
    with log.write(tournament, actor, actions.DUES_CHARGED, Right.CASH) as entry:
        if existing := Due.objects.filter(tournament=entry.tournament, batch=batch).count():
            return entry.unchanged(existing)
        if not entry.tournament.fees.exists():
            raise Refused(FEES_MISSING())
        waiting = debtors_without_due(entry.tournament)
        debtors = waiting if chosen is None else [debtor for debtor in waiting if debtor in chosen]
        if not debtors:
            raise Refused(NOBODY_TO_CHARGE())
        dues = _create_proposed(entry.tournament, debtors, batch)
        entry.data = {"dues": len(dues)}
    return len(dues)


def create_dues_for(tournament: Tournament, registrations: Sequence[Registration]) -> list[Due]:
    """Create the proposed dues of registrations without one. Called within the write that gives them a place."""
    if not registrations or not tournament.fees.exists():
        return []
    charged = set(Due.objects.filter(registration__in=registrations).values_list("registration", flat=True))
    uncharged = [registration for registration in registrations if registration.pk not in charged]
    return _create_proposed(tournament, uncharged, None)


def create_due_at_registration(registration: Registration, fee: Fee | None) -> None:
    """Store the price that a person chose, or the proposed one; it is owed once they have a place.

    Called within the write that registers them. Raises Refused unless they saw the price of today.
    """
    tournament = registration.tournament
    offered = offered_fees(tournament.fees.all(), registration_day(registration))
    if fee is None:
        fee = next(iter(offered), None)
    elif not any((stored.pk, stored.amount) == (fee.pk, fee.amount) for stored in offered):
        raise Refused(PRICE_CHANGED("price"))
    if fee is not None:
        due = Due(tournament=tournament, registration=registration, fee=fee, amount=fee.amount)
        _store_due(due, account_of(tournament).mark)


def _create_proposed(tournament: Tournament, debtors: Iterable[Debtor], batch: UUID | None) -> list[Due]:
    fees, mark = list(tournament.fees.all()), account_of(tournament).mark
    dues = []
    for debtor in debtors:
        if (fee := proposed_fee(fees, registration_day(debtor))) is None:
            continue
        due = _find_or_build_due(tournament, debtor)
        due.fee, due.amount, due.batch = fee, fee.amount, batch
        dues.append(_store_due(due, mark))
    return dues


def undo_charge(tournament: Tournament, actor: Actor, batch: UUID) -> int:
    """Delete the dues of a bulk step, except those with payments; return how many. Idempotent."""
    with log.write(tournament, actor, actions.DUES_CANCELLED, Right.CASH) as entry:
        unpaid = Due.objects.filter(tournament=entry.tournament, batch=batch, payments=None)
        count = unpaid.count()
        if not count:
            return entry.unchanged(0)
        unpaid.delete()
        entry.data = {"dues": count}
    return count


def set_due(
    tournament: Tournament,
    actor: Actor,
    debtor: Debtor,
    *,
    fee: Fee | None = None,
    amount: Decimal | None = None,
) -> Due:
    """Set one person's category, or an own amount (0: free of charge)."""
    with log.write(tournament, actor, actions.DUE_SET, Right.CASH) as entry:
        if fee is not None and fee.tournament_id != tournament.pk:
            raise Refused(NO_SUCH_FEE("fee"))
        if fee is None and amount is None:
            raise Refused(VALUE_MISSING("amount"))
        due = _find_or_build_due(entry.tournament, debtor)
        due.fee, due.amount = fee, fee.amount if fee is not None and amount is None else amount
        check(due)
        if due.pk and not changed_fields(due):
            return entry.unchanged(due)
        _store_due(due, account_of(entry.tournament).mark)
        entry.data = log_numbers(due) | {"amount": str(due.amount)}
    return due


def _find_or_build_due(tournament: Tournament, debtor: Debtor) -> Due:
    """Return the debtor's due, or an unsaved one. A player who registered has the registration's."""
    if isinstance(debtor, Player) and (registered := Registration.objects.filter(player=debtor).first()):
        debtor = registered
    owner = {"registration": debtor} if isinstance(debtor, Registration) else {"player": debtor}
    stored = Due.objects.filter(**owner).first()
    return stored or Due(tournament=tournament, amount=Decimal(0), **owner)


def _store_due(due: Due, mark: str) -> Due:
    """Save a due, with a reference that is unique on this site."""
    due.save()
    if not due.reference:
        # Imported dues keep the references of another site, which may equal ours.
        number, used = due.pk, Due.objects.filter(reference__isnull=False)
        while used.filter(reference=creditor_reference(f"{mark}{number:06}")).exists():
            number += 1_000_000
        due.reference = creditor_reference(f"{mark}{number:06}")
        due.save(update_fields=["reference"])
    return due


def remove_due(due: Due, actor: Actor) -> None:
    """Delete a due. Raises Refused when it has payments. Idempotent."""
    with log.write(due.tournament, actor, actions.DUE_REMOVED, Right.CASH) as entry:
        stored = Due.objects.select_related("registration", "player").filter(pk=due.pk).first()
        if stored is None:
            entry.mark_unchanged()
            return
        if stored.payments.exists():
            name = (stored.registration or stored.player).name  # type: ignore[union-attr]
            raise Refused(DUE_HAS_PAYMENTS(name=name))
        entry.data = log_numbers(stored)
        stored.delete()


# --- Fees and account ---


def set_fees(tournament: Tournament, actor: Actor, fees: Sequence[Fee]) -> list[Fee]:
    """Store all categories in this order, and delete the others. Existing dues keep their amounts.

    `fees`: new ones, and stored ones of this tournament with changed values. Raises Refused with every problem, at
    "fees.0.name".
    """
    with log.write(tournament, actor, actions.FEES_SET, Right.CASH) as entry:
        stored = {fee.pk for fee in entry.tournament.fees.all()}
        for position, fee in enumerate(fees):
            fee.tournament, fee.position = entry.tournament, position
        if problems := [*_fee_problems(fees, stored)]:
            raise Refused(problems)
        removed = stored - {fee.pk for fee in fees}
        if not removed and not any(changed_fields(fee) for fee in fees):
            return entry.unchanged(list(fees))
        entry.tournament.fees.filter(pk__in=removed).delete()
        for fee in fees:
            fee.save()
        entry.data = {"fees": len(fees)}
    return list(fees)


def _fee_problems(fees: Sequence[Fee], stored: Collection[int]) -> Iterator[Problem]:
    if len(fees) > MAX_FEES:
        yield FEES_TOO_MANY(maximum=MAX_FEES)
    names: set[str] = set()
    for n, fee in enumerate(fees[:MAX_FEES]):
        if fee.pk is not None and fee.pk not in stored:
            yield NO_SUCH_FEE(f"fees.{n}.name")
            continue
        yield from problems_of(fee, f"fees.{n}")
        if fee.name and fee.name.casefold() in names:
            yield FEE_TWICE(f"fees.{n}.name", name=fee.name)
        names.add(fee.name.casefold())


def set_account(account: TournamentAccount, actor: Actor) -> None:
    """Store currency and bank account. Existing references stay."""
    with log.write(account.tournament, actor, actions.BANK_ACCOUNT_SET, Right.CASH) as entry:
        check(account)
        changed = changed_fields(account)
        if account.pk and not changed:
            entry.mark_unchanged()
            return
        account.save()
        entry.data = {"changed": changed}


# --- Payments ---


UNDO_PERIOD: Final = timedelta(minutes=2)
"""The delay before a receipt is sent, in which a mistaken payment can be cancelled."""


def record_payment(payment: Payment, actor: Actor, *, expected_open: Decimal | None = None) -> Payment:
    """Store a payment of `payment.due`, or a refund. Idempotent for the same UUID.

    `expected_open`: the open amount that was shown. Raises Refused when it has changed since.
    """
    due = payment.due
    with log.write(due.tournament, actor, actions.PAYMENT_RECORDED, Right.CASH) as entry:
        if (stored := Payment.objects.select_related("due").filter(uuid=payment.uuid).first()) is not None:
            if stored.due_id != due.pk:
                raise Refused(DUE_CHANGED())
            return entry.unchanged(stored)
        ledger = _current_ledger(entry.tournament, due)
        if expected_open is not None and expected_open != ledger.balance.open:
            raise Refused(DUE_CHANGED())
        payment.due, payment.recorded_by = ledger.due, actor.user
        check(payment)
        payment.save()
        _queue_receipt(_current_ledger(entry.tournament, due), payment)
        entry.data = log_numbers(ledger.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


def _current_ledger(tournament: Tournament, due: Due) -> Ledger:
    """Return the ledger as it is within this write."""
    ledger = find_ledger(tournament, due.pk)
    if ledger is None:
        raise Refused(DUE_CHANGED())
    return ledger


def _queue_receipt(ledger: Ledger, payment: Payment) -> None:
    """Queue a receipt for a payment, if the account has receipts enabled; none for a refund."""
    registration = ledger.due.registration
    if registration is None or payment.amount < 0 or not ledger.account.confirms_by_mail:
        return
    open_amount = ledger.balance.open
    facts = {
        "name": registration.name,
        "paid": Money(payment.amount, ledger.account.currency),
        "open": Money(open_amount, ledger.account.currency) if open_amount > 0 else "",
        "link": registration_url(registration),
    }
    queue_mail(
        "payment_received",
        registration.email,
        registration.language,
        facts,
        tournament=ledger.due.tournament,
        registration=registration,
        key=_receipt_key(payment),
        wait=UNDO_PERIOD,
    )


def _receipt_key(payment: Payment) -> UUID:
    return uuid5(payment.uuid, "payment_received")


def cancel_payment(payment: Payment, actor: Actor) -> Payment:
    """Mark a payment as a mistake, so that it no longer counts. Idempotent."""
    with log.write(payment.due.tournament, actor, actions.PAYMENT_CANCELLED, Right.CASH) as entry:
        payment = fresh(Payment.objects.select_related("due__registration", "due__player"), payment)
        if payment.cancelled_at is not None:
            return entry.unchanged(payment)
        if payment.amount > _current_ledger(entry.tournament, payment.due).balance.paid:
            raise Refused(PAYMENT_REFUNDED())
        payment.cancelled_at = timezone.now()
        payment.save(update_fields=["cancelled_at"])
        delete_unsent(_receipt_key(payment))
        entry.data = log_numbers(payment.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment
