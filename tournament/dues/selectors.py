"""Dues with their payments, totals, and the fees to propose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from scoring.texts import folded
from tournament.base.engine.money import ZERO, Balance, Money, Standing, Sums
from tournament.base.models.people import Player
from tournament.base.models.registration import CANCELLED_STATES, Registration
from tournament.base.models.tournament import Tournament
from tournament.base.selectors import tell_apart
from tournament.dues.engine import grouped
from tournament.dues.models import Due, Fee, Payment, TournamentAccount

Debtor = Registration | Player


@dataclass(frozen=True)
class Ledger:
    """One person's due with the payments and the account they go to."""

    due: Due
    account: TournamentAccount
    payments: Sequence[Payment]
    """Oldest first, cancelled ones included."""

    @property
    def debtor(self) -> Debtor:
        return self.due.debtor

    @property
    def player(self) -> Player | None:
        """The player who owes it, or whom the registration became."""
        return self.due.player or (self.due.registration.player if self.due.registration else None)

    @property
    def name(self) -> str:
        return (self.player or self.debtor).name

    @property
    def second_name(self) -> str:
        return (self.player or self.debtor).second_name

    @property
    def namesake_detail(self) -> str:
        return (self.player or self.debtor).namesake_detail

    @property
    def is_over(self) -> bool:
        """Whether nothing is owed any more, and what was paid is to be refunded."""
        return self.due.registration is not None and self.due.registration.state in CANCELLED_STATES

    @property
    def has_place(self) -> bool:
        """Whether the person has a place, without which nothing is owed yet."""
        return self.due.registration is None or self.due.registration.state == Registration.State.ACCEPTED

    @property
    def owed(self) -> Decimal:
        is_early = not self.has_place and not self.valid_payments
        return ZERO if self.is_over or is_early else self.due.amount

    @property
    def valid_payments(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.cancelled_at is None]

    @cached_property
    def balance(self) -> Balance:
        return Balance.of(self.owed, (payment.amount for payment in self.valid_payments))

    @property
    def standing(self) -> Standing:
        return self.balance.standing

    @property
    def refund(self) -> Decimal:
        """What is to be given back to somebody who paid too much."""
        return -self.balance.open

    @property
    def is_transferable(self) -> bool:
        """Whether something is open that can be paid by bank transfer."""
        return self.balance.open > 0 and bool(self.account.iban and self.due.reference)


@dataclass(frozen=True)
class Price:
    """A category as it is announced; `from_day`: for registrations from then on."""

    name: str
    amount: Money
    from_day: date | None


@dataclass
class Totals:
    """Sums of ledgers: over all, by payment method, and by fee name ("" without a fee)."""

    sums: Sums = field(default_factory=Sums)
    by_method: dict[str, Balance] = field(default_factory=dict)
    by_fee: dict[str, Balance] = field(default_factory=dict)


def account_of(tournament: Tournament) -> TournamentAccount:
    """Return the tournament's account, else an unsaved default."""
    account = TournamentAccount.objects.filter(tournament=tournament).first()
    return account or TournamentAccount(tournament=tournament)


def ledger_of_registration(registration: Registration) -> Ledger | None:
    """Return a registration's ledger; None without a due."""
    return _find_ledger(Q(registration=registration), registration.tournament)


def ledger_of_player(player: Player) -> Ledger | None:
    """Return a player's ledger, or that of their registration; None without a due."""
    return _find_ledger(Q(player=player) | Q(registration__player=player), player.tournament)


def _find_ledger(condition: Q, tournament: Tournament) -> Ledger | None:
    due = dues_of(tournament).filter(condition).first()
    return None if due is None else _build_ledger(due, account_of(tournament))


def dues_of(tournament: Tournament) -> QuerySet[Due]:
    return tournament.dues.select_related("registration__player", "player", "fee").prefetch_related(
        Prefetch("payments", Payment.objects.select_related("recorded_by"))
    )


def _build_ledger(due: Due, account: TournamentAccount) -> Ledger:
    return Ledger(due, account, list(due.payments.all()))


def find_ledger(tournament: Tournament, pk: int) -> Ledger | None:
    due = dues_of(tournament).filter(pk=pk).first()
    return None if due is None else _build_ledger(due, account_of(tournament))


