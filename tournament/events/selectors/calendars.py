"""What belongs into a calendar: everything of the timetable that has a time, for everybody or for one player."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid5

from tournament.base.models.people import Player
from tournament.base.models.play import Seat
from tournament.base.models.tournament import Tournament
from tournament.events.selectors.timetable import Entry, may_be_seated, timetable


@dataclass(frozen=True)
class Event:
    """One entry of a calendar. `uid` stays the same whatever else of it changes."""

    uid: UUID
    session: int | None
    title: str
    """Empty for a session."""
    starts_at: datetime
    ends_at: datetime | None
    seat: Seat | None = None
    """Where the player sits; None for everybody's calendar, and while no seat is drawn."""


def events_of_all(tournament: Tournament) -> tuple[Event, ...]:
    return tuple(_event(entry) for entry in timetable(tournament).entries)


def events_of(player: Player) -> tuple[Event, ...]:
    """The player's seats, the sessions that the player may still be seated in, and everything else planned."""
    seats = {
        seat.table.session.number: seat
        for seat in Seat.objects.filter(player=player)
        .select_related("table__session", "player")
        .prefetch_related("table__seats__player")
    }
    return tuple(_of_player(player, seats))


def _of_player(player: Player, seats: dict[int, Seat]) -> Iterator[Event]:
    for entry in timetable(player.tournament).entries:
        seat = seats.get(entry.number or 0)
        if seat is not None:
            has_begun = seat.table.session.started_at is not None
            if has_begun or not player.is_withdrawn:
                yield _event(entry, player, seat)
        elif entry.number is None or may_be_seated(player, entry):
            yield _event(entry, player)


def _event(entry: Entry, player: Player | None = None, seat: Seat | None = None) -> Event:
    assert entry.item is not None
    uid = entry.item.uuid if player is None else uuid5(entry.item.uuid, f"player {player.number}")
    return Event(uid, entry.number, entry.title, entry.item.starts_at, entry.ends_at, seat)
