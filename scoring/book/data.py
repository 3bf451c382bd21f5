"""How the book's data is read: TOML, a field at a time, and loud about what is missing, misspelt or of another kind.

[[terms]]
key = "meld"
term = { en = "Meld", hans = "副露", hant = "副露" }

for row in rows(FOLDER / "m.toml", "terms"):
    with row:
        Term(row.word("key"), row.names("term"))
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from scoring.engine.names import Names

LANGUAGES: Final = ("en", "hans", "hant")
"""A text in the data has all three."""
DAMAGE: Final = ("\ufffd", "搈", "抯")
"""What text looks like that was read in the wrong encoding once; no text of ours has it."""


class BookFault(ValueError):
    """The book's own data is wrong: where, and how."""


class Row:
    """A table of the data. Left as a context, it refuses fields that nobody has asked for."""

    def __init__(self, where: str, fields: Mapping[str, Any]) -> None:
        self.where = where
        self._fields = fields
        self._left = set(fields)

    def __enter__(self) -> Row:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        if kind is None and self._left:
            raise BookFault(f"{self.where}: unknown {', '.join(sorted(self._left))}")

    def has(self, name: str) -> bool:
        return name in self._fields

    def word(self, name: str, default: str | None = None) -> str:
        """A string that says something; without a default it has to be there."""
        return self._sound(name, self._take(name, str, default))

    def number(self, name: str, default: int | None = None) -> int:
        found: int = self._take(name, int, default)
        return found

    def words(self, name: str) -> tuple[str, ...]:
        """A list of strings; none when the field is missing."""
        found = self._take(name, list, [])
        return tuple(self._sound(name, one) for one in found)

    def names(self, name: str) -> Names:
        """A text in the three languages, none of them empty."""
        with self.row(name) as texts:
            return Names(*(texts.word(language) for language in LANGUAGES))

    def row(self, name: str) -> Row:
        """A table inside this one."""
        return Row(f"{self.where}, {name}", self._take(name, dict, None))

    def rows(self, name: str) -> tuple[Row, ...]:
        """The tables in a list; none when the field is missing."""
        found = self._take(name, list, [])
        return tuple(Row(f"{self.where}, {name} {_called(one, at)}", one) for at, one in enumerate(found, 1))

    def _take(self, name: str, kind: type, default: Any) -> Any:
        self._left.discard(name)
        found = self._fields.get(name, default)
        if found is None:
            raise BookFault(f"{self.where}: {name} is missing")
        if not isinstance(found, kind):
            raise BookFault(f"{self.where}: {name} is {found!r}")
        return found

    def _sound(self, name: str, text: Any) -> str:
        is_empty = not text and name in self._fields
        if not isinstance(text, str) or text != text.strip() or is_empty:
            raise BookFault(f"{self.where}: {name} is {text!r}")
        if any(sign in text for sign in DAMAGE):
            raise BookFault(f"{self.where}: {name} is damaged: {text!r}")
        return text


def _called(fields: Mapping[str, Any], at: int) -> str:
    return str(fields.get("key", at))


def read(path: Path) -> Row:
    """A whole file."""
    try:
        return Row(path.name, tomllib.loads(path.read_text("utf-8")))
    except tomllib.TOMLDecodeError as fault:
        raise BookFault(f"{path.name}: {fault}") from fault


def rows(path: Path, name: str) -> Iterator[Row]:
    """The tables `[[name]]` of a file that has nothing else; each is called by its key where it has one."""
    with read(path) as whole:
        yield from whole.rows(name)
