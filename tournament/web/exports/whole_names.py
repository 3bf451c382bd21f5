"""Whole names: splitting them into family and first names, and names in capitals."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.base.engine.names import is_chinese, is_unspaced

PARTICLES = {
    *("da", "das", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "la", "le"),
    *("ten", "ter", "van", "von", "y", "zu", "zur"),
}
"""Lower-case words in family names; kept in lower case unless they come first."""


# --- Whole names ---


TWO_CHARACTERS = {
    *("欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "司徒", "东方", "東方", "皇甫", "尉迟", "尉遲"),
    *("公孙", "公孫", "慕容", "令狐", "夏侯", "司空", "端木", "南宫", "南宮", "独孤", "獨孤", "轩辕", "軒轅"),
    *("长孙", "長孫", "宇文", "呼延", "东郭", "東郭", "西门", "西門", "百里", "澹台", "澹臺", "钟离", "鍾離"),
    *("太史", "申屠"),
}
"""Chinese family names of two characters; all others have one."""


KOREAN_PAIRS = ("남궁", "황보", "제갈", "사공", "선우", "독고", "서문")
"""Korean family names of two syllables; all others have one."""
FAMILY_NAME_FIRST = frozenset({"CHN", "HKG", "HUN", "JPN", "KOR", "MAC", "PRK", "TWN", "VNM"})
"""Countries where the family name comes first."""
VIETNAMESE = {
    *("nguyen", "nguyễn", "tran", "trần", "pham", "phạm", "huynh", "huỳnh", "hoang", "hoàng"),
    *("phan", "vu", "vũ", "dang", "đặng", "bui", "bùi"),
}
"""Family names of most people of Vietnam, which nobody has as a first name."""
_INITIAL = re.compile(r"([^\W\d_]\.-?)+")
"""J., J.R., J.-P."""
_ROMANCE = frozenset(["da", "das", "de", "del", "della", "di", "do", "dos", "du", "la", "le"])
"""Particles that also stand inside first names and between two family names."""


@dataclass(frozen=True)
class SplitName:
    """The parts of a whole name. `order`: "last_first" or "first_last" as the name itself shows it, "" if it does not.

    `is_guess`: the name does not show which of its words are the family name.
    """

    last: str
    first: str = ""
    order: str = ""
    is_guess: bool = False


def split_name(name: str, order: str = "", country: str = "") -> SplitName:
    """Split a whole name.

    Commas, capitals, scripts, initials and particles decide; `order`, one of the NAME_ORDERS, or else the country,
    where they do not.

    >>> [(name.last, name.first) for name in map(split_name, ("Lindqvist, Erik", "Anna-Karin SVENSSON", "李 小龙"))]
    [('Lindqvist', 'Erik'), ('SVENSSON', 'Anna-Karin'), ('李', '小龙')]
    >>> split_name("Joost van der Berg").last, split_name("Mikko Virtanen").is_guess
    ('van der Berg', True)
    """
    if "," in name.strip(","):
        last, _comma, first = name.partition(",")
        return SplitName(last.strip(), first.strip())
    words = name.split()
    if eastern := _eastern(name, words, country):
        return eastern
    if len(words) < 2:
        return SplitName(name)
    likely = "last_first" if country in FAMILY_NAME_FIRST else "first_last"
    return (
        _by_capitals(words, order or likely)
        or _by_initials(words)
        or _vietnamese(words)
        or _by_particles(words)
        or _by_order(words, order or likely, is_guess=not order)
    )


def _eastern(name: str, words: Sequence[str], country: str) -> SplitName | None:
    """Split a name in Han characters, kana or hangul: the family name comes first."""
    joined = "".join(words)
    if is_chinese(joined):
        last, first = _chinese(name)
        # Most Japanese family names have two characters, and so have the first names after them.
        is_japanese = country == "JPN" or (not country and len(joined) == 4 and len(last) == 1)
        if len(words) == 1 and len(joined) > 2 and is_japanese:
            return SplitName(joined[:2], joined[2:], is_guess=True)
        return SplitName(last, first)
    if re.fullmatch(r"[\uac00-\ud7a3]+", joined):
        if len(words) > 1:
            return SplitName(words[0], "".join(words[1:]))
        length = 2 if joined[:2] in KOREAN_PAIRS and len(joined) > 2 else 1
        return SplitName(joined[:length], joined[length:])
    if re.fullmatch(r"[\u3005\u3040-\u30ff\u4e00-\u9fff]+", joined):
        if len(words) > 1:
            return SplitName(words[0], "".join(words[1:]))
        family = re.match(r"[\u3005\u4e00-\u9fff]+(?=[\u3040-\u30ff])", joined)
        length = family.end() if family else len(joined)
        return SplitName(joined[:length], joined[length:], is_guess=True)
    return None


def _chinese(name: str) -> tuple[str, str]:
    last, _space, first = name.partition(" ")
    if first:
        return last, first.replace(" ", "")
    length = 2 if name[:2] in TWO_CHARACTERS and len(name) > 2 else 1
    return name[:length], name[length:]


def _by_capitals(words: Sequence[str], usual_order: str) -> SplitName | None:
    """Take the words in capitals, with particles before and between them, as last name: "van den BERG Ada"."""
    in_capitals = [index for index, word in enumerate(words) if _is_in_capitals(word)]
    if not in_capitals or len(in_capitals) == len(words):
        return None
    start, end = in_capitals[0], in_capitals[-1] + 1
    while start and words[start - 1] in PARTICLES:
        start -= 1
    if start and end < len(words):
        return None
    last, rest = words[start:end], [*words[:start], *words[end:]]
    proper = [word for word in last if word.casefold() not in PARTICLES]
    # "MARIA DEL CARMEN Ruiz": more given names than family names.
    order = "first_last" if start else "last_first"
    is_guess = len(proper) > 1 and len(rest) == 1 and order != usual_order
    return SplitName(" ".join(last), " ".join(rest), "" if is_guess else order, is_guess)


def _is_in_capitals(word: str) -> bool:
    """Return whether a word is in capitals, but for a beginning as in McDONALD; an initial is not."""
    letters = [char for char in word if char.isalpha()]
    capitals = sum(map(str.isupper, letters))
    return (
        capitals > 1 and not _INITIAL.fullmatch(word) and (word.isupper() or capitals > len(letters) / 2 + 1)
    )


def _by_initials(words: Sequence[str]) -> SplitName | None:
    """Take initials before or after a name as first names: "J. R. Smith", "Smith J.R."."""
    initials = [_INITIAL.fullmatch(word) is not None for word in words]
    if initials[0] and not initials[-1]:
        start = initials.index(False)
        if len(words) - start == 1 or words[start] in PARTICLES:
            return SplitName(" ".join(words[start:]), " ".join(words[:start]), "first_last")
    if initials[-1] and not initials[0]:
        end = initials.index(True)
        if all(initials[end:]) and (end == 1 or words[0].casefold() in PARTICLES):
            return SplitName(" ".join(words[:end]), " ".join(words[end:]), "last_first")
    return None


def _vietnamese(words: Sequence[str]) -> SplitName | None:
    """Take a frequent Vietnamese family name as last name: "Nguyen Van An"; in Europe also "An Nguyen"."""
    if (words[0].casefold() in VIETNAMESE) == (words[-1].casefold() in VIETNAMESE):
        return None
    if words[0].casefold() in VIETNAMESE:
        return SplitName(words[0], " ".join(words[1:]), "last_first")
    return SplitName(words[-1], " ".join(words[:-1]), "first_last")


def _by_particles(words: Sequence[str]) -> SplitName | None:
    """Take the words from a particle in the middle on as last name: "Joost van der Berg".

    Not where it may stand inside a first name or between family names: "Maria del Carmen Ruiz", "Ana Pérez de la Cruz".
    """
    starts = [index for index, word in enumerate(words) if word in PARTICLES and word not in ("e", "y")]
    if not starts or starts[0] == 0 or words[-1] in PARTICLES:
        return None
    start = end = starts[0]
    while words[end] in PARTICLES:
        end += 1
    if words[start] in _ROMANCE and (start > 1 or end < len(words) - 1):
        return None
    return SplitName(" ".join(words[start:]), " ".join(words[:start]), "first_last")


def _by_order(words: Sequence[str], order: str, *, is_guess: bool) -> SplitName:
    if order == "last_first":
        end = 1
        while end < len(words) - 1 and words[end - 1].casefold() in PARTICLES:
            end += 1
        return SplitName(" ".join(words[:end]), " ".join(words[end:]), is_guess=is_guess)
    start = len(words) - 1
    while start > 1 and words[start - 1].casefold() in PARTICLES:
        start -= 1
    return SplitName(" ".join(words[start:]), " ".join(words[:start]), is_guess=is_guess)


NAME_ORDERS = ("last_first", "first_last")
MIN_EXAMPLES = 3
"""Names that show an order, for it to hold for the others."""
WHOLE = "whole"
"""Not an order: names are not split."""


def likely_order(names: Sequence[str]) -> str:
    """Return the order of nearly all names that show it, if there are enough of them; else ""."""
    orders = Counter(order for name in names if (order := split_name(name).order))
    order, count = orders.most_common(1)[0] if orders else ("", 0)
    return order if count >= MIN_EXAMPLES and count * 4 >= orders.total() * 3 else ""


def are_full_names(names: Sequence[str]) -> bool:
    """Return whether these are full names, not family names: most have two parts, or two Chinese characters."""
    return bool(names) and sum(map(is_full_name, names)) * 4 >= len(names) * 3


def is_full_name(name: str) -> bool:
    """Return whether a name has two parts, or two characters of a script without spaces."""
    return len(name) > 1 if is_unspaced(name) else " " in name or "," in name


# --- Capitals ---


def soften_capitals(name: str) -> str:
    """Return a name in capitals as people write it.

    >>> soften_capitals("DE LA CRUZ"), soften_capitals("O'NEILL-ĐẶNG"), soften_capitals("van den Berg")
    ('De la Cruz', "O'Neill-Đặng", 'van den Berg')
    """
    words = name.split(" ")
    return " ".join(
        word.lower() if index and word.lower() in PARTICLES else _softened(word)
        for index, word in enumerate(words)
    )


def _softened(word: str) -> str:
    return (
        re.sub(r"\w+", lambda part: part[0].capitalize(), word) if len(word) > 1 and word.isupper() else word
    )


def is_in_capitals(name: str) -> bool:
    """Return whether `soften_capitals` changes the name."""
    return soften_capitals(name) != name
