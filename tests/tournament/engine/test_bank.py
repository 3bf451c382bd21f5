"""Account numbers and references, as banks check them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.bank import compact, grouped, is_bic, is_iban, is_reference, reference

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


def test_only_numbers_of_the_registry_are_right() -> None:
    wrong = ["", "DE", "DE89 3704", "XX00", "de89370400440532013000", "DE8937040044053201300٣"]
    for iban in IBANS:
        wrong += [iban[:-1], *with_one_digit_changed(iban)]
    assert [iban for iban in (*IBANS, *wrong) if is_iban(iban)] == list(IBANS)


def test_typed_with_blanks_and_small_letters_it_is_the_same() -> None:
    assert compact(" de89 3704 0044 0532 0130 00 ") == "DE89370400440532013000"
    assert grouped("DE89370400440532013000") == "DE89 3704 0044 0532 0130 00"


def test_the_reference_of_the_standard() -> None:
    assert reference("539007547034") == "RF18539007547034"


@given(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=21))
def test_every_reference_checks_and_no_mistyped_digit_does(own: str) -> None:
    right = reference(own)
    assert is_reference(right)
    assert not any(is_reference(wrong) for wrong in with_one_digit_changed(right))


@pytest.mark.parametrize("own", ["", "a1", "A-1", "A" * 22])
def test_what_no_reference_is_made_of(own: str) -> None:
    with pytest.raises(ValueError, match="creditor"):
        reference(own)


def test_banks_codes() -> None:
    assert [bic for bic in ("COBADEFF", "COBADEFF370", "COBA", "C0BA1EFF") if is_bic(bic)] == [
        *("COBADEFF", "COBADEFF370"),
    ]
