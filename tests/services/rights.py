"""Who may do what: how a right is written down. Those at a table are in `rights_at_tables`, the others in
`rights_of_events`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.services.scene import Scene
from tournament.access import Actor

OWNERS: Final = frozenset({"owner"})
ORGANISERS: Final = OWNERS | {"organiser"}
RULERS: Final = ORGANISERS | {"chief umpire"}
CLOCK: Final = RULERS | {"umpire everywhere"}
JUDGES: Final = CLOCK | {"umpire here", "umpire of the session"}
"""Umpires of this table, in person."""
AT_TABLE: Final = JUDGES | {"card here", "scorer"}
ADMITTERS: Final = ORGANISERS | {"desk"}
CASHIERS: Final = ORGANISERS | {"treasurer"}
SHOWERS: Final = ORGANISERS | {"screens"}
READERS: Final = RULERS | {"observer"}
"""Of the organisers' pages."""
CREATORS: Final = frozenset({"organiser", "organiser elsewhere"})
EVERYBODY: Final = frozenset({"everybody"})

Deed = Callable[[Actor], object]
Scenario = Callable[[Scene], Deed]
"""Prepares what has to be there, and gives what is then done by somebody."""
RIGHTS: dict[str, tuple[frozenset[str], Scenario]] = {}


def right(name: str, who: frozenset[str]) -> Callable[[Scenario], Scenario]:
    def kept(scenario: Scenario) -> Scenario:
        RIGHTS[name] = who, scenario
        return scenario

    return kept


def simply(name: str, who: frozenset[str], deed: Callable[[Scene, Actor], object]) -> None:
    """One that needs nothing to be prepared."""
    RIGHTS[name] = who, lambda at: lambda actor: deed(at, actor)
