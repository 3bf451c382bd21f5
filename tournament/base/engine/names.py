"""How names of people are written, compared and searched: in any script, spelling and order."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

_UNSPACED: Final = re.compile(
    "[\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""A character of Han, kana or hangul, which are written with the family name first and without spaces."""

# --- How a name is written ---


def is_chinese(text: str) -> bool:
    """Return whether every character is a Han character: true for 张 and 欧阳; false for '', 'Li' and 'ひろ'."""
    return bool(text) and all(unicodedata.name(char, "").startswith("CJK") for char in text)


def is_unspaced(text: str) -> bool:
    """Return whether a name consists of Han, kana or hangul, in any mix.

    >>> [is_unspaced(name) for name in ("张", "さくら", "민수", "Mātīss", "")]
    [True, True, True, False, False]
    """
    return bool(text) and not _UNSPACED.sub("", text.replace(" ", ""))


def display_name(first_name: str, last_name: str, family_name_first: bool | None = None) -> str:
    """Return a person's name as entered, in any script.

    The family name stands first, without a space, if both names are Han, kana or hangul. `family_name_first`: the
    person's own order, if it is not that of the script.

    >>> display_name("伟", "张"), display_name("さくら", "田中"), display_name("민수", "김")
    ('张伟', '田中さくら', '김민수')
    >>> display_name("Mātīss", "陈"), display_name("", "Nowak")
    ('Mātīss 陈', 'Nowak')
    >>> display_name("Van An", "NGUYEN", True), display_name("伟", "张", False)
    ('NGUYEN Van An', '伟 张')
    """
    if family_name_first is None and is_unspaced(first_name) and is_unspaced(last_name):
        return last_name + first_name
    names = (last_name, first_name) if family_name_first else (first_name, last_name)
    return " ".join(names).strip()


def initials(first_name: str, last_name: str, family_name_first: bool | None = None) -> str:
    """Abbreviate a name.

    >>> initials("Anna", "van Dijk"), initials("伟", "张")
    ('A. v. D.', '张〇')
    """
    if is_unspaced(first_name) and is_unspaced(last_name):
        return f"{last_name[0]}〇"
    name = display_name(first_name, last_name, family_name_first)
    return " ".join(f"{word[0]}." for word in name.split())


# --- How names are compared ---


MAX_KEY_LENGTH: Final = 170
_VOICING_MARKS: Final = "\u3099\u309a"
"""They distinguish kana: が from か."""
_LETTERS: Final = str.maketrans(
    {"ø": "o", "œ": "o", "æ": "a", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i"}
    | dict.fromkeys("'’‘‛ʼʻʽʹʾʿ′`׳")
)
"""Letters that Unicode does not decompose into a plain letter and an accent; apostrophes are left out."""
_DIGRAPHS: Final = re.compile(r"(?<=a)[ae]+|(?<=o)e+|(?<=u)(?<![qx]u)e+(?=[^\W\d_e])")
"""What is left out of aa, ae, oe and ue, which are also written å, ä, æ, ö, ø, ü or without an accent.

Names that end in ue, and the Chinese Xue, are no spelling of ü.
"""
_SEPARATORS: Final = re.compile(r"[\W_]+")
_SEPARATORS_OF_TEXTS: Final = re.compile(r"[^\w@.]+|_+")
"""As `_SEPARATORS`, but e-mail addresses stay whole."""


def _folded(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.replace("´", "'").casefold()).casefold()
    plain = "".join(char for char in decomposed if char in _VOICING_MARKS or not _is_mark(char))
    return _DIGRAPHS.sub("", unicodedata.normalize("NFC", plain).translate(_LETTERS))


def _is_mark(char: str) -> bool:
    """Return whether a character is an accent or invisible."""
    return unicodedata.combining(char) > 0 or unicodedata.category(char) == "Cf"


def name_key(*parts: str) -> str:
    """Return the key that all spellings of a name have in common.

    Case, accents, apostrophes, hyphens and the order of words make no difference, nor does ü, ue or u. Han, kana and
    hangul are compared without spaces, in order, wherever the family name stands.

    >>> name_key("Jürgen", "Müller") == name_key("MUELLER", "Jurgen"), name_key("O’Neill") == name_key("ONeill")
    (True, True)
    >>> name_key("伟", "张") == name_key("张伟"), name_key("王明华") == name_key("王华明")
    (True, False)
    """
    text = _folded(" ".join(parts))
    words = [*_SEPARATORS.split(_UNSPACED.sub(" ", text)), _rotated("".join(_UNSPACED.findall(text)))]
    return " ".join(sorted(filter(None, words)))[:MAX_KEY_LENGTH]


def _rotated(text: str) -> str:
    """Return the least rotation of a text, which does not depend on the order of its two words."""
    return min((text[start:] + text[:start] for start in range(len(text))), default="")


def repeated_names(names: Mapping[int, str]) -> set[int]:
    """Return the numbers whose name, in any spelling, another number has too.

    >>> repeated_names({1: "Eva Müller", 2: "eva mueller", 3: "Eva Miller"})
    {1, 2}
    """
    keys = {number: name_key(name) or name.casefold() for number, name in names.items()}
    counts = Counter(keys.values())
    return {number for number, key in keys.items() if counts[key] > 1}


def distinguishing_details(people: Sequence[Sequence[str]]) -> list[str]:
    """Return for each namesake the first detail that no other of the same name has; "" for everybody else.

    `people`: the name, then the details of each.

    >>> distinguishing_details([("Ana Berg", "DNK", "Aarhus"), ("Ána Berg", "DNK", "Ribe"), ("Bo Dahl", "DNK", "Ribe")])
    ['Aarhus', 'Ribe', '']
    """
    by_key: defaultdict[str, list[Sequence[str]]] = defaultdict(list)
    for name, *details in people:
        by_key[name_key(name)].append(details)
    return [_rare_detail(details, by_key[name_key(name)]) for name, *details in people]


def _rare_detail(details: Sequence[str], namesakes: Sequence[Sequence[str]]) -> str:
    if len(namesakes) == 1:
        return ""
    columns = zip(details, zip(*namesakes, strict=True), strict=True)
    return next((detail for detail, values in columns if detail and values.count(detail) == 1), "")


# --- How names are searched ---


def search_text(*texts: str) -> str:
    """Return texts as they are searched for `search_words`; static/js/check-in.js searches them too."""
    return " ".join(_SEPARATORS_OF_TEXTS.split(_folded(" ".join(texts)))).strip()


def search_words(query: str) -> list[str]:
    """Return what a search is for. Each may be the beginning of a word, or one character of Han, kana or hangul.

    >>> search_words("Mue"), search_words("O’Neill, Shea"), search_words("张伟")
    (['mu'], ['oneill', 'shea'], ['张', '伟'])
    """
    spaced = _UNSPACED.sub(r" \g<0> ", search_text(query))
    words = (re.sub(r"(?<=u)e+$", "", word.strip(".")) for word in spaced.split())
    return [word for word in words if word]


def is_match(query: str, *texts: str) -> bool:
    """Return whether all words of a search occur in the texts, in any spelling and order; an empty one matches.

    >>> is_match("mueller jur", "Jürgen", "Müller"), is_match("小龙", "李 小龙"), is_match("Møller", "Müller")
    (True, True, False)
    """
    text = search_text(*texts)
    return all(word in text for word in search_words(query))
