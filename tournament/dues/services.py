"""What people owe and what it costs; payments and reminders."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid5

from django.utils import timezone

from scoring.engine.problems import Problem, problem_code
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.money import Money
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.problems import VALUE_MISSING
from tournament.base.selectors import link_of
from tournament.base.validation import changed_fields, check, problems_of
from tournament.dues import texts as actions
from tournament.dues.engine import grouped, reference
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    Owes,
    Whose,
    account_of,
    day_of,
    fee_for,
    number_of,
    one_due,
    to_remind,
    without_due,
)
from tournament.messages.mail.outbox import delete_unsent, queue_mail
from tournament.play.services.tables import fresh

MOST_FEES: Final = 30
FEE_TWICE = problem_code("fee_twice", "There are two categories “{name}”.")
FEES_TOO_MANY = problem_code("fees_too_many", "At most {most} categories.")
NO_SUCH_FEE = problem_code("no_such_fee", "There is no such category.")
FEES_MISSING = problem_code("fees_missing", "There are no categories yet: say first what it costs.")
DUE_CHANGED = problem_code("due_changed", "Somebody else noted something here in the meantime. Look again.")
PAYMENT_REFUNDED = problem_code(
    "payment_refunded", "Some of this went back already. Cancel the refund first."
)
DUE_HAS_PAYMENTS = problem_code("due_has_payments", "{name} has paid already, so the due stays.")
NOBODY_TO_REMIND = problem_code("nobody_to_remind", "Nobody of these owes anything and has an address.")
NOBODY_TO_CHARGE = problem_code("nobody_to_charge", "Everybody of these has a due already.")

# --- Dues ---


def give_dues(
    tournament: Tournament, actor: Actor, chosen: Sequence[Whose] | None = None, *, batch: UUID
) -> int:
    """To everybody who has a place and was never asked, or to those chosen of them, what is proposed for their day.

    The same `batch` is the same step. How many it was.
    """
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, actions.DUES_GIVEN) as entry:
        if given := Due.objects.filter(tournament=entry.tournament, batch=batch).count():
            entry.unchanged()
            return given
        if not entry.tournament.fees.exists():
            raise Refused(FEES_MISSING())
        waiting = without_due(entry.tournament)
        people = waiting if chosen is None else [whose for whose in waiting if whose in chosen]
        if not people:
            raise Refused(NOBODY_TO_CHARGE())
        dues = _give_proposed(entry.tournament, people, batch)
        entry.data = {"dues": len(dues)}
    return len(dues)


def come_to_owe(tournament: Tournament, registrations: Sequence[Registration]) -> list[Due]:
    """Within the write that gives people a place: what is proposed for the day on which each registered.

    Nothing where nothing is asked of anybody. Who has a due keeps it.
    """
    if not registrations or not tournament.fees.exists():
        return []
    charged = set(Due.objects.filter(registration__in=registrations).values_list("registration", flat=True))
    uncharged = [registration for registration in registrations if registration.pk not in charged]
    return _give_proposed(tournament, uncharged, None)


def _give_proposed(tournament: Tournament, people: Iterable[Whose], batch: UUID | None) -> list[Due]:
    fees, mark = list(tournament.fees.all()), account_of(tournament).mark
    dues = []
    for person in people:
        if (fee := fee_for(fees, day_of(person))) is None:
            continue
        due = _due_of(tournament, person)
        due.fee, due.amount, due.batch = fee, fee.amount, batch
        dues.append(_store_due(due, mark))
    return dues


def take_dues_back(tournament: Tournament, actor: Actor, batch: UUID) -> int:
    """The step in which many were asked never was, but for those who have paid meanwhile. How many it was."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, actions.DUES_TAKEN_BACK) as entry:
        unpaid = Due.objects.filter(tournament=entry.tournament, batch=batch, payments=None)
        count = unpaid.count()
        if not count:
            entry.unchanged()
            return 0
        unpaid.delete()
        entry.data = {"dues": count}
    return count


