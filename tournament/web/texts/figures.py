"""Figures as people read them: a real minus sign, a plus on changes only, table points in halves and thirds."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from django.utils.translation import gettext as _

MINUS = "−"
Number = int | Decimal | Fraction


def minus(value: Number | None) -> str:
    """A running score: 43, 0, −27. None reads as nothing."""
    return "" if value is None else str(value).replace("-", MINUS)


def with_minus(params: Mapping[str, str | int]) -> dict[str, str | int]:
    """What a sentence is made with, figures below nothing as they are printed."""
    return {
        name: minus(value) if isinstance(value, int) and value < 0 else value
        for name, value in params.items()
    }


def signed(value: Number | None) -> str:
    """A change: +43, 0, −27. None reads as nothing."""
    return f"+{value}" if value is not None and value > 0 else minus(value)


def percent_of(part: int, whole: int) -> str:
    """So many in a hundred, rounded: "40 %"; a dash when there is nothing to divide."""
    return _("%(n)s %%") % {"n": round(100 * part / whole)} if whole else "–"


def one_decimal(value: float | None) -> str:
    """22.4; a dash where there is nothing."""
    return "–" if value is None else f"{value:.1f}"


def table_points(value: Number | None, places: int | None = None) -> str:
    """Table points, which ties share: 4, 0.50, 2.33; with `places`, always so many: 16.00. Halves round up."""
    if value is None:
        return ""
    exact = Fraction(value)
    if places is None:
        places = 0 if exact.denominator == 1 else 2
    decimal = Decimal(exact.numerator) / Decimal(exact.denominator)
    return minus(decimal.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))
