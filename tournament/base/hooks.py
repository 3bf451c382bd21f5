"""Hooks: points at which lower packages call functions that higher packages register (`tournament/apps.py`).

A hook calls its receivers in the order of registration, within the caller's transaction, and returns a list of
their results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from penalties.models import Penalty
    from tournament.base.access import Actor
    from tournament.base.engine.notices import Audience
    from tournament.base.models.log import LogEntry, Write
    from tournament.base.models.people import Player
    from tournament.base.models.play import Appeal, Session, Table
    from tournament.base.models.tournament import Tournament

P = ParamSpec("P")
T = TypeVar("T")


class Hook(Generic[P, T]):
    """A list of receivers that are called together."""

    def __init__(self) -> None:
        self.receivers: list[Callable[P, T]] = []

    def register(self, receiver: Callable[P, T]) -> None:
        self.receivers.append(receiver)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[T]:
        return [receiver(*args, **kwargs) for receiver in self.receivers]


def merged(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the dictionaries that a hook's receivers return."""
    return {name: value for part in parts for name, value in part.items()}


entry_written: Hook[[LogEntry], None] = Hook()
"""A log entry was written; called within its transaction."""
entry_committed: Hook[[int, int, str], None] = Hook()
"""A write was committed: the tournament's pk, its version and the action's code. Plain values, as thousands of
calls may be queued."""

moments: Hook[[Tournament], Iterable[datetime]] = Hook()
"""Times at which pages of a tournament change without a write: a clock ends, registration opens."""
page_sections: Hook[[Tournament, Audience, Table | None, Player | None], Mapping[str, Any]] = Hook()
"""Context of a public page besides its content; with a table or a player, also what is for them."""
organiser_sections: Hook[[Tournament, str], Mapping[str, Any]] = Hook()
"""Context of an organiser's page besides its content: the tournament, the page's path."""
unused_sections: Hook[[Tournament], Collection[str]] = Hook()
"""Keys of sections of the navigation that the event has no use for."""
banners: Hook[[Tournament], Mapping[str, Any]] = Hook()
"""Context above the state of play, such as the link to a ceremony."""
table_state: Hook[[Table, Sequence[Penalty], Sequence[Appeal], Actor], Mapping[str, Any]] = Hook()
"""Parts of a table's state for the desk: the table, its penalties and appeals, the reader."""

session_closed: Hook[[Session, Actor], None] = Hook()
"""A session was closed, in a write of its own."""
player_changed: Hook[[Sequence[Player]], None] = Hook()
"""An organiser has changed players."""
player_withdrawn: Hook[[Write], None] = Hook()
"""Players have withdrawn in this write; others may take their places."""
hand_replaced: Hook[[Table, Actor, int], Mapping[str, Any]] = Hook()
"""A hand was corrected, by number; the result is added to the write's data."""
ranks_after: Hook[
    [Table, Audience, Mapping[int, Mapping[str, int]]], Mapping[Player, tuple[int | None, int | None]] | None
] = Hook()
"""The ranks (before, after) that change when the table's seats get these figures (player number → figures); None if
the audience may not see them."""
seated_by_standing: Hook[[Session], Sequence[int]] = Hook()
"""Numbers of later sessions whose seats depend on the standings after this one."""
finalist_warnings: Hook[[Table, Audience, Mapping[int, Mapping[str, int]]], str] = Hook()
"""A sentence when other players would be in a coming final once the table's seats get these figures, or ""."""
