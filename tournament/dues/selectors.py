"""Who owes what and who has paid how, and what it is to cost, looked at before it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Final

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone

from scoring.engine.problems import Problem
from scoring.texts import folded
from tournament.base.engine.money import CURRENCIES, MOST, ZERO, Balance, Standing, Sums, is_amount
from tournament.base.models.people import Player
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.dues.engine import compact, is_bic, is_iban
from tournament.dues.models import Due, Fee, Payment, TournamentAccount

# --- What is owed ---


Whose = Registration | Player
OVER = (Registration.State.CANCELLED, Registration.State.DECLINED)
"""Who does not come owes nothing any more; what they paid is to go back."""


@dataclass(frozen=True)
class Owes:
    """One person's due with all that was paid. `account`: in which currency and where to."""

    due: Due
    account: TournamentAccount
    payments: Sequence[Payment]
    """Those cancelled too, oldest first."""

    @property
    def whose(self) -> Whose:
        owner = self.due.registration or self.due.player
        assert owner is not None, "a due is somebody's"
        return owner

    @property
    def player(self) -> Player | None:
        """Who they play as: a registration's due follows it when it becomes a player."""
        return self.due.player or (self.due.registration.player if self.due.registration else None)

    @property
    def name(self) -> str:
        return (self.player or self.whose).name

    @property
    def email(self) -> str:
        return self.due.registration.email if self.due.registration else ""

    @property
    def is_over(self) -> bool:
        return self.due.registration is not None and self.due.registration.state in OVER

    @property
    def owed(self) -> Decimal:
        return ZERO if self.is_over else self.due.amount

    @property
    def counting(self) -> list[Payment]:
        return [payment for payment in self.payments if payment.cancelled_at is None]

    @cached_property
    def balance(self) -> Balance:
        return Balance.of(self.owed, (payment.amount for payment in self.counting))

    @property
    def standing(self) -> Standing:
        return self.balance.standing

    @property
    def back(self) -> Decimal:
        """What is to go back to somebody who paid too much."""
        return -self.balance.open

    @property
    def is_transferable(self) -> bool:
        """Whether there is something to transfer, and somewhere to transfer it to."""
        return self.balance.open > 0 and bool(self.account.iban and self.due.reference)


@dataclass(frozen=True)
class Wanted:
    """Which dues to list: `fee` by its key."""

    standing: Standing | None = None
    fee: int | None = None
    words: str = ""

    def fits(self, owes: Owes) -> bool:
        text = folded(f"{owes.name} {owes.due.reference or ''} {owes.email}")
        player = owes.player
        return (
            (self.standing is None or owes.standing is self.standing)
            and (self.fee is None or owes.due.fee_id == self.fee)
            and all(
                word in text or (player is not None and word == str(player.number))
                for word in folded(self.words).split()
            )
        )


@dataclass
class Accounts:
    """Everything together: `by_method` what came in and went back, `by_fee` what each category came to."""

    sums: Sums = field(default_factory=Sums)
    by_method: dict[str, Balance] = field(default_factory=dict)
    by_fee: dict[str, Balance] = field(default_factory=dict)


def account_of(tournament: Tournament) -> TournamentAccount:
    """As it is set, or euros in cash."""
    account = TournamentAccount.objects.filter(tournament=tournament).first()
    return account or TournamentAccount(tournament=tournament)


def owes(registration: Registration) -> Owes | None:
    """What somebody owes who registered; None for nothing that was ever asked of them."""
    return _owed_by(Q(registration=registration), registration.tournament)


def owes_of(player: Player) -> Owes | None:
    """What a player owes, whether they registered or were entered."""
    return _owed_by(Q(player=player) | Q(registration__player=player), player.tournament)


def _owed_by(of_whom: Q, tournament: Tournament) -> Owes | None:
    due = dues_of(tournament).filter(of_whom).first()
    return None if due is None else _owes(due, account_of(tournament))


def dues_of(tournament: Tournament) -> QuerySet[Due]:
    return tournament.dues.select_related("registration__player", "player", "fee").prefetch_related(
        Prefetch("payments", Payment.objects.select_related("noted_by"))
    )


