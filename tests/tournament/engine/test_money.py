"""What is owed and paid comes out in whatever order it is noted; accounts and references are checked as banks do."""

from decimal import Decimal
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.bank import compact, grouped, is_bic, is_iban, is_reference, reference
from tournament.engine.money import ZERO, Balance, Standing, Sums, is_amount

AMOUNTS = st.decimals(Decimal("-9999.99"), Decimal("9999.99"), places=2)
OWED = st.decimals(Decimal(0), Decimal("9999.99"), places=2)


@given(OWED, st.lists(AMOUNTS), st.randoms())
def test_what_is_open_is_what_is_owed_less_what_was_paid(
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


def test_amounts_have_cents_and_tenths_come_out_as_no_float_would() -> None:
    difference = Balance.of(Decimal("0.30"), [Decimal("0.10")] * 3).open
    assert (difference, type(difference)) == (0, Decimal)
    texts = ("NaN", "Infinity", "0.001", "1e9", "1000000")
    assert [text for text in texts if is_amount(Decimal(text))] == []


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


def test_accounts_references_and_banks_are_checked() -> None:
    wrong = ["", "DE", "DE89 3704", "XX00", "de89370400440532013000", "DE8937040044053201300٣"]
    for iban in IBANS:
        wrong += [iban[:-1], *with_one_digit_changed(iban)]
    assert [iban for iban in (*IBANS, *wrong) if is_iban(iban)] == list(IBANS)
    assert compact(" de89 3704 0044 0532 0130 00 ") == "DE89370400440532013000"
    assert grouped("DE89370400440532013000") == "DE89 3704 0044 0532 0130 00"
    assert reference("539007547034") == "RF18539007547034"
    assert [bic for bic in ("COBADEFF", "COBADEFF370", "COBA", "C0BA1EFF") if is_bic(bic)] == [
        *("COBADEFF", "COBADEFF370")
    ]


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=21))
def test_every_reference_checks_and_no_mistyped_digit_does(own: str) -> None:
    right = reference(own)
    assert is_reference(right)
    assert not any(is_reference(wrong) for wrong in with_one_digit_changed(right))


@pytest.mark.parametrize("own", ["", "a1", "A-1", "A" * 22])
def test_what_no_reference_is_made_of(own: str) -> None:
    with pytest.raises(ValueError, match="creditor"):
        reference(own)
