"""Fans by the names that other programs give them."""

import tomllib
from collections import Counter
from collections.abc import Mapping
from importlib.resources import files
from typing import Final, NamedTuple

from scoring.engine import FANS, Fan, find_fan

_DATA: Final = tomllib.loads((files("scoring.games") / "names.toml").read_text("utf-8"))
_BY_NAME: Final[Mapping[str, Fan]] = (
    {fan.zh_hans: fan for fan in FANS}
    | {fan.zh_hant: fan for fan in FANS}
    | {name: find_fan(key) for name, key in _DATA["names"].items()}
)

NUMBERED: Final[Mapping[str, list[str]]] = _DATA["numbered"]
"""Program → its names of fans by their numbers."""


class Named(NamedTuple):
    """Recorded fans → times, and the names that are no fan of ours."""

    fans: Counter[Fan]
    unknown: tuple[str, ...]


def named(recorded: Mapping[str, int]) -> Named:
    fans: Counter[Fan] = Counter()
    for name, times in recorded.items():
        if name in _BY_NAME:
            fans[_BY_NAME[name]] += times
    return Named(fans, tuple(name for name in recorded if name not in _BY_NAME))
