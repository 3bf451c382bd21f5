"""Clauses of the engine, such as "MCR principle 1", as readers look them up: the book by its name, then the place."""

from __future__ import annotations

import re
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.engine.fans import FANS
from scoring.texts.names import fan_name

BOOKS: Final[dict[str, str | Promise]] = {
    "MCR": pgettext_lazy("a book that is cited", "MCR"),
    "Botzone": pgettext_lazy("a book that is cited", "Botzone"),
    "Guide": pgettext_lazy("a book that is cited", "Guide"),
}
_CLAUSE: Final = re.compile(
    r"(?P<book>\w+),? ((?P<kind>principle|note) )?((?P<n>\d+)(, example (?P<example>\d+))?|(?P<fan>\D+))"
)
_BY_NAME: Final = {fan.en: fan for fan in FANS}


def clause_text(clause: str) -> str:
    """The clause in the reader's language; one that is written otherwise, in a house rulebook, as it is."""
    found = _CLAUSE.fullmatch(clause)
    if found is None or found["book"] not in BOOKS:
        return clause
    book, n = str(BOOKS[found["book"]]), found["n"]
    if found["fan"]:
        fan = _BY_NAME.get(found["fan"])
        return _("{book}, {fan}").format(book=book, fan=fan_name(fan)) if fan else clause
    if found["kind"] == "principle":
        return _("{book} principle {n}").format(book=book, n=n)
    if found["kind"] == "note":
        return _("{book} note {n}").format(book=book, n=n)
    if found["example"]:
        return _("{book} {n}, example {example}").format(book=book, n=n, example=found["example"])
    return _("{book} {n}").format(book=book, n=n)
