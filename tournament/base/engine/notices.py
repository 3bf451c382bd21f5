"""Who is told what: the audience of results, and what follows from a log entry for pages, phones and programs."""

from dataclasses import dataclass
from enum import Enum, StrEnum


class Audience(Enum):
    """Who results are read for. The public does not see the results of hidden sessions.

    Every function that reads results takes an audience, so that no caller can forget it.
    """

    PUBLIC = "public"
    STAFF = "staff"


class Topic(StrEnum):
    """What a page shows. A part of a page names its topic in `data-refresh-on`; all others show EVENT."""

    EVENT = "event"
    ANNOUNCEMENTS = "announcements"
    CALLS = "calls"
    CEREMONY = "ceremony"
    CHECK_IN = "check-in"
    CLOCK = "clock"
    DOOR = "door"
    REGISTRATION = "registration"
    SCREENS = "screens"


class Push(Enum):
    """Messages to the phones of players."""

    SEAT = "seat"
    """Next seats have changed: to those whose seat it is."""
    GONG = "gong"
    """SEAT, and the session begins."""
    GONG_CANCELLED = "gong_cancelled"
    """SEAT, and the session does not begin after all."""
    ANNOUNCEMENT = "announcement"


class Kind(StrEnum):
    """The events of webhooks; the value is the `type` of the message."""

    UMPIRE_CALLED = "umpire.called"
    SEATS_DRAWN = "seats.drawn"
    SESSION_STARTED = "session.started"
    SESSION_ENDED = "session.ended"
    TABLE_FINISHED = "table.finished"
    STANDINGS_CHANGED = "standings.changed"
    RESULTS_PUBLISHED = "results.published"
    ANNOUNCEMENT = "announcement.created"
    PENALTY = "penalty.created"
    APPEAL = "appeal.opened"
    REGISTRATION = "registration.created"
    TEST = "test"
    """Sent by the test button only."""


@dataclass(frozen=True)
class Notice:
    """A webhook message; `undone`: the event was taken back."""

    kind: Kind
    undone: bool = False