def set_due(
    tournament: Tournament,
    actor: Actor,
    whose: Whose,
    *,
    fee: Fee | None = None,
    amount: Decimal | None = None,
) -> Due:
    """A category for one person, or an amount of their own (0: free of charge)."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, actions.DUES_SET) as entry:
        if fee is not None and fee.tournament_id != tournament.pk:
            raise Refused(NO_SUCH_FEE("fee"))
        if fee is None and amount is None:
            raise Refused(VALUE_MISSING("amount"))
        due = _due_of(entry.tournament, whose)
        due.fee, due.amount = fee, fee.amount if fee is not None and amount is None else amount
        check(due)
        if due.pk and not changed_fields(due):
            entry.unchanged()
            return due
        _store_due(due, account_of(entry.tournament).mark)
        entry.data = number_of(due) | {"amount": str(due.amount)}
    return due


def _due_of(tournament: Tournament, whose: Whose) -> Due:
    """Theirs, or a new one. A player who registered has the registration's."""
    if isinstance(whose, Player) and (registered := Registration.objects.filter(player=whose).first()):
        whose = registered
    owner = {"registration": whose} if isinstance(whose, Registration) else {"player": whose}
    known = Due.objects.filter(**owner).first()
    return known or Due(tournament=tournament, amount=Decimal(0), **owner)


def _store_due(due: Due, mark: str) -> Due:
    """With the reference that banks are told, made once of the key: shared with no other due of this installation."""
    due.save()
    if not due.reference:
        # What came with a file keeps what people were told: another installation numbered it.
        number, taken = due.pk, Due.objects.filter(reference__isnull=False)
        while taken.filter(reference=reference(f"{mark}{number:06}")).exists():
            number += 1_000_000
        due.reference = reference(f"{mark}{number:06}")
        due.save(update_fields=["reference"])
    return due


def remove_due(due: Due, actor: Actor) -> None:
    """They are asked for nothing at all; not possible once something was paid. Idempotent."""
    access.require(actor, due.tournament, Right.CASH)
    with log.write(due.tournament, actor, actions.DUES_REMOVED) as entry:
        known = Due.objects.select_related("registration", "player").filter(pk=due.pk).first()
        if known is None:
            entry.unchanged()
            return
        if known.payments.exists():
            name = (known.registration or known.player).name  # type: ignore[union-attr]
            raise Refused(DUE_HAS_PAYMENTS(name=name))
        entry.data = number_of(known)
        known.delete()


# --- Fees and account ---


def set_fees(tournament: Tournament, actor: Actor, fees: Sequence[Fee]) -> list[Fee]:
    """Store the categories, all of them in this order; those left out go. What people owe already stays.

    `fees`: new ones, and stored ones of this tournament with what is to change. Raises `Refused` with every problem, at
    "fees.0.name".
    """
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, actions.DUES_FEES_SET) as entry:
        stored = {fee.pk for fee in entry.tournament.fees.all()}
        for position, fee in enumerate(fees):
            fee.tournament, fee.position = entry.tournament, position
        if problems := [*_fee_problems(fees, stored)]:
            raise Refused(problems)
        removed = stored - {fee.pk for fee in fees}
        if not removed and not any(changed_fields(fee) for fee in fees):
            entry.unchanged()
            return list(fees)
        entry.tournament.fees.filter(pk__in=removed).delete()
        for fee in fees:
            fee.save()
        entry.data = {"fees": len(fees)}
    return list(fees)


def _fee_problems(fees: Sequence[Fee], stored: Collection[int]) -> Iterator[Problem]:
    if len(fees) > MOST_FEES:
        yield FEES_TOO_MANY(most=MOST_FEES)
    names: set[str] = set()
    for n, fee in enumerate(fees[:MOST_FEES]):
        if fee.pk is not None and fee.pk not in stored:
            yield NO_SUCH_FEE(f"fees.{n}.name")
            continue
        yield from problems_of(fee, f"fees.{n}")
        if fee.name and fee.name.casefold() in names:
            yield FEE_TWICE(f"fees.{n}.name", name=fee.name)
        names.add(fee.name.casefold())


def set_account(account: TournamentAccount, actor: Actor) -> None:
    """Store currency and bank account. References that people already have stay."""
    access.require(actor, account.tournament, Right.CASH)
    with log.write(account.tournament, actor, actions.DUES_ACCOUNT_SET) as entry:
        check(account)
        changed = changed_fields(account)
        if account.pk and not changed:
            entry.unchanged()
            return
        account.save()
        entry.data = {"changed": changed}


# --- Payments ---


TIME_TO_UNDO: Final = timedelta(minutes=2)
"""Before a letter about it goes out: what was tapped by mistake has told nobody."""


