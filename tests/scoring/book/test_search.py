"""Finding a term by what somebody types."""

from scoring.book.terms import Term, fits, glossary, haystack, sought
from scoring.engine.fans import spellings

TERMS = glossary().terms


def keys(wanted: str) -> set[str]:
    return {term.key for term in TERMS if fits(term, wanted)}


def names_of(term: Term) -> list[str]:
    """Every name of a term: English, both scripts and all spellings of the pinyin."""
    chinese = [[word.hans, word.hant, *spellings(word.pinyin)] for word in term.chinese]
    return [*term.names, *(name for names in chinese for name in names)]


def test_every_term_is_found_by_each_of_its_names() -> None:
    missed = {term.key: [name for name in names_of(term) if not fits(term, name)] for term in TERMS}
    assert {key: names for key, names in missed.items() if names} == {}


def test_a_term_is_found_by_what_is_typed() -> None:
    typed = {
        "meld": ["meld", "MELD", "副露"],
        "flower-replacement": ["補花", "补花", "bu hua", "buhua", "bǔ huā", "bh"],
        "all-green": ["lvyise", "luyise", "lüyise"],
        "heavenly-hand": ["Heaven's Blessing", "heavens blessing"],
        "bamboos": ["bushels"],
        "false-hu": ["错胡"],
        "pair-of-the-hand": ["pair hand"],
    }
    missed = [wanted for key, searches in typed.items() for wanted in searches if key not in keys(wanted)]
    assert missed == []


def test_every_word_has_to_fit() -> None:
    assert keys("bushels") == {"bamboos"}
    assert keys("bushels dora") == set()
    assert keys("") == {term.key for term in TERMS}
    assert sought("Heaven’s fù-lù!") == ["heavens", "fu", "lu"]
    assert sought(" ?? ") == [], "signs are no words"


def test_a_haystack_has_each_word_once() -> None:
    haystacks = {term.key: haystack(term).split() for term in TERMS}
    assert [key for key, words in haystacks.items() if len(words) != len(set(words))] == []