def _owes(due: Due, account: TournamentAccount) -> Owes:
    return Owes(due, account, list(due.payments.all()))


def one_due(tournament: Tournament, pk: int) -> Owes | None:
    due = dues_of(tournament).filter(pk=pk).first()
    return None if due is None else _owes(due, account_of(tournament))


def all_owed(tournament: Tournament) -> list[Owes]:
    """Everybody's, by name. Who no longer comes and never paid is not in it."""
    account = account_of(tournament)
    everybody = [_owes(due, account) for due in dues_of(tournament)]
    return sorted(
        (owes for owes in everybody if not owes.is_over or owes.counting),
        key=lambda owes: (folded(owes.name), owes.due.pk),
    )


def owed_by_player(tournament: Tournament) -> dict[int, Owes]:
    """Player's pk → what they owe: for lists of players that say who still does."""
    return {owes.player.pk: owes for owes in all_owed(tournament) if owes.player is not None}


def accounts_of(everybody: Iterable[Owes]) -> Accounts:
    accounts = Accounts()
    for owes in everybody:
        accounts.sums.add(owes.balance)
        category = owes.due.fee.name if owes.due.fee else ""
        accounts.by_fee[category] = accounts.by_fee.get(category, Balance()) + owes.balance
        for payment in owes.counting:
            so_far = accounts.by_method.get(payment.method, Balance())
            accounts.by_method[payment.method] = so_far + Balance.of(ZERO, [payment.amount])
    return accounts


def proposed_fee(tournament: Tournament, day: date) -> Fee | None:
    """What somebody pays who registers on that day: the newest of the late fees that hold by then, else the first."""
    return fee_for(list(tournament.fees.all()), day)


def fee_for(fees: Sequence[Fee], day: date) -> Fee | None:
    late = [fee for fee in fees if fee.from_day is not None and fee.from_day <= day]
    if late:
        return max(late, key=lambda fee: (fee.from_day, -fee.position))
    return next((fee for fee in fees if fee.from_day is None), None)


def day_of(whose: Whose) -> date:
    """When somebody registered, by the tournament's clock; who was entered by hand, today."""
    at = whose.made_at if isinstance(whose, Registration) else timezone.now()
    return at.astimezone(whose.tournament.zone).date()


def without_due(tournament: Tournament) -> list[Whose]:
    """Who has a place, and was never asked for anything: registrations first, then players without one."""
    registered = tournament.registrations.filter(state=Registration.State.ACCEPTED, due=None)
    entered = tournament.players.filter(
        registration=None, own_due=None, is_substitute=False, withdrawn_at=None
    )
    people: list[Whose] = [*registered.select_related("tournament"), *entered.select_related("tournament")]
    return people


def to_remind(tournament: Tournament) -> tuple[list[Owes], list[Owes]]:
    """Who still owes and can be written to, and who cannot."""
    owing = [owes for owes in all_owed(tournament) if owes.standing is Standing.OWES]
    return [owes for owes in owing if owes.email], [owes for owes in owing if not owes.email]


def number_of(due: Due) -> dict[str, int]:
    """Whose it is, as the log names them."""
    if due.registration is not None:
        return {"registration": due.registration.number}
    return {"player": due.player.number if due.player else 0}


# --- What is wrong with a wish ---


MOST_FEES: Final = 30
YEARS: Final = 3


@dataclass(frozen=True)
class FeeWish:
    """A category as it should be. `pk`: of one that is there already."""

    name: str
    amount: Decimal | None
    from_day: date | None = None
    pk: int | None = None


@dataclass(frozen=True)
class AccountWish:
    currency: str
    holder: str = ""
    iban: str = ""
    bic: str = ""
    mark: str = ""
    link: str = ""
    tells: bool = True

    def tidy(self) -> AccountWish:
        """As it is checked and stored."""
        return AccountWish(
            self.currency,
            self.holder.strip(),
            compact(self.iban),
            compact(self.bic),
            self.mark.strip().upper(),
            self.link.strip(),
            self.tells,
        )


@dataclass(frozen=True)
class Paid:
    """A payment as somebody notes it; below zero it went back. `open`: what they saw as open, if that is to hold."""

    amount: Decimal
    method: str = Payment.Method.CASH
    on: date | None = None
    open: Decimal | None = None


