"""Who is let in at each address of an event: to read, and to write (data/url-rights.txt). A new address has
to be put down there.

What somebody let in may then do is said by the services (tests/support/rights.py): an address asks at its door, a
service for each write.
"""

import re
from typing import Final

from tests.support.data import DATA
from tournament.base.access import Right

TABLE: Final = (DATA / "url-rights.txt").read_text("utf-8")
"""Who reads / who writes: the names of the addresses. A word is a right, or `public`: everybody, with or without an
account; or `nobody`: there is nothing to read, or to write. Of several rights with a + one is enough."""


def rights(words: str) -> frozenset[Right]:
    if words == "public":
        return frozenset(Right)
    return frozenset(Right[word.upper()] for word in words.split("+") if word != "nobody")


def url_rights() -> dict[str, tuple[frozenset[Right], frozenset[Right]]]:
    """Name of an address → the rights of which one is needed to read, and to write."""
    table = {}
    for rule in re.split(r"\n(?=\S)", TABLE.strip()):
        who, names = rule.split(":")
        readers, writers = who.split(" / ")
        for name in names.split():
            assert name not in table, f"{name} stands in the table twice"
            table[name] = rights(readers), rights(writers)
    return table


URL_RIGHTS: Final = url_rights()
