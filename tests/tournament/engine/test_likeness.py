"""Whether two entries may be one human: what speaks for it, what against, and that nothing is guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.likeness import Reason, Traits, is_certain, reasons, strength
from tournament.selectors.known_people import name_key

BJORN = Traits("bjorn lindqvist", "SWE", "01234567", "goteborg")


def test_a_number_decides_and_else_the_name_with_what_goes_with_it(subtests: pytest.Subtests) -> None:
    name = "bjorn lindqvist"
    cases: dict[str, tuple[dict[str, object], tuple[Reason, ...]]] = {
        "the same number is enough": ({"ema_number": "01234567"}, (Reason.EMA_NUMBER,)),
        "another number is against it": ({"name": name, "country": "SWE", "ema_number": "01234568"}, ()),
        "name and country": ({"name": name, "country": "SWE"}, (Reason.NAME, Reason.COUNTRY)),
        "the name in another country": ({"name": name, "country": "NOR", "club": "goteborg"}, ()),
        "the name alone where nobody has said the country": ({"name": name}, (Reason.NAME,)),
        "club and country are no name": ({"country": "SWE", "club": "goteborg"}, ()),
        "another name in another script": (
            {"name": "比约恩", "aliases": frozenset({name}), "country": "SWE"},
            (Reason.ALIAS, Reason.COUNTRY),
        ),
    }
    for case, (other, expected) in cases.items():
        with subtests.test(case):
            assert reasons(BJORN, Traits(**({"name": "somebody else"} | other))) == expected  # type: ignore[arg-type]


def test_number_and_name_together_are_certain_and_the_number_is_likelier() -> None:
    assert is_certain([Reason.EMA_NUMBER, Reason.NAME])
    assert not is_certain([Reason.EMA_NUMBER])
    assert not is_certain([Reason.NAME, Reason.COUNTRY, Reason.CLUB])
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


def test_a_name_is_found_without_accents_case_and_order() -> None:
    pairs = (
        (("Björn", "LINDQVIST"), ("lindqvist", "Bjorn")),
        (("伟", "张"), ("", "张伟")),
        (("Jean-Luc", "O'Neill"), ("jean luc", "o neill")),
        (("Fatima", "Đặng"), ("FATIMA", "Dang")),
    )
    assert [one for one, other in pairs if name_key(*one) != name_key(*other)] == []
    assert name_key("伟", "张") != name_key("Wei", "Zhang")