def wrong_fees(fees: Sequence[FeeWish], known: set[int]) -> list[Problem]:
    """All of it, by line: "fees.0.name"."""
    problems = [Problem("fees_too_many", "", {"most": MOST_FEES})] if len(fees) > MOST_FEES else []
    seen: set[str] = set()
    for n, fee in enumerate(fees[:MOST_FEES]):
        name = fee.name.strip()
        if fee.pk is not None and fee.pk not in known:
            problems.append(Problem("no_such_fee", f"fees.{n}.name"))
        if not name:
            problems.append(Problem("fee_name_missing", f"fees.{n}.name"))
        elif len(name) > 80:
            problems.append(Problem("text_too_long", f"fees.{n}.name", {"length": len(name), "most": 80}))
        elif name.casefold() in seen:
            problems.append(Problem("fee_twice", f"fees.{n}.name", {"name": name}))
        seen.add(name.casefold())
        problems += [Problem(p.code, f"fees.{n}.amount", p.params) for p in wrong_amount(fee.amount)]
    return problems


def wrong_amount(amount: Decimal | None) -> list[Problem]:
    """What keeps it from being owed."""
    if amount is None:
        return [Problem("fee_amount_missing", "amount")]
    if not is_amount(amount):
        return [Problem("amount_unfit", "amount", {"most": str(MOST)})]
    return [Problem("amount_below_zero", "amount")] if amount < 0 else []


def wrong_account(account: TournamentAccount, wanted: AccountWish) -> list[Problem]:
    """All that keeps a tidy wish from being the tournament's account."""
    return [*_wrong_currency(account, wanted.currency), *_wrong_bank(wanted), *_wrong_texts(wanted)]


def _wrong_currency(account: TournamentAccount, currency: str) -> list[Problem]:
    if currency not in CURRENCIES:
        return [Problem("unknown_currency", "currency", {"currency": currency[:10]})]
    paid = Payment.objects.filter(due__tournament=account.tournament, cancelled_at=None)
    if currency != account.currency and paid.exists():
        return [Problem("currency_in_use", "currency", {"currency": account.currency})]
    return []


def _wrong_bank(wanted: AccountWish) -> list[Problem]:
    problems = []
    if wanted.iban and not is_iban(wanted.iban):
        problems.append(Problem("iban_wrong", "iban"))
    if wanted.iban and not wanted.holder:
        problems.append(Problem("holder_missing", "holder"))
    if wanted.holder and not wanted.iban:
        problems.append(Problem("iban_missing", "iban"))
    if wanted.bic and not is_bic(wanted.bic):
        problems.append(Problem("bic_wrong", "bic"))
    return problems


def _wrong_texts(wanted: AccountWish) -> list[Problem]:
    problems = [
        Problem("text_too_long", where, {"length": len(text), "most": most})
        for where, text, most in (("holder", wanted.holder, 70), ("link", wanted.link, 300))
        if len(text) > most
    ]
    if not re.fullmatch(r"[A-Z0-9]{0,8}", wanted.mark):
        problems.append(Problem("mark_wrong", "mark"))
    if wanted.link and not re.match(r"https?://[^\s/]", wanted.link):
        problems.append(Problem("link_unfit", "link"))
    return problems


def wrong_payment(owed: Owes, paid: Paid, today: date) -> list[Problem]:
    """All that keeps it from being noted."""
    problems = []
    if paid.open is not None and paid.open != owed.balance.open:
        problems.append(Problem("due_changed"))
    if not is_amount(paid.amount):
        problems.append(Problem("amount_unfit", "amount", {"most": str(MOST)}))
    elif paid.amount == 0:
        problems.append(Problem("payment_of_nothing", "amount"))
    elif paid.amount < -owed.balance.paid:
        problems.append(Problem("refund_too_large", "amount", {"paid": str(owed.balance.paid)}))
    if paid.method not in Payment.Method.values:
        problems.append(Problem("not_understood", "method", {"field": "method"}))
    if paid.on and not today - timedelta(days=365 * YEARS) <= paid.on <= today:
        problems.append(Problem("payment_too_far", "on", {"years": YEARS}))
    return problems
