"""What it costs, and where the money goes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal

from tournament.base import access, log
from tournament.base.access import Actor
from tournament.base.access.rights import Right
from tournament.base.errors import Refused
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Fee, TournamentAccount
from tournament.dues.selectors.dues import account_of
from tournament.dues.selectors.fees import AccountWish, FeeWish, wrong_account, wrong_fees


def set_fees(tournament: Tournament, actor: Actor, fees: Sequence[FeeWish]) -> list[Fee]:
    """The categories, all of them in this order. What people owe already stays what they were told."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_fees_set") as entry:
        known = {fee.pk: fee for fee in entry.tournament.fees.all()}
        if problems := wrong_fees(fees, set(known)):
            raise Refused(problems)
        before = [_row(fee) for fee in known.values()]
        kept = [
            _stored(known.get(wish.pk or 0) or Fee(tournament=entry.tournament), wish, position)
            for position, wish in enumerate(fees)
        ]
        entry.tournament.fees.exclude(pk__in=[fee.pk for fee in kept]).delete()
        if before == [_row(fee) for fee in kept]:
            entry.unchanged()
        entry.data = {"fees": len(kept)}
    return kept


def set_account(tournament: Tournament, actor: Actor, wish: AccountWish) -> TournamentAccount:
    """Currency and bank account. References that were told to people stay."""
    access.require(actor, tournament, Right.CASH)
    with log.write(tournament, actor, "dues_account_set") as entry:
        account = account_of(entry.tournament)
        wish = wish.tidy()
        if problems := wrong_account(account, wish):
            raise Refused(problems)
        now = asdict(wish)
        changed = [name for name, value in now.items() if getattr(account, name) != value]
        if account.pk and not changed:
            entry.unchanged()
            return account
        for name, value in now.items():
            setattr(account, name, value)
        account.save()
        entry.data = {"changed": changed}
    return account


def _row(fee: Fee) -> tuple[object, ...]:
    return fee.pk, fee.position, fee.name, fee.amount, fee.from_day


def _stored(fee: Fee, wish: FeeWish, position: int) -> Fee:
    assert wish.amount is not None
    fee.position, fee.name, fee.from_day = position, wish.name.strip(), wish.from_day
    fee.amount = wish.amount.quantize(Decimal("0.01"))
    fee.save()
    return fee
