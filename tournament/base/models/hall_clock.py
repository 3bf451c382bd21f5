"""The clock of the hall: it runs from the gong and stands still while paused. Playing time is what it has run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True)
class Pause:
    """The clock stands still from `since` on; `until` is None as long as it does."""

    since: datetime
    until: datetime | None = None
    reason: str = ""

    def within(self, begin: datetime, end: datetime) -> timedelta:
        """How much of the time between two moments it takes."""
        until = end if self.until is None else min(self.until, end)
        return max(timedelta(), until - max(self.since, begin))

    def to_json(self) -> dict[str, Any]:
        until = self.until.isoformat() if self.until else None
        return {"since": self.since.isoformat(), "until": until, "reason": self.reason}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Pause:
        until = datetime.fromisoformat(data["until"]) if data["until"] else None
        return cls(datetime.fromisoformat(data["since"]), until, data["reason"])


@dataclass(frozen=True)
class HallClock:
    """`pauses` follow each other; only the last may still go on."""

    began: datetime
    pauses: tuple[Pause, ...] = ()

    @classmethod
    def from_json(cls, began: datetime, pauses: Iterable[Mapping[str, Any]]) -> HallClock:
        return cls(began, tuple(map(Pause.from_json, pauses)))

    @property
    def pause(self) -> Pause | None:
        """The one that goes on."""
        return self.pauses[-1] if self.pauses and self.pauses[-1].until is None else None

    def shows(self, now: datetime) -> datetime:
        """The moment at which the hands of the clock stand: now, or when it was stopped."""
        return now if self.pause is None else min(now, self.pause.since)

    def played(self, moment: datetime, since: datetime | None = None) -> timedelta:
        """The playing time from `since`, the gong unless another is said, to a moment."""
        begin = self.began if since is None else since
        stood = sum((pause.within(begin, moment) for pause in self.pauses), timedelta())
        return moment - begin - stood

    def after(self, playing: timedelta, since: datetime | None = None) -> datetime:
        """When so much will have been played: each pause on the way moves it. During one, as if play went on at once
        when it began: compare it with what the clock `shows`."""
        end = (self.began if since is None else since) + playing
        for pause in self.pauses:
            if pause.until is None or pause.since >= end:
                break
            end += pause.within(self.began if since is None else since, pause.until)
        return end
