"""Dues with their payments, totals, and the fees to propose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from scoring.texts import folded
from tournament.base.engine.money import ZERO, Balance, Standing, Sums
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Due, Fee, Payment, TournamentAccount

Debtor = Registration | Player
CANCELLED_STATES = (Registration.State.CANCELLED, Registration.State.DECLINED)
"""States in which nothing is owed any more, and what was paid is to be refunded."""


@dataclass(frozen=True)
class Ledger:
    """One person's due with the payments and the account they go to."""

    due: Due
    account: TournamentAccount
    payments: Sequence[Payment]
    """Oldest first, cancelled ones included."""

    @property
    def debtor(self) -> Debtor:
        owner = self.due.registration or self.due.player
        assert owner is not None, "a due is somebody's"
        return owner

    @property
    def player(self) -> Player | None:
        """The player who owes it, or whom the registration became."""
        return self.due.player or (self.due.registration.player if self.due.registration else None)

    @property
    def name(self) -> str:
        return (self.player or self.debtor).name

    @property
    def email(self) -> str:
        return self.due.registration.email if self.due.registration else ""

    @property
    def is_over(self) -> bool:
        return self.due.registration is not None and self.due.registration.state in CANCELLED_STATES

    @property
    def owed(self) -> Decimal:
        return ZERO if self.is_over else self.due.amount

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
class DuesFilter:
    standing: Standing | None = None
    fee: Fee | None = None
    query: str = ""

    def matches(self, ledger: Ledger) -> bool:
        text = folded(f"{ledger.name} {ledger.due.reference or ''} {ledger.email}")
        player = ledger.player
        return (
            (self.standing is None or ledger.standing is self.standing)
            and (self.fee is None or ledger.due.fee_id == self.fee.pk)
            and all(
                word in text or (player is not None and word == str(player.number))
                for word in folded(self.query).split()
            )
        )


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
    """Return the ledgers sorted by name, without those of people who cancelled and never paid."""
    account = account_of(tournament)
    ledgers = [_build_ledger(due, account) for due in dues_of(tournament)]
    return sorted(
        (ledger for ledger in ledgers if not ledger.is_over or ledger.valid_payments),
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


def proposed_fee(fees: Iterable[Fee], day: date) -> Fee | None:
    """Return the fee for a registration on that day: the latest late fee in force, else the first regular fee."""
    late = [fee for fee in fees if fee.from_day is not None and fee.from_day <= day]
    if late:
        return max(late, key=lambda fee: (fee.from_day, -fee.position))
    return next((fee for fee in fees if fee.from_day is None), None)


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
    return people


def ledgers_to_remind(tournament: Tournament) -> tuple[list[Ledger], list[Ledger]]:
    """Return who still owes: those with an e-mail address, and those without."""
    owing = [ledger for ledger in list_ledgers(tournament) if ledger.standing is Standing.OWES]
    return [ledger for ledger in owing if ledger.email], [ledger for ledger in owing if not ledger.email]


def log_numbers(due: Due) -> dict[str, int]:
    """Return whose due it is, as stored in the log."""
    if due.registration is not None:
        return {"registration": due.registration.number}
    return {"player": due.player.number if due.player else 0}
