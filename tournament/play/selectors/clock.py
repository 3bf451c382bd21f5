"""The clock of a session: warning, end of play, end of the time for appeals, and the state that pages show."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.utils import timezone

from tournament.base.models.play import Pause, Session, Table
from tournament.base.models.tournament import Tournament


@dataclass(frozen=True)
class Clock:
    """The clock of a session, or of one of its tables.

    `minutes`: how long the hall plays, with the `hall_extra` minutes added for the whole hall; `extra`: minutes added
    for this table; `warning`: minutes from the warning to the end; `pause`: the current pause of the hall's clock.
    """

    minutes: int
    hall_extra: int
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
        """The time that the clock shows: that of the current pause, or now."""
        return self.pause.since if self.pause else timezone.now()

    @property
    def left(self) -> str:
        """Time left, such as 1:02:05 or 18:20; "" once it is over."""
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
        hall_extra=session.extra_minutes,
        extra=extra,
        warning=timing.warning,
        pause=hall.pause if hall else None,
        warns_at=warns,
        ends_at=ends,
        counts_last_hand=timing.counts_last_hand,
    )


def ends_at(session: Session, extra: int = 0) -> datetime | None:
    """Return when time is up, with `extra` minutes; None while the session is not being played.

    During a pause it is the end as if the clock had gone on: compare it with what the clock `shows`.
    """
    if session.state != Session.State.RUNNING or session.clock is None:
        return None
    return session.clock.after(timedelta(minutes=session.minutes + extra))


def warns_at(session: Session, extra: int = 0) -> datetime | None:
    """Return when the warning is due (RULES §8: 15 minutes before the end)."""
    clock, warning = session.clock, session.tournament.rules.timing.warning
    if session.state != Session.State.RUNNING or clock is None:
        return None
    return clock.after(timedelta(minutes=session.minutes + extra - warning))


def appeals_until(session: Session) -> datetime | None:
    """Return until when appeals can be made after the session closed (RULES §7); None while it is not closed."""
    if session.state != Session.State.CLOSED or session.closed_at is None:
        return None
    return session.closed_at + timedelta(minutes=session.tournament.appeal_minutes)


def is_final(session: Session) -> bool:
    """Whether nobody can appeal any more: changes need the organiser and a reason."""
    until = appeals_until(session)
    return until is not None and until <= timezone.now()


def change_times_of_sessions(tournament: Tournament) -> list[datetime]:
    """List when pages of a tournament change without a write, over all sessions."""
    extended = Table.objects.filter(session__tournament=tournament, extra_minutes__gt=0)
    extras = list(extended.values_list("session", "extra_minutes"))
    return [
        moment
        for session in Session.objects.filter(tournament=tournament).select_related("tournament")
        for moment in change_times(session, [extra for pk, extra in extras if pk == session.pk])
    ]


def change_times(session: Session, extras: Iterable[int]) -> Iterator[datetime]:
    """List when pages of a session change without a write: warnings, ends, end of appeals."""
    moments = [moment(session, extra) for moment in (warns_at, ends_at) for extra in {0, *extras}]
    yield from (moment for moment in moments if moment is not None and not _is_delayed(session, moment))
    if (until := appeals_until(session)) is not None:
        yield until


def _is_delayed(session: Session, moment: datetime) -> bool:
    """Whether a pause puts the moment off."""
    return session.clock is not None and session.clock.shows(moment) < moment
