"""The clock of a session: when it warns, when its time and the time for appeals end, and what pages show of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.utils import timezone

from tournament.base.models.play import Pause, Session, Table
from tournament.base.models.tournament import Tournament


@dataclass(frozen=True)
class Clock:
    """A session's time, or with `extra` minutes that of one of its tables. `longer`: what the whole hall has been
    given, which is among the `minutes`; `pause`: since when, and why, the clock of the hall stands still."""

    minutes: int
    longer: int
    extra: int
    warning: int
    pause: Pause | None
    warns_at: datetime
    ends_at: datetime
    counts_last_hand: bool
    """Whether the hand under way at the end is finished."""

    @property
    def stage(self) -> str:
        """playing, paused, warning or over."""
        now = self._now
        if now >= self.ends_at:
            return "over"
        return "paused" if self.pause else "warning" if now >= self.warns_at else "playing"

    @property
    def _now(self) -> datetime:
        """Where the hands of the clock stand."""
        return self.pause.since if self.pause else timezone.now()

    @property
    def left(self) -> str:
        """Time left as a clock shows it, 1:02:05 or 18:20; "" once it is over."""
        left = ceil((self.ends_at - self._now).total_seconds())
        if left <= 0:
            return ""
        hours, seconds = divmod(left, 3600)
        minutes, seconds = divmod(seconds, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clock_of(session: Session, table: Table | None = None) -> Clock | None:
    """Return the clock of a session, or of one of its tables; None while the session is not being played."""
    extra = table.extra_minutes if table else 0
    warns, ends = warns_at(session, extra), ends_at(session, extra)
    if warns is None or ends is None:
        return None
    timing, hall = session.tournament.rules.timing, session.clock
    return Clock(
        minutes=session.minutes,
        longer=session.extra_minutes,
        extra=extra,
        warning=timing.warning,
        pause=hall.pause if hall else None,
        warns_at=warns,
        ends_at=ends,
        counts_last_hand=timing.counts_last_hand,
    )


def ends_at(session: Session, extra: int = 0) -> datetime | None:
    """Find when the time is up, with so many `extra` minutes; None while the session is not being played.

    While the hall's clock is paused, it is as if it had gone on: compare it with what the clock `shows`.
    """
    if session.state != Session.State.RUNNING or session.clock is None:
        return None
    return session.clock.after(timedelta(minutes=session.minutes + extra))


def warns_at(session: Session, extra: int = 0) -> datetime | None:
    """Find when the hall is told that the end is near (RULES §8: 15 minutes)."""
    clock, warning = session.clock, session.tournament.rules.timing.warning
    if session.state != Session.State.RUNNING or clock is None:
        return None
    return clock.after(timedelta(minutes=session.minutes + extra - warning))


def appeals_until(session: Session) -> datetime | None:
    """Find until when appeals can be made after the session's closing (RULES §7); None while it is not closed."""
    if session.state != Session.State.CLOSED or session.closed_at is None:
        return None
    return session.closed_at + timedelta(minutes=session.tournament.appeal_minutes)


def is_final(session: Session) -> bool:
    """Whether nobody can appeal any more: changes need the organiser and a reason."""
    until = appeals_until(session)
    return until is not None and until <= timezone.now()


def moments_of_sessions(tournament: Tournament) -> list[datetime]:
    """List the moments of all sessions of a tournament at which pages change by themselves."""
    longer = Table.objects.filter(session__tournament=tournament, extra_minutes__gt=0)
    extras = list(longer.values_list("session", "extra_minutes"))
    return [
        moment
        for session in Session.objects.filter(tournament=tournament).select_related("tournament")
        for moment in turning_points(session, [extra for where, extra in extras if where == session.pk])
    ]


def turning_points(session: Session, extras: Iterable[int]) -> Iterator[datetime]:
    """List the moments at which pages change without a write: warnings, ends, the end of appeals."""
    moments = [moment(session, extra) for moment in (warns_at, ends_at) for extra in {0, *extras}]
    yield from (moment for moment in moments if moment is not None and not _is_held_up(session, moment))
    if (until := appeals_until(session)) is not None:
        yield until


def _is_held_up(session: Session, moment: datetime) -> bool:
    """Whether it will not come before the clock goes on."""
    return session.clock is not None and session.clock.shows(moment) < moment
