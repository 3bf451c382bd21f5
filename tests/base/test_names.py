"""All spellings of a name are one name: for comparing, for searching and for telling namesakes apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.names import is_match, name_key, repeated_names

SPELLINGS = (
    ("Jürgen Müller", "Juergen MUELLER", "Jurgen Muller", "müller jürgen", "Mu\u0308ller, Ju\u0308rgen"),
    ("Nørgaard", "Noergaard", "Norgaard", "Nörgård"),
    ("Bæk", "Baek", "BÄK"),
    ("Łukasz Żółtowski", "Lukasz Zoltowski"),
    ("Strauß", "Strauss", "STRAUẞ"),
    ("Þór Guðmundsson", "Thor Gudmundsson"),
    ("Yıldız", "YILDIZ", "Yildiz"),
    ("O’Neill", "O'Neill", "ONeill", "OʼNeill", "O´Neill", "o`neill"),
    ("Jean-Luc Picard", "jean luc picard", "Jean\u2011Luc Picard", "PICARD Jean-Luc"),
    ("李 小龙", "李小龙", "小龙 李"),
    ("田中 さくら", "田中さくら"),
    ("김 민수", "김민수"),
    ("アンナ・ベルグ", "アンナ ベルグ", "ｱﾝﾅ・ﾍﾞﾙｸﾞ"),
    ("Đặng Thị", "DANG Thi"),
)
OTHERS = (
    ("Möller", "Müller"),
    ("Xue Wei", "Xu Wei"),
    ("Yue", "Yu"),
    ("王明华", "王华明"),
    ("たなか", "たなが"),
    ("Wei Zhang", "张伟"),
)


@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda spellings: spellings[0])
def test_spellings_of_a_name_are_one_name(spellings: tuple[str, ...]) -> None:
    assert {name_key(spelling) for spelling in spellings} == {name_key(spellings[0])}
    assert repeated_names(dict(enumerate(spellings))) == set(range(len(spellings)))
    assert [(query, name) for query in spellings for name in spellings if not is_match(query, name)] == []


@pytest.mark.parametrize(("name", "other"), OTHERS)
def test_other_people_have_other_names(name: str, other: str) -> None:
    assert name_key(name) != name_key(other)
    assert repeated_names({1: name, 2: other}) == set()


TRANSLITERATIONS = (
    *(("ö", "oe"), ("ø", "oe"), ("ä", "ae"), ("æ", "ae"), ("å", "aa"), ("œ", "oe"), ("ß", "ss"), ("þ", "th")),
    *(
        ("ö", "o"),
        ("ø", "o"),
        ("ä", "a"),
        ("å", "a"),
        ("ü", "u"),
        ("é", "e"),
        ("ł", "l"),
        ("đ", "d"),
        ("ı", "i"),
    ),
    *(("-", " "), ("’", "'"), ("'", ""), ("ʼ", ""), ("ü", "u\u0308"), ("é", "e\u0301")),
)
LETTERS = "abcdeghiklmnoqrstuxz'’ʼ -" + "".join(written for written, _plain in TRANSLITERATIONS)
names = st.text(st.sampled_from(LETTERS), min_size=1, max_size=12)
whole_names = st.lists(names, min_size=1, max_size=4)
hans = st.text(st.sampled_from("王明华李小龙さくらー민수"), min_size=1, max_size=3)


def respelled(name: str, transliteration: tuple[str, str]) -> str:
    return name.replace(*transliteration)


@given(whole_names, st.sampled_from(TRANSLITERATIONS), st.randoms(use_true_random=False))
def test_a_key_is_the_same_in_any_spelling_case_and_order(
    words: list[str], transliteration: tuple[str, str], random: object
) -> None:
    name = " ".join(words)
    shuffled = [respelled(word, transliteration) for word in words]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    other = " ".join(shuffled)
    assert name_key(name) == name_key(other) == name_key(other.upper()) == name_key(*shuffled)
    assert name_key(name_key(name)) == name_key(name)
    assert is_match(name, other)
    assert is_match(other.upper(), name)


@given(names, st.sampled_from("bcdghklmnrstz"))
def test_an_umlaut_before_a_consonant_is_written_as_ue(name: str, consonant: str) -> None:
    assert name_key(f"{name}kü{consonant}") == name_key(f"{name}kue{consonant}")


@given(names, st.integers(min_value=1, max_value=12))
def test_somebody_is_seen_while_their_name_is_typed(name: str, letters: int) -> None:
    assert is_match(name[:letters], name)


@given(hans, hans)
def test_spaces_and_order_make_no_difference_without_spaces(family: str, given_name: str) -> None:
    key = name_key(given_name, family)
    assert key == name_key(family + given_name) == name_key(f"{given_name} {family}")
    assert is_match(f"{family} {given_name}", family + given_name)
