"""The glossary: all of the source is there, every link lands, and a term is found by what somebody types."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.book.data import BROKEN_CHARACTERS, BookDataError, Row
from scoring.book.fans import entries
from scoring.book.terms import (
    TAGS,
    Term,
    anchor,
    build_glossary,
    glossary,
    haystack,
    matches,
    read_term,
    search_words,
)
from scoring.engine.fans import Fan, spellings
from scoring.engine.names import Names

CITED = Path(__file__).parents[2] / "data" / "glossary"
TERMS = glossary().terms
NAMED = {name.casefold(): term for term in TERMS for name in term.names}
SIMPLIFIED = set("们这个张为说门风庄听点番种书国万东马")
TRADITIONAL = set("們這個張為說門風莊聽點種書國萬東馬裡後")


def cited(name: str) -> Iterator[tuple[str, str]]:
    """The terms of a list, each with what stands behind its sign."""
    for line in (CITED / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            word, _, meant = line.partition(" = ")
            yield word, meant


def is_named(word: str) -> bool:
    """Whether a term has this name; a list may have one of it or several."""
    plain = word.casefold().replace("'", "’")
    return bool({plain, plain + "s", plain.removesuffix("s")} & NAMED.keys())


def text_problems(text: Names, hans: str = "", hant: str = "") -> list[str]:
    """What is wrong with an entry's text; `hans` and `hant` are further words in each script."""
    sentences = text.zh_hans.count("。")
    checks = {
        "a language is missing": all((text.en, text.zh_hans, text.zh_hant)),
        "English without a full stop": text.en.endswith("."),
        "not one or two sentences": 1 <= sentences <= 2 and text.zh_hant.count("。") == sentences,
        "traditional in simplified": not (TRADITIONAL - SIMPLIFIED) & set(text.zh_hans + hans),
        "simplified in traditional": not (SIMPLIFIED - TRADITIONAL - set("番")) & set(text.zh_hant + hant),
    }
    return [problem for problem, is_right in checks.items() if not is_right]


def test_the_whole_source_is_there() -> None:
    headwords, appendix = list(cited("headwords.txt")), list(cited("appendix-1.txt"))
    assert (len(headwords), len(appendix)) == (302, 32)
    assert [word for word, meant in headwords if not is_named(meant or word)] == []
    assert [word for word, keys in appendix if not set(keys.split(", ")) <= set(glossary().by_key)] == []


def term_problems(term: Term) -> list[str]:
    words = term.chinese
    hant = "".join(word.hant for word in words)
    problems = text_problems(term.text, "".join(word.hans for word in words), hant)
    texts = (term.text.en, term.text.zh_hans, term.text.zh_hant, *term.names)
    checks = {
        "tags are not in their order, each once": term.tags == tuple(tag for tag in TAGS if tag in term.tags),
        "damaged": not any(sign in text for text in texts for sign in (*BROKEN_CHARACTERS, "揃", "?")),
        "signs of another script": not set("“”裏爲纔") & set(term.text.zh_hant + hant),
        "not a syllable a character": all(len(w.hans) == len(w.hant) == len(w.pinyin) for w in words),
        "a name leads elsewhere": all(NAMED[name.casefold()] is term for name in term.names),
        "a link leads nowhere": set(term.see) <= glossary().by_key.keys(),
    }
    return problems + [problem for problem, is_right in checks.items() if not is_right]


def test_every_term_is_whole() -> None:
    assert {term.key: problems for term in TERMS if (problems := term_problems(term))} == {}


def test_a_fan_is_called_as_the_engine_calls_it() -> None:
    """But where the term is the wind itself, whose pung is the fan."""
    fans = [term for term in TERMS if term.fan and term.key not in ("seat-wind", "prevalent-wind")]
    assert len(fans) == 30
    assert [(term.name, term.chinese[0].hans) for term in fans] == [
        (term.fan.en, term.fan.zh_hans) for term in fans if term.fan
    ]


GOOD = {"key": "meld", "term": "Meld", "tags": ["mcr"], "text": {"en": "A.", "hans": "甲。", "hant": "甲。"}}
SHORT = [{"hans": "副露", "hant": "副露", "pinyin": "fù"}]

WRONG: list[tuple[dict[str, object], str]] = [
    ({"key": "Meld"}, "terms: no key is spelt 'Meld'"),
    ({"tags": []}, "terms: tags are ()"),
    ({"tags": ["chess"]}, "terms: tags are ('chess',)"),
    ({"fan": "all_kings"}, "terms: there is no fan 'all_kings'"),
    ({"chinese": SHORT}, "terms, chinese 1: 副露 has not one syllable a character"),
]


def test_wrong_data_is_refused_and_a_fan_lends_its_chinese() -> None:
    for change, message in WRONG:
        with pytest.raises(BookDataError) as refused:
            read_term(Row("terms", GOOD | change))
        assert str(refused.value) == message
    word = read_term(Row("terms", GOOD | {"fan": "half_flush"})).chinese[0]
    assert (word.hans, word.pinyin) == (Fan.HALF_FLUSH.zh_hans, ("hùn", "yī", "sè"))


def test_nothing_is_named_twice_and_no_link_is_lost() -> None:
    meld = read_term(Row("terms", GOOD))
    with pytest.raises(BookDataError, match="pong is in meld and in pung"):
        build_glossary([replace(meld, aliases=("Pong",)), replace(meld, key="pung", aliases=("Pong",))])
    for lost in ("set", "meld"):
        with pytest.raises(BookDataError, match=f"meld leads to {lost}"):
            build_glossary([replace(meld, see=(lost,))])


def test_an_anchor_is_spelt_in_plain_letters() -> None:
    assert anchor("Earth’s Blessing") == "earths-blessing"
    assert anchor("Four-of-a-Kind") == "four-of-a-kind"


def keys(query: str) -> set[str]:
    return {term.key for term in TERMS if matches(term, query)}


def names_of(term: Term) -> list[str]:
    """Every name of a term: English, both scripts and all spellings of the pinyin."""
    chinese = [[word.hans, word.hant, *spellings(word.pinyin)] for word in term.chinese]
    return [*term.names, *(name for names in chinese for name in names)]


def test_every_term_is_found_by_each_of_its_names() -> None:
    missed = {term.key: [name for name in names_of(term) if not matches(term, name)] for term in TERMS}
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
    missed = [query for key, searches in typed.items() for query in searches if key not in keys(query)]
    assert missed == []


def test_every_word_has_to_fit() -> None:
    assert keys("bushels") == {"bamboos"}
    assert keys("bushels dora") == set()
    assert keys("") == {term.key for term in TERMS}
    assert search_words("Heaven’s fù-lù!") == ["heavens", "fu", "lu"]
    assert search_words(" ?? ") == [], "signs are no words"


def test_a_haystack_has_each_word_once() -> None:
    haystacks = {term.key: haystack(term).split() for term in TERMS}
    assert [key for key, words in haystacks.items() if len(words) != len(set(words))] == []


@pytest.mark.parametrize(
    ("typed", "fan"),
    [
        ("平胡", Fan.ALL_CHOWS),
        ("menqing", Fan.CONCEALED_HAND),
        ("five gates", Fan.ALL_TYPES),
        ("对对胡", Fan.ALL_PUNGS),
        ("7 pairs", Fan.SEVEN_PAIRS),
        ("一條龍", Fan.PURE_STRAIGHT),
    ],
)
def test_fans_are_also_found_by_what_players_call_them(typed: str, fan: Fan) -> None:
    assert next(entry.fan for entry in entries().values() if matches(entry, typed)) is fan
