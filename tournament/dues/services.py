"""What people owe and what it costs; payments and reminders."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from typing import Final
from uuid import UUID, uuid5

from django.utils import timezone

from scoring.engine.problems import Problem
from tournament.base import access, log
from tournament.base.access import Actor, Right
from tournament.base.engine.money import ZERO, Money
from tournament.base.errors import Refused, refuse
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import link_of
from tournament.dues.engine import grouped, reference
from tournament.dues.models import Due, Fee, Payment, TournamentAccount
from tournament.dues.selectors import (
    AccountWish,
    FeeWish,
    Owes,
    Paid,
    Whose,
    account_of,
    day_of,
    fee_for,
    number_of,
    one_due,
    to_remind,
    without_due,
    wrong_account,
    wrong_amount,
    wrong_fees,
    wrong_payment,
)
from tournament.messages.mail.post import post, take_back
from tournament.play.services.tables import fresh

# --- Dues ---


def give_dues(
    tournament: Tournament, actor: Actor, chosen: Sequence[Whose] | None = None, *, batch: UUID
) -> int:
    """To everybody who has a place and was never asked, or to those chosen of them, what is proposed for their day.

    The same `batch` is the same step. How many it was.
    """
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_given") as entry:
        if given := Due.objects.filter(tournament=entry.tournament, batch=batch).count():
            entry.unchanged()
            return given
        if not entry.tournament.fees.exists():
            raise refuse("fees_missing")
        waiting = without_due(entry.tournament)
        people = waiting if chosen is None else [whose for whose in waiting if whose in chosen]
        if not people:
            raise refuse("nobody_to_charge")
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
    with log.write(tournament, actor, "dues_taken_back") as entry:
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
    with log.write(tournament, actor, "dues_set") as entry:
        if fee is not None and fee.tournament_id != tournament.pk:
            raise refuse("no_such_fee", "fee")
        amount = fee.amount if fee is not None and amount is None else amount
        if problems := wrong_amount(amount):
            raise Refused(problems)
        assert amount is not None
        due = _due_of(entry.tournament, whose)
        amount = amount.quantize(Decimal("0.01"))
        if due.pk and (due.fee_id, due.amount) == (fee and fee.pk, amount):
            entry.unchanged()
            return due
        due.fee, due.amount = fee, amount
        _store_due(due, account_of(entry.tournament).mark)
        entry.data = number_of(due) | {"amount": str(amount)}
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
    with log.write(due.tournament, actor, "dues_removed") as entry:
        known = Due.objects.select_related("registration", "player").filter(pk=due.pk).first()
        if known is None:
            entry.unchanged()
            return
        if known.payments.exists():
            name = (known.registration or known.player).name  # type: ignore[union-attr]
            raise Refused(Problem("due_has_payments", "", {"name": name}))
        entry.data = number_of(known)
        known.delete()


# --- Fees and account ---


def set_fees(tournament: Tournament, actor: Actor, fees: Sequence[FeeWish]) -> list[Fee]:
    """The categories, all of them in this order. What people owe already stays what they were told."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_fees_set") as entry:
        known = {fee.pk: fee for fee in entry.tournament.fees.all()}
        if problems := wrong_fees(fees, set(known)):
            raise Refused(problems)
        before = [_values_of(fee) for fee in known.values()]
        kept = [
            _store_fee(known.get(wanted.pk or 0) or Fee(tournament=entry.tournament), wanted, position)
            for position, wanted in enumerate(fees)
        ]
        entry.tournament.fees.exclude(pk__in=[fee.pk for fee in kept]).delete()
        if before == [_values_of(fee) for fee in kept]:
            entry.unchanged()
        entry.data = {"fees": len(kept)}
    return kept


def _values_of(fee: Fee) -> tuple[object, ...]:
    return fee.pk, fee.position, fee.name, fee.amount, fee.from_day


def _store_fee(fee: Fee, wanted: FeeWish, position: int) -> Fee:
    assert wanted.amount is not None
    fee.position, fee.name, fee.from_day = position, wanted.name.strip(), wanted.from_day
    fee.amount = wanted.amount.quantize(Decimal("0.01"))
    fee.save()
    return fee


def set_account(tournament: Tournament, actor: Actor, wanted: AccountWish) -> TournamentAccount:
    """Currency and bank account. References that were told to people stay."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_account_set") as entry:
        account = account_of(entry.tournament)
        wanted = wanted.tidy()
        if problems := wrong_account(account, wanted):
            raise Refused(problems)
        now = asdict(wanted)
        changed = [name for name, value in now.items() if getattr(account, name) != value]
        if account.pk and not changed:
            entry.unchanged()
            return account
        for name, value in now.items():
            setattr(account, name, value)
        account.save()
        entry.data = {"changed": changed}
    return account


# --- Payments ---


TIME_TO_UNDO: Final = timedelta(minutes=2)
"""Before a letter about it goes out: what was tapped by mistake has told nobody."""


def note_payment(due: Due, actor: Actor, paid: Paid, *, uuid: UUID) -> Payment:
    """Note it. The same UUID is the same payment."""
    access.require(actor, due.tournament, Right.CASH)
    with log.write(due.tournament, actor, "dues_payment_noted") as entry:
        if (known := Payment.objects.select_related("due").filter(uuid=uuid).first()) is not None:
            if known.due_id != due.pk:
                raise refuse("due_changed")
            entry.unchanged()
            return known
        owed = _owed_now(entry.tournament, due)
        today = timezone.localdate(timezone=entry.tournament.zone)
        if problems := wrong_payment(owed, paid, today):
            raise Refused(problems)
        payment = Payment.objects.create(
            due=owed.due,
            uuid=uuid,
            amount=paid.amount.quantize(ZERO),
            method=paid.method,
            on=paid.on or today,
            noted_by=actor.user,
        )
        _post_thanks(_owed_now(entry.tournament, due), payment)
        entry.data = number_of(owed.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


def _owed_now(tournament: Tournament, due: Due) -> Owes:
    """As it stands within the write."""
    owes = one_due(tournament, due.pk)
    if owes is None:
        raise refuse("due_changed")
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
    post(
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
    with log.write(payment.due.tournament, actor, "dues_payment_cancelled") as entry:
        payment = fresh(Payment.objects.select_related("due__registration", "due__player"), payment)
        if payment.cancelled_at is not None:
            entry.unchanged()
            return payment
        if payment.amount > _owed_now(entry.tournament, payment.due).balance.paid:
            raise refuse("payment_refunded")
        payment.cancelled_at = timezone.now()
        payment.save(update_fields=["cancelled_at"])
        take_back(_thanks_key(payment))
        entry.data = number_of(payment.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


# --- Reminders ---


def remind(tournament: Tournament, actor: Actor, dues: Collection[int], *, uuid: UUID) -> int:
    """A letter to each of these who owes and has an address; how many. The same UUID writes nobody twice."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_reminded") as entry:
        chosen = [owes for owes in to_remind(entry.tournament)[0] if owes.due.pk in dues]
        if not chosen:
            raise refuse("nobody_to_remind")
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
    post(
        "payment_reminder",
        registration.email,
        registration.language,
        facts,
        tournament=owes.due.tournament,
        registration=registration,
        key=_reminder_key(uuid, owes),
    )
