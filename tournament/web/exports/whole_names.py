"""Names that stand whole in one column, "DUPONT Élodie" or "Élodie Dupont", parted into last and first name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tournament.base.engine.names import is_chinese
from tournament.web.exports.capitals import PARTICLES

TWO_CHARACTERS = {
    *("欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "司徒", "东方", "東方", "皇甫", "尉迟", "尉遲"),
    *(
        "公孙",
        "公孫",
        "慕容",
        "令狐",
        "夏侯",
        "司空",
        "端木",
        "南宫",
        "南宮",
        "独孤",
        "獨孤",
        "轩辕",
        "軒轅",
        "长孙",
    ),
    *(
        "長孫",
        "宇文",
        "呼延",
        "东郭",
        "東郭",
        "西门",
        "西門",
        "百里",
        "澹台",
        "澹臺",
        "钟离",
        "鍾離",
        "太史",
        "申屠",
    ),
}
"""Chinese family names of two characters; all the others have one."""


def split_name(name: str, way: str) -> tuple[str, str]:
    """(last name, first name), by one of WAYS. A Chinese name is parted as Chinese names are, whichever way is asked.

    >>> split_name("van den Berg Ada", "last_first"), split_name("Ada van den Berg", "first_last")
    (('van den Berg', 'Ada'), ('van den Berg', 'Ada'))
    >>> split_name("欧阳美玲", "capitals"), split_name("Élodie DE LA CRUZ", "capitals")
    (('欧阳', '美玲'), ('DE LA CRUZ', 'Élodie'))
    """
    if is_chinese(name.replace(" ", "")):
        return _chinese(name)
    last, first = WAYS[way](name)
    return (last, first) if last else (name, "")


def likely_way(names: Sequence[str]) -> str:
    """The way these names seem to be written; "" when nothing tells which part is the family name."""
    parted = [name for name in names if " " in name or "," in name]
    for way, tells in (("comma", _has_comma), ("capitals", _has_capitals)):
        if parted and sum(map(tells, parted)) * 4 >= len(parted) * 3:
            return way
    return ""


def are_whole(names: Sequence[str]) -> bool:
    """Whether these are names and not family names alone: most have two parts, or are Chinese of two and more."""
    return bool(names) and sum(map(_is_whole, names)) * 4 >= len(names) * 3


def _is_whole(name: str) -> bool:
    return len(name) > 1 if is_chinese(name) else " " in name or "," in name


def _has_comma(name: str) -> bool:
    return "," in name.strip(",")


def _has_capitals(name: str) -> bool:
    """Whether some of its words are in capitals, and some are not."""
    words = [word for word in name.split() if len(word) > 1]
    return 0 < sum(map(str.isupper, words)) < len(words)


def _chinese(name: str) -> tuple[str, str]:
    last, _space, first = name.partition(" ")
    if first:
        return last, first.replace(" ", "")
    length = 2 if name[:2] in TWO_CHARACTERS and len(name) > 2 else 1
    return name[:length], name[length:]


def _by_comma(name: str) -> tuple[str, str]:
    last, _comma, first = name.partition(",")
    return last.strip(), first.strip()


def _by_capitals(name: str) -> tuple[str, str]:
    """Small words between or before capitals go with them: "van den BERG Ada"."""
    words = name.replace(",", " ").split()
    loud = [index for index, word in enumerate(words) if len(word) > 1 and word.isupper()]
    if not loud:
        return "", ""
    start, end = loud[0], loud[-1] + 1
    while start and words[start - 1] in PARTICLES:
        start -= 1
    return " ".join(words[start:end]), " ".join([*words[:start], *words[end:]])


def _last_first(name: str) -> tuple[str, str]:
    words = name.replace(",", " ").split()
    end = 1
    while end < len(words) - 1 and words[end - 1].casefold() in PARTICLES:
        end += 1
    return " ".join(words[:end]), " ".join(words[end:])


def _first_last(name: str) -> tuple[str, str]:
    words = name.split()
    start = max(len(words) - 1, 0)
    while start > 1 and words[start - 1].casefold() in PARTICLES:
        start -= 1
    return " ".join(words[start:]), " ".join(words[:start])


WAYS: dict[str, Callable[[str], tuple[str, str]]] = {
    "last_first": _last_first,
    "first_last": _first_last,
    "capitals": _by_capitals,
    "comma": _by_comma,
}