def list_ledgers(tournament: Tournament) -> list[Ledger]:
    """Return the ledgers sorted by name, without those of people who have no place and never paid."""
    account = account_of(tournament)
    ledgers = [_build_ledger(due, account) for due in dues_of(tournament)]
    tell_apart([ledger.player or ledger.debtor for ledger in ledgers])
    return sorted(
        (ledger for ledger in ledgers if ledger.has_place or ledger.valid_payments),
        key=lambda ledger: (folded(ledger.name), ledger.due.pk),
    )


def ledgers_by_player(tournament: Tournament) -> dict[int, Ledger]:
    """Return the pk of each player → their ledger."""
    return {ledger.player.pk: ledger for ledger in list_ledgers(tournament) if ledger.player is not None}


def totals_of(ledgers: Iterable[Ledger]) -> Totals:
    totals = Totals()
    for ledger in ledgers:
        totals.sums.add(ledger.balance)
        category = ledger.due.fee.name if ledger.due.fee else ""
        totals.by_fee[category] = totals.by_fee.get(category, Balance()) + ledger.balance
        for payment in ledger.valid_payments:
            subtotal = totals.by_method.get(payment.method, Balance())
            totals.by_method[payment.method] = subtotal + Balance.of(ZERO, [payment.amount])
    return totals


def offered_fees(fees: Iterable[Fee], day: date) -> list[Fee]:
    """Return the categories that a registration on that day can choose from: those of the latest day in force.

    Categories without a day are in force from the beginning.
    """
    begun = [fee for fee in fees if fee.from_day is None or fee.from_day <= day]
    newest = max((fee.from_day or date.min for fee in begun), default=None)
    return [fee for fee in begun if (fee.from_day or date.min) == newest]


def fees_offered_now(tournament: Tournament) -> list[Fee]:
    """Return what can be chosen today, by the tournament's own clock."""
    return offered_fees(tournament.fees.all(), timezone.localdate(timezone=tournament.zone))


def prices_of(tournament: Tournament) -> list[Price]:
    """Return what can be chosen today, then what will be offered later."""
    today = timezone.localdate(timezone=tournament.zone)
    fees = list(tournament.fees.all())
    later = [fee for fee in fees if fee.from_day is not None and fee.from_day > today]
    announced = offered_fees(fees, today) + sorted(later, key=lambda fee: (fee.from_day, fee.position))
    currency = account_of(tournament).currency if announced else ""
    return [Price(fee.name, Money(fee.amount, currency), fee.from_day) for fee in announced]


def proposed_fee(fees: Iterable[Fee], day: date) -> Fee | None:
    """Return the fee of who did not choose one: the first that was offered on that day."""
    return next(iter(offered_fees(fees, day)), None)


def registration_day(debtor: Debtor) -> date:
    """Return the day of registration in the tournament's time zone; today for players without one."""
    at = debtor.made_at if isinstance(debtor, Registration) else timezone.now()
    return at.astimezone(debtor.tournament.zone).date()


def debtors_without_due(tournament: Tournament) -> list[Debtor]:
    """Return who has a place and no due: registrations first, then players without a registration."""
    registered = tournament.registrations.filter(state=Registration.State.ACCEPTED, due=None)
    entered = tournament.players.filter(
        registration=None, own_due=None, is_substitute=False, withdrawn_at=None
    )
    people: list[Debtor] = [*registered.select_related("tournament"), *entered.select_related("tournament")]
    tell_apart(people)
    return people


def find_payment(tournament: Tournament, uuid: str) -> Payment | None:
    """Return the payment that was just recorded and can be cancelled; None for any other text."""
    try:
        payments = Payment.objects.filter(due__tournament=tournament, uuid=UUID(uuid), cancelled_at=None)
    except ValueError:
        return None
    return payments.select_related("due__registration__player", "due__player").first()


def owing_ledgers(tournament: Tournament) -> list[Ledger]:
    return [ledger for ledger in list_ledgers(tournament) if ledger.standing is Standing.OWES]


def payment_facts(ledger: Ledger | None) -> dict[str, object]:
    """Return what a letter says about an open amount and how to pay it; nothing if nothing is open."""
    if ledger is None or ledger.balance.open <= 0:
        return {}
    account = ledger.account
    return {
        "open": Money(ledger.balance.open, account.currency),
        "holder": account.holder,
        "iban": grouped(account.iban),
        "reference": grouped(ledger.due.reference or "") if account.iban else "",
        "pay_link": account.link,
    }


def log_numbers(due: Due) -> dict[str, int]:
    """Return whose due it is, as stored in the log."""
    if due.registration is not None:
        return {"registration": due.registration.number}
    return {"player": due.player.number if due.player else 0}
