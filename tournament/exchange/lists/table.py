"""A list as columns and rows, in no format yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.utils.functional import Promise

from tournament.base.access import Actor, Audience
from tournament.base.engine.table_points import two_decimals
from tournament.base.models.tournament import Tournament

Value = str | int | Decimal | bool | date | datetime | None
FORMATS: Final = ("xlsx", "csv", "json")


@dataclass(frozen=True)
class Column:
    """`key` is for programs and stays; `label` is for people, in their language."""

    key: str
    label: str | Promise


@dataclass(frozen=True)
class Table:
    """`title`: what it is called now, where that is more than the list's name."""

    columns: Sequence[Column]
    rows: Iterable[Sequence[Value]]
    title: str = ""


@dataclass(frozen=True)
class Asked:
    """Of which event, and for whom: what a page keeps from them is not in its list."""

    tournament: Tournament
    audience: Audience
    actor: Actor


@dataclass(frozen=True)
class Listed:
    """A list by its name in addresses. `may`: whether its page is shown to whoever asks, beyond the address's right."""

    name: str
    title: str | Promise
    table: Callable[[Asked], Table]
    may: Callable[[Asked], bool] = lambda asked: True


def points(value: Fraction | int) -> Decimal | int:
    """Whole where they are: points carried into a final may be halves."""
    exact = Fraction(value)
    return int(exact) if exact.denominator == 1 else Decimal(two_decimals(exact))


def table_points(value: Fraction | int) -> Decimal:
    return Decimal(two_decimals(Fraction(value)))
