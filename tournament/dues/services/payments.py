"""Money that came in or went back, noted and cancelled."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from uuid import UUID, uuid5

from django.utils import timezone

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.engine.money import ZERO, Money
from tournament.base.errors import Refused, refuse
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Due, Payment
from tournament.dues.selectors.dues import Owes, number_of, one_due
from tournament.dues.selectors.fees import Paid, wrong_payment
from tournament.messages.mail.post import post, take_back
from tournament.play.services.fresh import fresh
from tournament.registration.selectors.links import link_of

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
        owed = _owed(entry.tournament, due)
        today = timezone.localdate(timezone=entry.tournament.zone)
        if problems := wrong_payment(owed, paid, today):
            raise Refused(problems)
        made = Payment.objects.create(
            due=owed.due,
            uuid=uuid,
            amount=paid.amount.quantize(ZERO),
            method=paid.method,
            on=paid.on or today,
            noted_by=actor.user,
        )
        _thank(_owed(entry.tournament, due), made)
        entry.data = number_of(owed.due) | {"amount": str(made.amount), "method": made.method}
    return made


def cancel_payment(payment: Payment, actor: Actor) -> Payment:
    """It was noted by mistake: it counts no more, and stays to be seen. Cancelling twice is cancelling once."""
    access.require(actor, payment.due.tournament, Right.CASH)
    with log.write(payment.due.tournament, actor, "dues_payment_cancelled") as entry:
        payment = fresh(Payment.objects.select_related("due__registration", "due__player"), payment)
        if payment.cancelled_at is not None:
            entry.unchanged()
            return payment
        if payment.amount > _owed(entry.tournament, payment.due).balance.paid:
            raise refuse("payment_refunded")
        payment.cancelled_at = timezone.now()
        payment.save(update_fields=["cancelled_at"])
        take_back(_letter_of(payment))
        entry.data = number_of(payment.due) | {"amount": str(payment.amount), "method": payment.method}
    return payment


def _owed(tournament: Tournament, due: Due) -> Owes:
    """As it stands within the write."""
    found = one_due(tournament, due.pk)
    if found is None:
        raise refuse("due_changed")
    return found


def _thank(owed: Owes, payment: Payment) -> None:
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
        key=_letter_of(payment),
        wait=TIME_TO_UNDO,
    )


def _letter_of(payment: Payment) -> UUID:
    return uuid5(payment.uuid, "payment_received")
