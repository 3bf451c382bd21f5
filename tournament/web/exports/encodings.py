"""Detect the encoding of a short list of names, where detectors by byte frequency have too little text.

Each encoding in which the bytes are valid is judged by the text it gives: known headings and countries, and how the
letters beyond ASCII stand in words, compared with the words of CLDR in the languages of that encoding.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from babel import Locale
from babel.languages import get_official_languages

from tournament.base.countries import alpha_2, find_country
from tournament.web.exports.headings import field_of
from tournament.web.exports.name_letters import (
    ALPHABETS,
    FAMILY_NAMES,
    FIRST_NAMES,
    LANGUAGES,
    NAMES,
    STRESSED,
)

ENCODINGS: Final = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp932": "Shift JIS",
    "cp949": "EUC-KR",
}
"""Python's name → the one that people know. Of equally likely encodings the first is taken."""
MAX_BYTES_JUDGED: Final = 20_000
MIN_LEAD: Final = 0.15
"""Of an encoding over the second likeliest, to be taken without a question."""

_COMMON: Final = {
    "gb18030": ("gb2312", (0xB0, 0xD7)),
    "big5": ("big5", (0xA4, 0xC6)),
    "cp932": ("shift_jis", (0x82, 0x97)),
    "cp949": ("euc_kr", (0xB0, 0xC8)),
}
"""Encoding → a standard, and the first and last lead byte of its common characters."""
_PRIOR: Final = {"cp1252": 0.06, "cp1250": 0.05, "cp1251": 0.05, "cp1254": 0.02, "cp1257": -0.02}
"""How much more usual an encoding is than the others."""
_CEDILLAS: Final = str.maketrans("șț", "şţ")
"""Romanian letters of CLDR → those of Windows-1250."""
_STRESS: Final = str.maketrans("áéíóúàèìòù", "aeiouaeiou")
_SIGNS: Final = "’‘“”–—´…№°"
_UTF_16: Final = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def encoding_of(data: bytes) -> str:
    """Return the likeliest of the ENCODINGS; "" for binary data."""
    return _detected(data)[0]


def is_encoding_doubtful(data: bytes) -> bool:
    """Return whether another encoding, which gives another text, is about as likely."""
    return _detected(data)[1]


@lru_cache(maxsize=8)
def _detected(data: bytes) -> tuple[str, bool]:
    """Return the likeliest encoding, and whether it is in doubt."""
    if data[:2] in _UTF_16 or _unmarked_utf_16(data):
        return "utf-16", False
    if b"\0" in data:
        return "", False
    if _text(data, "utf-8") is not None:
        return "utf-8", False
    head = data[:MAX_BYTES_JUDGED]
    head = head[: head.rfind(b"\n") + 1] or head
    scores = {encoding: _score(head, encoding) for encoding in [*LANGUAGES, *_COMMON]}
    likeliest = max(scores, key=scores.__getitem__)
    text = _text(head, likeliest)
    others = [score for encoding, score in scores.items() if _text(head, encoding) != text]
    return likeliest, scores[likeliest] - max(others) < MIN_LEAD


def decode(data: bytes, encoding: str) -> str:
    """Decode in one of the ENCODINGS, without a byte-order mark; wrong bytes become U+FFFD."""
    if encoding == "utf-16":
        encoding = _UTF_16.get(data[:2]) or _unmarked_utf_16(data) or encoding
    return data.decode(encoding, "replace").removeprefix("\ufeff")


