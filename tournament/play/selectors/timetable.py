"""The timetable: each session and every other item, as planned and as it went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from tournament.base.models.events import TimetableItem
from tournament.base.models.play import Session
from tournament.base.models.tournament import Tournament


@dataclass(frozen=True)
class Entry:
    """A session or something else, with its time as far as it has one."""

    number: int | None
    """The session's; None for everything else."""
    title: str
    """Empty for a session."""
    session: Session | None
    """None until it is drawn, and for everything else."""
    item: TimetableItem | None
    """None for a session without a planned time."""

    @property
    def starts_at(self) -> datetime | None:
        return self.item.starts_at if self.item else None

    @property
    def ends_at(self) -> datetime | None:
        return self.item.ends_at if self.item else None

    @property
    def began_at(self) -> datetime | None:
        """When the session really began; None before, and where it began to the minute as planned."""
        began = self.session.started_at if self.session else None
        if began is None or self.starts_at is None:
            return began
        return None if abs((began - self.starts_at).total_seconds()) < 60 else began


@dataclass(frozen=True)
class Timetable:
    """`days`: what is planned, in order; `unplanned`: the sessions without a time."""

    days: tuple[tuple[date, tuple[Entry, ...]], ...]
    unplanned: tuple[Entry, ...]

    def __bool__(self) -> bool:
        return bool(self.days or self.unplanned)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything with a time, in order."""
        return tuple(entry for _day, entries in self.days for entry in entries)

    def of(self, session: int) -> Entry | None:
        """A session's entry, by number, if it has a time."""
        return next((entry for entry in self.entries if entry.number == session), None)


def timetable(tournament: Tournament) -> Timetable:
    """Read the whole timetable in two queries; lines of sessions that are no longer planned are left out."""
    sessions = sessions_of(tournament)
    items = list(tournament.timetable.all())
    planned = [
        Entry(item.session, item.title, sessions.get(item.session or 0), item)
        for item in items
        if item.session is None or item.session in sessions
    ]
    with_time = {entry.number for entry in planned}
    return Timetable(
        days=tuple((day, tuple(entries)) for day, entries in groupby(planned, key=_day)),
        unplanned=tuple(
            Entry(number, "", session, None)
            for number, session in sessions.items()
            if number not in with_time
        ),
    )


def _day(entry: Entry) -> date:
    assert entry.item is not None
    return entry.item.day


def sessions_of(tournament: Tournament) -> dict[int, Session | None]:
    """List the sessions, drawn or planned: number → session, None for one that is not drawn yet."""
    drawn = {session.number: session for session in tournament.sessions.all()}
    last = max(tournament.sessions_planned, max(drawn, default=0))
    return {number: drawn.get(number) for number in range(1, last + 1)}
