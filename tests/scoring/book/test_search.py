"""Finding a term by what somebody types."""

import pytest

from scoring.book.search import fits, haystack, sought
from scoring.book.terms import Term, glossary
from scoring.engine.pinyin import spellings

TERMS = glossary().terms


def keys(wanted: str) -> set[str]:
    return {term.key for term in TERMS if fits(term, wanted)}


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_every_term_is_found_by_each_of_its_names(term: Term) -> None:
    for word in term.chinese:
        assert fits(term, word.hans)
        assert fits(term, word.hant)
        assert all(fits(term, form) for form in spellings(word.pinyin))
    assert all(fits(term, name) for name in term.names)


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        ("meld", "meld"),
        ("MELD", "meld"),
        ("副露", "meld"),
        ("補花", "flower-replacement"),
        ("补花", "flower-replacement"),
        ("bu hua", "flower-replacement"),
        ("buhua", "flower-replacement"),
        ("bǔ huā", "flower-replacement"),
        ("bh", "flower-replacement"),
        ("lvyise", "all-green"),
        ("luyise", "all-green"),
        ("lüyise", "all-green"),
        ("Heaven's Blessing", "heavenly-hand"),
        ("heavens blessing", "heavenly-hand"),
        ("bushels", "bamboos"),
        ("错胡", "false-hu"),
        ("pair hand", "pair-of-the-hand"),
    ],
)
def test_a_term_is_found_by_what_is_typed(wanted: str, key: str) -> None:
    assert key in keys(wanted)


def test_every_word_has_to_fit() -> None:
    assert keys("bushels") == {"bamboos"}
    assert keys("bushels dora") == set()
    assert keys("") == {term.key for term in TERMS}


def test_signs_are_no_words() -> None:
    assert sought("Heaven’s fù-lù!") == ["heavens", "fu", "lu"]
    assert sought(" ?? ") == []


def test_a_haystack_has_each_word_once() -> None:
    for term in TERMS:
        words = haystack(term).split()
        assert len(words) == len(set(words))