def record_payment(payment: Payment, actor: Actor, *, expected_open: Decimal | None = None) -> Payment:
    """Store a payment of `payment.due`; below zero it went back. Idempotent: the same UUID is the same payment.

    `expected_open`: what the writer saw as open. Raises `Refused` where that has changed since.
    """
    due = payment.due
    access.require(actor, due.tournament, Right.CASH)
    with log.write(due.tournament, actor, actions.DUES_PAYMENT_NOTED) as entry:
        if (stored := Payment.objects.select_related("due").filter(uuid=payment.uuid).first()) is not None:
            if stored.due_id != due.pk:
                raise Refused(DUE_CHANGED())
            entry.unchanged()
            return stored
        owed = _owed_now(entry.tournament, due)
        if expected_open is not None and expected_open != owed.balance.open:
            raise Refused(DUE_CHANGED())
        payment.due, payment.noted_by = owed.due, actor.user
        check(payment)
        payment.save()
        _post_thanks(_owed_now(entry.tournament, due), payment)
        entry.data = number_of(owed.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


def _owed_now(tournament: Tournament, due: Due) -> Owes:
    """As it stands within the write."""
    owes = one_due(tournament, due.pk)
    if owes is None:
        raise Refused(DUE_CHANGED())
    return owes


def _post_thanks(owed: Owes, payment: Payment) -> None:
    """A letter to who paid, where the organiser wants it; what goes back is told by whoever gives it back."""
    registration = owed.due.registration
    if registration is None or payment.amount < 0 or not owed.account.tells:
        return
    still = owed.balance.open
    facts = {
        "name": registration.name,
        "paid": Money(payment.amount, owed.account.currency),
        "open": Money(still, owed.account.currency) if still > 0 else "",
        "link": link_of(registration),
    }
    queue_mail(
        "payment_received",
        registration.email,
        registration.language,
        facts,
        tournament=owed.due.tournament,
        registration=registration,
        key=_thanks_key(payment),
        wait=TIME_TO_UNDO,
    )


def _thanks_key(payment: Payment) -> UUID:
    return uuid5(payment.uuid, "payment_received")


def cancel_payment(payment: Payment, actor: Actor) -> Payment:
    """It was noted by mistake: it counts no more, and stays to be seen. Idempotent."""
    access.require(actor, payment.due.tournament, Right.CASH)
    with log.write(payment.due.tournament, actor, actions.DUES_PAYMENT_CANCELLED) as entry:
        payment = fresh(Payment.objects.select_related("due__registration", "due__player"), payment)
        if payment.cancelled_at is not None:
            entry.unchanged()
            return payment
        if payment.amount > _owed_now(entry.tournament, payment.due).balance.paid:
            raise Refused(PAYMENT_REFUNDED())
        payment.cancelled_at = timezone.now()
        payment.save(update_fields=["cancelled_at"])
        delete_unsent(_thanks_key(payment))
        entry.data = number_of(payment.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


# --- Reminders ---


def remind(tournament: Tournament, actor: Actor, dues: Collection[int], *, uuid: UUID) -> int:
    """A letter to each of these who owes and has an address; how many. The same UUID writes nobody twice."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, actions.DUES_REMINDED) as entry:
        chosen = [owes for owes in to_remind(entry.tournament)[0] if owes.due.pk in dues]
        if not chosen:
            raise Refused(NOBODY_TO_REMIND())
        known = set(
            entry.tournament.mails.filter(key__in=[_reminder_key(uuid, owes) for owes in chosen]).values_list(
                "key", flat=True
            )
        )
        unwritten = [owes for owes in chosen if _reminder_key(uuid, owes) not in known]
        if not unwritten:
            entry.unchanged()
            return len(chosen)
        for owes in unwritten:
            _post_reminder(owes, uuid)
        entry.data = {"letters": len(unwritten)}
    return len(unwritten)


def _reminder_key(uuid: UUID, owes: Owes) -> UUID:
    return uuid5(uuid, str(owes.due.pk))


def _post_reminder(owes: Owes, uuid: UUID) -> None:
    registration = owes.due.registration
    assert registration is not None, "who has an address has registered"
    facts = {
        "name": registration.name,
        "open": Money(owes.balance.open, owes.account.currency),
        "holder": owes.account.holder,
        "iban": grouped(owes.account.iban),
        "reference": grouped(owes.due.reference or "") if owes.account.iban else "",
        "pay_link": owes.account.link,
        "link": link_of(registration),
    }
    queue_mail(
        "payment_reminder",
        registration.email,
        registration.language,
        facts,
        tournament=owes.due.tournament,
        registration=registration,
        key=_reminder_key(uuid, owes),
    )
