"""Whether two entries may be one human: what speaks for it, what against, and that nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.likeness import Reason, Traits, is_certain, reasons, strength
from tournament.selectors.known_people import name_key

BJORN = Traits("bjorn lindqvist", "SWE", "01234567", "goteborg")


def like(**other: object) -> tuple[Reason, ...]:
    return reasons(BJORN, Traits(**({"name": "somebody else"} | other)))  # type: ignore[arg-type]


def test_the_same_number_is_enough() -> None:
    assert like(ema_number="01234567") == (Reason.EMA_NUMBER,)


def test_another_number_is_against_it_whatever_else_agrees() -> None:
    assert like(name="bjorn lindqvist", country="SWE", ema_number="01234568") == ()


def test_name_and_country() -> None:
    assert like(name="bjorn lindqvist", country="SWE") == (Reason.NAME, Reason.COUNTRY)


def test_the_name_of_another_country_is_another_human() -> None:
    assert like(name="bjorn lindqvist", country="NOR", club="goteborg") == ()


def test_the_name_alone_where_nobody_has_said_the_country() -> None:
    assert like(name="bjorn lindqvist") == (Reason.NAME,)


def test_club_and_country_are_no_name() -> None:
    assert like(country="SWE", club="goteborg") == ()


def test_another_name_in_another_script() -> None:
    assert like(name="比约恩", aliases=frozenset({"bjorn lindqvist"}), country="SWE") == (
        Reason.ALIAS,
        Reason.COUNTRY,
    )


def test_nobody_has_to_be_asked_with_number_and_name_alone() -> None:
    assert is_certain([Reason.EMA_NUMBER, Reason.NAME])
    assert not is_certain([Reason.EMA_NUMBER])
    assert not is_certain([Reason.NAME, Reason.COUNTRY, Reason.CLUB])


def test_the_number_is_likelier_than_the_name() -> None:
    assert strength([Reason.EMA_NUMBER]) < strength([Reason.NAME, Reason.COUNTRY, Reason.CLUB])


words = st.sampled_from(["", "a", "b", "a b"])
anybody = st.builds(
    Traits,
    words,
    st.sampled_from(["", "SWE", "NOR"]),
    st.sampled_from(["", "1", "2"]),
    words,
    st.frozensets(words),
)


@given(anybody, anybody)
def test_it_is_the_same_from_both_sides(one: Traits, other: Traits) -> None:
    assert reasons(one, other) == reasons(other, one)


@given(anybody)
def test_nothing_is_like_somebody_without_a_name_or_number(one: Traits) -> None:
    assert reasons(one, Traits("", "SWE", "", "a")) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Björn", "LINDQVIST"), ("lindqvist", "Bjorn")),
        (("伟", "张"), ("", "张伟")),
        (("Jean-Luc", "O'Neill"), ("jean luc", "o neill")),
        (("Fatima", "Đặng"), ("FATIMA", "Dang")),
    ],
)
def test_a_name_is_found_without_accents_case_and_order(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert name_key(*one) == name_key(*other)


def test_pinyin_is_not_guessed() -> None:
    assert name_key("伟", "张") != name_key("Wei", "Zhang")
