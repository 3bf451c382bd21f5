"""Hooks: what a lower package calls, and higher packages register for when the program starts (`tournament/apps.py`).

A hook calls its receivers in the order in which they registered, within the caller's transaction, and returns a list of
what they returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from penalties.models import Penalty
    from tournament.base.access import Actor, Audience
    from tournament.base.log import Write
    from tournament.base.models.log import LogEntry
    from tournament.base.models.people import Player
    from tournament.base.models.play import Appeal, Session, Table
    from tournament.base.models.tournament import Tournament

P = ParamSpec("P")
T = TypeVar("T")


class Hook(Generic[P, T]):
    """A point at which higher packages take part."""

    def __init__(self) -> None:
        self.receivers: list[Callable[P, T]] = []

    def register(self, receiver: Callable[P, T]) -> None:
        self.receivers.append(receiver)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[T]:
        return [receiver(*args, **kwargs) for receiver in self.receivers]


def merged(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Put what the receivers of a hook returned into one dictionary."""
    return {name: value for part in parts for name, value in part.items()}


entry_written: Hook[[LogEntry], None] = Hook()
"""A log entry was written; within its transaction."""
entry_committed: Hook[[int, int, str], None] = Hook()
"""A write is committed: the tournament's pk, its version and the action. Plain values, for thousands may wait."""

moments: Hook[[Tournament], Iterable[datetime]] = Hook()
"""When pages of a tournament change without a write: a clock that ends, registration that opens."""
page_sections: Hook[[Tournament, Audience, Table | None, Player | None], Mapping[str, Any]] = Hook()
"""What a public page shows around its content; of the page of a table, or of a player, what is meant for them."""
organiser_sections: Hook[[Tournament, str], Mapping[str, Any]] = Hook()
"""What a page for organisers shows around its content: the tournament, the page's path."""
banners: Hook[[Tournament], Mapping[str, Any]] = Hook()
"""What stands above the state of play: the way to a ceremony that is on."""
table_state: Hook[[Table, Sequence[Penalty], Sequence[Appeal], Actor], Mapping[str, Any]] = Hook()
"""Parts of a table's state as the desk reads it: the table, its penalties and its appeals, the reader."""

player_changed: Hook[[Sequence[Player]], None] = Hook()
"""An organiser changed what is known of players."""
player_withdrawn: Hook[[Write], None] = Hook()
"""Players withdrew in this write, so that others may have their places."""
hand_replaced: Hook[[Table, Actor, int], Mapping[str, Any]] = Hook()
"""A hand was recorded anew, by number; what follows is added to the write's data."""
ranks_after: Hook[
    [Table, Audience, Mapping[int, Mapping[str, int]]], Mapping[Player, tuple[int | None, int | None]] | None
] = Hook()
"""The ranks, before and after, that move when the table's seats come to these figures (player number → figures); None
where the audience is not told."""
seated_by_standing: Hook[[Session], Sequence[int]] = Hook()
"""The numbers of later sessions whose seats follow from the standings after this one."""
