"""Amounts owed and paid, as exact decimals."""

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
"""ISO 4217 codes of the currencies that an account may have."""


class Standing(Enum):
    """The state of a balance. REFUNDED: money was paid back, and nothing is open."""

    FREE = "free"
    OWES = "owes"
    PAID = "paid"
    OVERPAID = "overpaid"
    REFUNDED = "refunded"


@dataclass(frozen=True)
class Balance:
    """What is owed, received (`received`) and refunded (`refunded`, not negative)."""

    owed: Decimal = ZERO
    received: Decimal = ZERO
    refunded: Decimal = ZERO

    @classmethod
    def of(cls, owed: Decimal, payments: Iterable[Decimal]) -> Balance:
        """Return the balance of an amount owed and its payments; negative payments are refunds."""
        received = refunded = ZERO
        for amount in payments:
            if amount < 0:
                refunded -= amount
            else:
                received += amount
        return cls(owed, received, refunded)

    def __add__(self, other: Balance) -> Balance:
        return Balance(self.owed + other.owed, self.received + other.received, self.refunded + other.refunded)

    @property
    def paid(self) -> Decimal:
        return self.received - self.refunded

    @property
    def open(self) -> Decimal:
        """The amount still to be paid; negative if it is to be refunded."""
        return self.owed - self.paid

    @property
    def standing(self) -> Standing:
        if self.open > 0:
            return Standing.OWES
        if self.open < 0:
            return Standing.OVERPAID
        if self.refunded:
            return Standing.REFUNDED
        return Standing.PAID if self.owed else Standing.FREE


@dataclass
class Sums:
    """The total of many balances."""

    total: Balance = field(default_factory=Balance)
    still_open: Decimal = ZERO
    """Sum of what is still owed; overpayments of others do not reduce it."""
    overpaid: Decimal = ZERO
    """Sum of all overpayments."""

    def add(self, balance: Balance) -> None:
        self.total += balance
        self.still_open += max(balance.open, ZERO)
        self.overpaid += max(-balance.open, ZERO)


@dataclass(frozen=True)
class Money:
    """An amount with its currency."""

    amount: Decimal
    currency: str
