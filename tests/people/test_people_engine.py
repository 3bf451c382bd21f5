"""Whether two entries may be the same person, and for which reasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.people.engine import Reason, Traits, is_certain_match, match_reasons, strength_key

BJORN = Traits("bjorn lindqvist", "SWE", "01234567", "goteborg")


def test_an_ema_number_decides_else_name_and_traits(subtests: pytest.Subtests) -> None:
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
            assert match_reasons(BJORN, Traits(**({"name": "somebody else"} | other))) == expected  # type: ignore[arg-type]


def test_number_and_name_together_are_certain_and_the_number_is_likelier() -> None:
    assert is_certain_match([Reason.EMA_NUMBER, Reason.NAME])
    assert not is_certain_match([Reason.EMA_NUMBER])
    assert not is_certain_match([Reason.NAME, Reason.COUNTRY, Reason.CLUB])
    assert strength_key([Reason.EMA_NUMBER]) < strength_key([Reason.NAME, Reason.COUNTRY, Reason.CLUB])


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
def test_similarity_is_symmetric_and_zero_without_data(first: Traits, second: Traits) -> None:
    assert match_reasons(first, second) == match_reasons(second, first)
    assert match_reasons(first, Traits("", "SWE", "", "a")) == ()
