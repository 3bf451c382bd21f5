"""What somebody owes and has paid, in exact decimals: never a float, and never a rounding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Final

ZERO: Final = Decimal("0.00")
CURRENCIES: Final = (
    "EUR", "CHF", "GBP", "DKK", "SEK", "NOK", "ISK", "PLN", "CZK", "HUF", "RON", "BGN", "RSD", "TRY", "UAH",
    "CNY", "HKD", "MOP", "TWD", "JPY", "KRW", "SGD", "MYR", "THB", "VND", "IDR", "PHP", "INR",
    "USD", "CAD", "MXN", "BRL", "ARS", "CLP", "AUD", "NZD", "ZAR", "ILS", "AED",
)  # fmt: skip
"""ISO 4217: what tournaments are paid in."""


class Standing(Enum):
    """How somebody stands. Refunded: money went back, and nothing is open either way."""

    FREE = "free"
    OWES = "owes"
    PAID = "paid"
    OVERPAID = "overpaid"
    REFUNDED = "refunded"


@dataclass(frozen=True)
class Balance:
    """`came`: all that came in; `back`: all that went back, not below zero."""

    owed: Decimal = ZERO
    came: Decimal = ZERO
    back: Decimal = ZERO

    @classmethod
    def of(cls, owed: Decimal, payments: Iterable[Decimal]) -> Balance:
        """From payments that count, those below zero being refunds."""
        came = back = ZERO
        for amount in payments:
            if amount < 0:
                back -= amount
            else:
                came += amount
        return cls(owed, came, back)

    def __add__(self, other: Balance) -> Balance:
        return Balance(self.owed + other.owed, self.came + other.came, self.back + other.back)

    @property
    def paid(self) -> Decimal:
        return self.came - self.back

    @property
    def open(self) -> Decimal:
        """What is still to come; below zero what is to go back."""
        return self.owed - self.paid

    @property
    def standing(self) -> Standing:
        if self.open > 0:
            return Standing.OWES
        if self.open < 0:
            return Standing.OVERPAID
        if self.back:
            return Standing.REFUNDED
        return Standing.PAID if self.owed else Standing.FREE


@dataclass
class Sums:
    """Of many: each balance added once, in any order."""

    total: Balance = field(default_factory=Balance)
    still_open: Decimal = ZERO
    """Of those who owe, alone: what others paid too much is not in it."""
    too_much: Decimal = ZERO

    def add(self, balance: Balance) -> None:
        self.total += balance
        self.still_open += max(balance.open, ZERO)
        self.too_much += max(-balance.open, ZERO)


@dataclass(frozen=True)
class Money:
    """An amount with its currency, for whoever says it."""

    amount: Decimal
    currency: str
