"""What of a log entry's hashed body is a code, and what looks like somebody's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

CODE: Final = re.compile(
    r"""
    [a-z0-9_:,-]*                                   # a key, a UUID, a finding
    | [ESWN]                                        # a seat
    | -?[0-9]+(/[0-9]+)?                            # table points
    | [0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.+]+Z?)?     # a day, a moment
    | [A-Z][A-Za-z_]+(/[A-Z][A-Za-z_]+)* | UTC      # a time zone
    """,
    re.VERBOSE,
)


def words_in(value: Any) -> list[str]:
    """Every text in it, at whatever depth, that is none of these."""
    return [text for text in _texts(value) if not CODE.fullmatch(text)]


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list() | tuple():
            for one in value:
                yield from _texts(one)
        case dict():
            for key, one in value.items():
                yield from _texts(str(key))
                yield from _texts(one)