def _unmarked_utf_16(data: bytes) -> str:
    """Detect UTF-16 without a byte-order mark: it gives only assigned characters, and the most ASCII ones."""
    if b"\0" not in data:
        return ""
    head = data[: MAX_BYTES_JUDGED // 2 * 2]
    texts = {encoding: _text(head, encoding) or "" for encoding in ("utf-16-le", "utf-16-be")}
    ascii_characters = {
        encoding: sum(map(str.isascii, text)) for encoding, text in texts.items() if _is_plain(text)
    }
    return max(ascii_characters, key=ascii_characters.__getitem__, default="")


def _is_plain(text: str) -> bool:
    """Return whether a text has lines of assigned characters only."""
    return any(map(str.isascii, text)) and all(
        char in "\t\r\n" or unicodedata.category(char) not in ("Cc", "Cn", "Co", "Cs") for char in text
    )


def _text(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


# --- How likely a text is ---


def _score(data: bytes, encoding: str) -> float:
    """Return how likely the data is in this encoding: the mean over its words beyond ASCII, at most about 3."""
    text = _text(data, encoding)
    if text is None:
        return -10
    all_cells = re.split(r"[;,\t|\r\n\"]+", text)
    cells = [cell for cell in all_cells if not cell.isascii()]
    known = sum(bool(field_of(cell)) or _is_country(cell, encoding) for cell in cells)
    words = [word for cell in cells for word in cell.split() if not word.isascii()]
    if not words:
        return -10
    if encoding in _COMMON:
        scores = [_han_score(word, encoding) for word in words]
        beside = 0.0
    else:
        # Lists are mostly of one country, but not only.
        plain = [word for cell in all_cells for word in cell.split() if word.isascii() and word.isalpha()]
        fits = {language: [_fit(word, language) for word in words] for language in LANGUAGES[encoding]}
        plain_fits = {language: _mean([_fit(word, language) for word in plain]) for language in fits}
        main = max(fits, key=lambda language: _mean(fits[language]) + plain_fits[language] / 2)
        beside = plain_fits[main] / 2
        scores = [
            (max(of_word) + 2 * fit) / 3
            for of_word, fit in zip(zip(*fits.values(), strict=True), fits[main], strict=True)
        ]
    home = _share_of_countries(all_cells, encoding)
    return _mean(scores) + beside + 2 * known / len(words) + home / 2 + _PRIOR.get(encoding, 0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0


def _is_country(cell: str, encoding: str) -> bool:
    """Return whether a cell is the exact name of a country: without accents, "Spanň" would be one."""
    if encoding in _COMMON:
        return find_country(cell) is not None
    return cell.casefold() in _countries_of(encoding)


@lru_cache(maxsize=16)
def _countries_of(encoding: str) -> frozenset[str]:
    """Return the names of countries in the languages of an encoding."""
    locales = map(Locale.parse, LANGUAGES[encoding])
    return frozenset(
        name.casefold().translate(_CEDILLAS) for locale in locales for name in locale.territories.values()
    )


def _share_of_countries(cells: Iterable[str], encoding: str) -> float:
    """Return the share of countries that have an official language of this encoding."""
    codes = [find_country(cell) for cell in cells if len(cell) > 3 or cell.isupper()]
    countries = [alpha_2(code).upper() for code in codes if code]
    languages = LANGUAGES.get(encoding, ())
    home = [code for code in countries if {*get_official_languages(code, de_facto=True)} & {*languages}]
    return len(home) / len(countries) if countries else 0


def _is_mixed(word: str) -> bool:
    """Return whether capitals stand inside a word, or its letters are of several scripts."""
    scripts = {unicodedata.name(char, "").partition(" ")[0] for char in word if char.isalpha()}
    return len(scripts) > 1 or any(
        before.islower() and after.isupper() and not after.isascii() for before, after in pairwise(word)
    )


def _fit(word: str, language: str) -> float:
    """Return the share of a word's pairs of letters that the language has, from -1 to 1."""
    if _is_mixed(word) or not all(char.isascii() or char.isalpha() or char in _SIGNS for char in word):
        return -1
    letters, pairs, stressed = _pairs_of(language)
    marked = f"^{word.lower()}$"
    hits, weights = 0.0, 0.0
    for before, char, after in zip(marked, marked[1:], marked[2:], strict=False):
        if not char.isalpha():
            continue
        if not char.isascii() and char not in letters:
            return -1
        weight = 1 if char.isascii() else 3
        weights += weight
        for part, share in ((before + char, 0.35), (char + after, 0.35), (before + char + after, 0.3)):
            if part in pairs:
                hits += weight * share
            elif part.translate(_STRESS) in stressed:
                hits += weight * share * 0.8
    return hits / weights if weights else 0


@lru_cache(maxsize=64)
def _pairs_of(language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the letters beyond ASCII of a language, its pairs of letters in usual names and in CLDR's names, and
    those without the accents of stress."""
    locale = Locale.parse(language)
    names: Iterable[str] = (
        *locale.territories.values(),
        *locale.languages.values(),
        *locale.currencies.values(),
    )
    text = f"{NAMES.get(language, '')} {' '.join(names)}".lower().translate(_CEDILLAS)
    words = {f"^{word}$" for word in re.split(r"[\W\d_]+", text) if word}
    pairs = frozenset(
        word[start : start + length] for word in words for start in range(len(word)) for length in (2, 3)
    )
    letters = ALPHABETS.get(language) or "".join(locale.territories.values()).lower()
    stressed = frozenset(pair.translate(_STRESS) for pair in pairs) if language in STRESSED else frozenset()
    return frozenset(filter(str.isalpha, letters)), pairs, stressed


def _han_score(word: str, encoding: str) -> float:
    """Return the share of common characters, with a bonus for those of names."""
    if any(char.isascii() and char.isalpha() for char in word):
        return -1
    letters = [char for char in word if not char.isascii()]
    share = _mean([_commonness(char, encoding) for char in letters])
    in_first_names = _mean(
        [char in FIRST_NAMES[encoding] or "\u3040" <= char <= "\u30ff" for char in letters]
    )
    return share + in_first_names + (word[0] in FAMILY_NAMES[encoding] and len(word) <= 4) / 2


def _commonness(char: str, encoding: str) -> float:
    standard, (first, last) = _COMMON[encoding]
    try:
        lead = char.encode(standard)[0]
    except UnicodeEncodeError:
        return -1
    if not char.isalpha():
        return 0
    return 1 if first <= lead <= last else 0
