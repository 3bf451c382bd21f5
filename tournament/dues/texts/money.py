"""Amounts as people write them, and how somebody stands in two words."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.base.engine.money import ZERO, Money, Standing
from tournament.dues.models import TournamentAccount
from tournament.web.texts.figures import minus

STANDINGS: Final[Mapping[Standing, str | Promise]] = {
    Standing.OWES: _("owes"),
    Standing.PAID: _("paid"),
    Standing.OVERPAID: _("paid too much"),
    Standing.REFUNDED: _("refunded"),
    Standing.FREE: _("free of charge"),
}
KINDS: Final[Mapping[Standing, str]] = {
    Standing.OWES: "wait",
    Standing.PAID: "ok",
    Standing.OVERPAID: "bad",
    Standing.REFUNDED: "",
    Standing.FREE: "",
}
"""How its mark is coloured; the word says it, too."""


def money(amount: Decimal, account: TournamentAccount) -> str:
    """40.00 EUR, with a space that does not break."""
    return money_text(Money(amount, account.currency))


def money_text(money: Money) -> str:
    return f"{figure(money.amount)}\u00a0{money.currency}"


def figure(amount: Decimal) -> str:
    """40.00; −5.00."""
    return minus(amount.quantize(ZERO))
