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

from tournament.base.countries import find_country
from tournament.web.exports.headings import field_of

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

_LANGUAGES: Final[dict[str, Sequence[str]]] = {
    "cp1252": ("fr", "de", "da", "sv", "nb", "fi", "es", "pt", "it", "nl", "ca", "is"),
    "cp1250": ("pl", "cs", "sk", "hu", "sl", "hr", "ro", "bs"),
    "cp1251": ("ru", "uk", "be", "bg", "sr", "mk"),
    "cp1253": ("el",),
    "cp1254": ("tr",),
    "cp1257": ("lt", "lv", "et"),
}
_FAMILY_NAMES: Final = {
    "gb18030": """
        王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎
        余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文欧""",
    "big5": """
        王李張劉陳楊趙黃周吳徐孫胡朱高林何郭馬羅梁宋鄭謝韓唐馮于董蕭程曹袁鄧許傅沈曾彭呂蘇盧蔣蔡賈丁魏薛葉閻
        余潘杜戴夏鍾汪田任姜范方石姚譚廖鄒熊金陸郝孔白崔康毛邱秦江史顧侯邵孟龍萬段雷錢湯尹黎易常武喬賀賴龔文歐""",
    "cp932": "佐鈴高田渡伊山中小加吉松井木林斎清阿森池橋石前藤岡長近村遠青坂福西太三原和竹金上後野菊大本久服安河",
    "cp949": "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민나진지엄채원천방공현함",
}
_COMMON: Final = {
    "gb18030": ("gb2312", (0xB0, 0xD7)),
    "big5": ("big5", (0xA4, 0xC6)),
    "cp932": ("shift_jis", (0x82, 0x97)),
    "cp949": ("euc_kr", (0xB0, 0xC8)),
}
"""Encoding → a standard, and the first and last lead byte of its common characters."""
_PRIOR: Final = {"cp1252": 0.15, "cp1250": 0.1, "cp1251": 0.1, "cp1254": 0.05, "cp1257": -0.1}
"""How much more usual an encoding is than the others."""
_SIGNS: Final = "’‘“”–—´…№°"
_UTF_16: Final = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def encoding_of(data: bytes) -> str:
    """Return the likeliest of the ENCODINGS; "" for binary data."""
    if data[:2] in _UTF_16 or _unmarked_utf_16(data):
        return "utf-16"
    if b"\0" in data:
        return ""
    if _text(data, "utf-8") is not None:
        return "utf-8"
    head = data[:MAX_BYTES_JUDGED]
    head = head[: head.rfind(b"\n") + 1] or head
    scores = {encoding: _score(head, encoding) for encoding in [*_LANGUAGES, *_COMMON]}
    return max(scores, key=scores.__getitem__)


def decode(data: bytes, encoding: str) -> str:
    """Decode in one of the ENCODINGS, without a byte-order mark; wrong bytes become U+FFFD."""
    if encoding == "utf-16":
        encoding = _UTF_16.get(data[:2]) or _unmarked_utf_16(data) or encoding
    return data.decode(encoding, "replace").removeprefix("\ufeff")


def _unmarked_utf_16(data: bytes) -> str:
    """Detect UTF-16 without a byte-order mark: every other byte of Latin text is zero."""
    head = data[:400]
    if len(head) >= 8 and head[1::2].count(0) > len(head) // 4 and not head[::2].count(0):
        return "utf-16-le"
    if len(head) >= 8 and head[::2].count(0) > len(head) // 4 and not head[1::2].count(0):
        return "utf-16-be"
    return ""


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
    cells = [cell for cell in re.split(r"[;,\t|\r\n\"]+", text) if not cell.isascii()]
    known = sum(bool(field_of(cell)) or find_country(cell) is not None for cell in cells)
    words = [word for cell in cells for word in cell.split() if not word.isascii()]
    if not words:
        return -10
    if encoding in _COMMON:
        scores = [_han_score(word, encoding) for word in words]
    else:
        # Lists are mostly of one country, but not only.
        fits = [[_fit(word, language) for word in words] for language in _LANGUAGES[encoding]]
        main = max(fits, key=sum)
        scores = [
            (max(of_word) + 2 * fit) / 3 for of_word, fit in zip(zip(*fits, strict=True), main, strict=True)
        ]
    return (sum(scores) + 2 * known) / len(words) + _PRIOR.get(encoding, 0)


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
    letters, bigrams = _words_of(language)
    marked = f"^{word.lower()}$"
    hits, weights = 0.0, 0.0
    for before, char, after in zip(marked, marked[1:], marked[2:], strict=False):
        if not char.isalpha():
            continue
        if not char.isascii() and char not in letters:
            return -1
        weight = 1 if char.isascii() else 3
        weights += weight
        hits += weight * ((before + char in bigrams) + (char + after in bigrams)) / 2
    return hits / weights if weights else 0


@lru_cache(maxsize=64)
def _words_of(language: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the letters and pairs of letters in CLDR's names of territories and languages in a language."""
    locale = Locale.parse(language)
    names: Iterable[str] = (
        *locale.territories.values(),
        *locale.languages.values(),
        *locale.currencies.values(),
    )
    words = {f"^{word}$" for name in names for word in re.split(r"[\W\d_]+", name.lower()) if word}
    pairs = frozenset(before + after for word in words for before, after in pairwise(word))
    own = {char for char in "".join(locale.territories.values()).lower() if char.isalpha()}
    return frozenset(own), pairs


def _han_score(word: str, encoding: str) -> float:
    """Return the share of common characters, and a bonus for a word that begins with a common family name."""
    if any(char.isascii() and char.isalpha() for char in word):
        return -1
    letters = [char for char in word if not char.isascii()]
    share = sum(_commonness(char, encoding) for char in letters) / len(letters)
    return share + (word[0] in _FAMILY_NAMES[encoding] and len(word) <= 4)


def _commonness(char: str, encoding: str) -> float:
    standard, (first, last) = _COMMON[encoding]
    try:
        lead = char.encode(standard)[0]
    except UnicodeEncodeError:
        return -1
    if not char.isalpha():
        return 0
    return 1 if first <= lead <= last else 0
