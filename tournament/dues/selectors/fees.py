"""What it is to cost, where to pay and what was paid, as somebody wishes it, and all that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from scoring.engine.problems import Problem
from tournament.base.engine.money import CURRENCIES, MOST, is_amount
from tournament.dues.engine import compact, is_bic, is_iban
from tournament.dues.models import Payment, TournamentAccount
from tournament.dues.selectors.dues import Owes

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
    found = [Problem("fees_too_many", "", {"most": MOST_FEES})] if len(fees) > MOST_FEES else []
    seen: set[str] = set()
    for n, wish in enumerate(fees[:MOST_FEES]):
        name = wish.name.strip()
        if wish.pk is not None and wish.pk not in known:
            found.append(Problem("no_such_fee", f"fees.{n}.name"))
        if not name:
            found.append(Problem("fee_name_missing", f"fees.{n}.name"))
        elif len(name) > 80:
            found.append(Problem("text_too_long", f"fees.{n}.name", {"length": len(name), "most": 80}))
        elif name.casefold() in seen:
            found.append(Problem("fee_twice", f"fees.{n}.name", {"name": name}))
        seen.add(name.casefold())
        found += [Problem(p.code, f"fees.{n}.amount", p.params) for p in wrong_amount(wish.amount)]
    return found


def wrong_amount(amount: Decimal | None) -> list[Problem]:
    """What keeps it from being owed."""
    if amount is None:
        return [Problem("fee_amount_missing", "amount")]
    if not is_amount(amount):
        return [Problem("amount_unfit", "amount", {"most": str(MOST)})]
    return [Problem("amount_below_zero", "amount")] if amount < 0 else []


def wrong_account(account: TournamentAccount, wish: AccountWish) -> list[Problem]:
    """All that keeps this from being the tournament's account, of a wish that is tidy."""
    return [*_wrong_currency(account, wish.currency), *_wrong_bank(wish), *_wrong_rest(wish)]


def _wrong_currency(account: TournamentAccount, currency: str) -> list[Problem]:
    if currency not in CURRENCIES:
        return [Problem("unknown_currency", "currency", {"currency": currency[:10]})]
    paid = Payment.objects.filter(due__tournament=account.tournament, cancelled_at=None)
    if currency != account.currency and paid.exists():
        return [Problem("currency_in_use", "currency", {"currency": account.currency})]
    return []


def _wrong_bank(wish: AccountWish) -> list[Problem]:
    found = []
    if wish.iban and not is_iban(wish.iban):
        found.append(Problem("iban_wrong", "iban"))
    if wish.iban and not wish.holder:
        found.append(Problem("holder_missing", "holder"))
    if wish.holder and not wish.iban:
        found.append(Problem("iban_missing", "iban"))
    if wish.bic and not is_bic(wish.bic):
        found.append(Problem("bic_wrong", "bic"))
    return found


def _wrong_rest(wish: AccountWish) -> list[Problem]:
    found = [
        Problem("text_too_long", where, {"length": len(said), "most": most})
        for where, said, most in (("holder", wish.holder, 70), ("link", wish.link, 300))
        if len(said) > most
    ]
    if not re.fullmatch(r"[A-Z0-9]{0,8}", wish.mark):
        found.append(Problem("mark_wrong", "mark"))
    if wish.link and not re.match(r"https?://[^\s/]", wish.link):
        found.append(Problem("link_unfit", "link"))
    return found


def wrong_payment(owed: Owes, paid: Paid, today: date) -> list[Problem]:
    """All that keeps it from being noted."""
    found = []
    if paid.open is not None and paid.open != owed.balance.open:
        found.append(Problem("due_changed"))
    if not is_amount(paid.amount):
        found.append(Problem("amount_unfit", "amount", {"most": str(MOST)}))
    elif paid.amount == 0:
        found.append(Problem("payment_of_nothing", "amount"))
    elif paid.amount < -owed.balance.paid:
        found.append(Problem("refund_too_large", "amount", {"paid": str(owed.balance.paid)}))
    if paid.method not in Payment.Method.values:
        found.append(Problem("not_understood", "method", {"field": "method"}))
    if paid.on and not today - timedelta(days=365 * YEARS) <= paid.on <= today:
        found.append(Problem("payment_too_far", "on", {"years": YEARS}))
    return found
