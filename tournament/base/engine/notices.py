"""What of a log entry pages, phones and programs are to hear."""

from dataclasses import dataclass
from enum import Enum, StrEnum


class Topic(StrEnum):
    """What pages show. A part of a page says in `data-refresh-on` what it shows; all others show the event."""

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
    """What the phones of players are sent."""

    SEAT = "seat"
    """To whom it changes: where they sit next, or that they do not."""
    GONG = "gong"
    """The same, and that the session begins."""
    GONG_TAKEN_BACK = "gong_taken_back"
    """The same, and that the session does not begin after all."""
    ANNOUNCEMENT = "announcement"


class Kind(StrEnum):
    """What webhooks send. The value is the `type` of a message."""

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
    """Only by the button: that messages arrive."""


@dataclass(frozen=True)
class Notice:
    """A message of a webhook: something is so, or, `undone`, no longer is."""

    kind: Kind
    undone: bool = False
