"""What is owed and paid, and accounts checked as banks do."""

from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.money import ZERO, Balance, Standing, Sums
from tournament.dues.engine import creditor_reference, grouped, is_bic, is_iban, remainder

AMOUNTS = st.decimals(Decimal("-9999.99"), Decimal("9999.99"), places=2)
OWED = st.decimals(Decimal(0), Decimal("9999.99"), places=2)


@given(OWED, st.lists(AMOUNTS), st.randoms())
def test_the_open_amount_is_the_due_less_payments(
    owed: Decimal, amounts: list[Decimal], chance: object
) -> None:
    """In whatever order."""
    balance = Balance.of(owed, amounts)
    assert balance.open == owed - sum(amounts, ZERO)
    assert balance.paid == (list(accumulate(amounts)) or [ZERO])[-1]
    assert balance == Balance.of(owed, sorted(amounts, key=lambda amount: hash((amount, str(chance)))))


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
    assert one_way.still_open - one_way.overpaid == one_way.total.open


def test_standing_of_a_balance(subtests: pytest.Subtests) -> None:
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


IBANS = (
    *("DE89370400440532013000", "AT611904300234573201", "GB29NWBK60161331926819", "DK5000400440116243"),
    *("FR1420041010050500013M02606", "NL91ABNA0417164300", "CH9300762011623852957"),
)


def with_one_digit_changed(text: str) -> list[str]:
    return [
        text[:at] + str((int(sign) + 1) % 10) + text[at + 1 :]
        for at, sign in enumerate(text)
        if sign.isdecimal() and at > 1
    ]


def test_iban_reference_and_bic_are_validated() -> None:
    wrong = ["", "DE", "DE89 3704", "XX00", "de89370400440532013000", "DE8937040044053201300٣"]
    for iban in IBANS:
        wrong += [iban[:-1], *with_one_digit_changed(iban)]
    assert [iban for iban in (*IBANS, *wrong) if is_iban(iban)] == list(IBANS)
    assert grouped("DE89370400440532013000") == "DE89 3704 0044 0532 0130 00"
    assert creditor_reference("539007547034") == "RF18539007547034"
    assert [bic for bic in ("COBADEFF", "COBADEFF370", "COBA", "C0BA1EFF") if is_bic(bic)] == [
        *("COBADEFF", "COBADEFF370")
    ]


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=21))
def test_every_reference_is_valid_and_no_mistyped_digit_is(own: str) -> None:
    right = creditor_reference(own)
    assert remainder(right) == 1
    assert 1 not in map(remainder, with_one_digit_changed(right))


@pytest.mark.parametrize("own", ["", "a1", "A-1", "A" * 22])
def test_invalid_bases_of_a_reference(own: str) -> None:
    with pytest.raises(ValueError, match="creditor"):
        creditor_reference(own)
