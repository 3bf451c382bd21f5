"""Tell codes from free text in the data of a log entry."""

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
    """Return the strings in a value, at any depth, that are not a CODE."""
    return [text for text in strings_in(value) if not CODE.fullmatch(text)]


def strings_in(value: Any) -> Iterator[str]:
    """Yield every string in a value, at any depth."""
    match value:
        case str():
            yield value
        case list() | tuple():
            for item in value:
                yield from strings_in(item)
        case dict():
            for key, item in value.items():
                yield from strings_in(str(key))
                yield from strings_in(item)
