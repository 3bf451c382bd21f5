"""What is owed and paid comes out, in whatever order it is noted."""

from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.money import ZERO, Balance, Standing, Sums, is_amount

AMOUNTS = st.decimals(Decimal("-9999.99"), Decimal("9999.99"), places=2)
OWED = st.decimals(Decimal(0), Decimal("9999.99"), places=2)


@given(OWED, st.lists(AMOUNTS), st.randoms())
def test_the_order_of_payments_changes_nothing(owed: Decimal, amounts: list[Decimal], chance: object) -> None:
    shuffled = sorted(amounts, key=lambda amount: hash((amount, str(chance))))
    assert Balance.of(owed, amounts) == Balance.of(owed, shuffled)


@given(OWED, st.lists(AMOUNTS))
def test_what_is_open_is_what_is_owed_less_what_was_paid(owed: Decimal, amounts: list[Decimal]) -> None:
    balance = Balance.of(owed, amounts)
    assert balance.open == owed - sum(amounts, ZERO)
    assert balance.paid == (list(accumulate(amounts)) or [ZERO])[-1]


@given(st.lists(st.tuples(OWED, st.lists(AMOUNTS)), max_size=20))
def test_the_sums_of_all_are_the_sum_of_each(people: list[tuple[Decimal, list[Decimal]]]) -> None:
    balances = [Balance.of(owed, amounts) for owed, amounts in people]
    one_way, other_way = Sums(), Sums()
    for balance in balances:
        one_way.add(balance)
    for balance in reversed(balances):
        other_way.add(balance)
    assert one_way == other_way
    assert one_way.total.open == sum((balance.open for balance in balances), ZERO)
    assert one_way.still_open - one_way.too_much == one_way.total.open


def test_how_somebody_stands(subtests: pytest.Subtests) -> None:
    for owed, amounts, standing in (
        ("40", [], Standing.OWES),
        ("40", ["39.99"], Standing.OWES),
        ("40", ["39.99", "0.01"], Standing.PAID),
        ("40", ["50"], Standing.OVERPAID),
        ("40", ["50", "-10"], Standing.REFUNDED),
        ("0", [], Standing.FREE),
        ("0", ["40"], Standing.OVERPAID),
        ("0", ["40", "-40"], Standing.REFUNDED),
    ):
        with subtests.test(owed=owed, amounts=amounts):
            assert Balance.of(Decimal(owed), map(Decimal, amounts)).standing is standing


def test_tenths_come_out_as_no_float_would() -> None:
    difference = Balance.of(Decimal("0.30"), [Decimal("0.10")] * 3).open
    assert (difference, type(difference)) == (0, Decimal)


def test_what_is_no_amount() -> None:
    texts = ("NaN", "Infinity", "0.001", "1e9", "1000000")
    assert [text for text in texts if is_amount(Decimal(text))] == []
