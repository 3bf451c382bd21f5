"""The glossary: all of the source is there, every link lands, and the data says so loudly when not."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.book.data import DAMAGE, BookFault, Row
from scoring.book.terms import TAGS, Term, _term, anchor, checked, glossary
from scoring.engine.fans import Fan

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


def found(word: str) -> Term | None:
    """The term of this name; a list may have one of it or several."""
    plain = word.casefold().replace("'", "’")
    return NAMED.get(plain) or NAMED.get(plain + "s") or NAMED.get(plain.removesuffix("s"))


@pytest.mark.parametrize(("word", "meant"), list(cited("headwords.txt")), ids=str)
def test_every_headword_of_the_source_is_there(word: str, meant: str) -> None:
    assert found(meant or word)


@pytest.mark.parametrize(("word", "keys"), list(cited("appendix-1.txt")), ids=str)
def test_every_term_of_the_appendix_is_there(word: str, keys: str) -> None:
    assert set(keys.split(", ")) <= set(glossary().by_key)


def test_the_lists_are_whole() -> None:
    assert len(list(cited("headwords.txt"))) == 302
    assert len(list(cited("appendix-1.txt"))) == 32


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_a_term_is_whole(term: Term) -> None:
    texts = (term.text.en, term.text.zh_hans, term.text.zh_hant)
    assert all(texts)
    assert set(term.tags) <= set(TAGS)
    assert term.tags == tuple(tag for tag in TAGS if tag in term.tags), "in their order, each once"
    assert not any(sign in text for text in (*texts, *term.names) for sign in (*DAMAGE, "揃", "?"))


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_a_term_is_said_in_a_sentence_or_two(term: Term) -> None:
    assert 1 <= term.text.zh_hans.count("。") <= 2
    assert term.text.zh_hans.count("。") == term.text.zh_hant.count("。")
    assert term.text.en.endswith(".")


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_each_script_is_its_own(term: Term) -> None:
    hans = term.text.zh_hans + "".join(word.hans for word in term.chinese)
    hant = term.text.zh_hant + "".join(word.hant for word in term.chinese)
    assert not (TRADITIONAL - SIMPLIFIED) & set(hans)
    assert not (SIMPLIFIED - TRADITIONAL - set("番")) & set(hant)
    assert not set("“”裏爲纔") & set(hant)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_chinese_is_read_a_syllable_a_character(term: Term) -> None:
    for word in term.chinese:
        assert len(word.hans) == len(word.hant) == len(word.pinyin)


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.key)
def test_every_other_name_lands_on_its_term(term: Term) -> None:
    assert all(NAMED[name.casefold()] is term for name in term.names)


def test_every_link_lands() -> None:
    assert {key for term in TERMS for key in term.see} <= set(glossary().by_key)


def test_a_fan_is_called_as_the_engine_calls_it() -> None:
    """But where the term is the wind itself, whose pung is the fan."""
    fans = [term for term in TERMS if term.fan and term.key not in ("seat-wind", "prevalent-wind")]
    assert len(fans) == 30
    assert [term.name for term in fans] == [term.fan.en for term in fans if term.fan]
    assert [term.chinese[0].hans for term in fans] == [term.fan.zh_hans for term in fans if term.fan]


GOOD = {"key": "meld", "term": "Meld", "tags": ["mcr"], "text": {"en": "A.", "hans": "甲。", "hant": "甲。"}}


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"key": "Meld"}, "terms: no key is spelt 'Meld'"),
        ({"tags": []}, "terms: tags are ()"),
        ({"tags": ["chess"]}, "terms: tags are ('chess',)"),
        ({"fan": "all_kings"}, "terms: there is no fan 'all_kings'"),
        (
            {"chinese": [{"hans": "副露", "hant": "副露", "pinyin": "fù"}]},
            "terms, chinese 1: 副露 has not one syllable a character",
        ),
    ],
)
def test_wrong_data_is_refused(other: dict[str, object], said: str) -> None:
    with pytest.raises(BookFault) as refused:
        _term(Row("terms", GOOD | other))
    assert str(refused.value) == said


def test_a_fan_lends_its_chinese() -> None:
    lent = _term(Row("terms", GOOD | {"fan": "half_flush"})).chinese[0]
    assert (lent.hans, lent.pinyin) == (Fan.HALF_FLUSH.zh_hans, ("hùn", "yī", "sè"))


def test_nothing_is_named_twice_and_no_link_is_lost() -> None:
    meld = _term(Row("terms", GOOD))
    with pytest.raises(BookFault, match="pong is in meld and in pung"):
        checked([replace(meld, aliases=("Pong",)), replace(meld, key="pung", aliases=("Pong",))])
    with pytest.raises(BookFault, match="meld leads to set"):
        checked([replace(meld, see=("set",))])
    with pytest.raises(BookFault, match="meld leads to meld"):
        checked([replace(meld, see=("meld",))])


def test_an_anchor_is_spelt_in_plain_letters() -> None:
    assert anchor("Earth’s Blessing") == "earths-blessing"
    assert anchor("Four-of-a-Kind") == "four-of-a-kind"
