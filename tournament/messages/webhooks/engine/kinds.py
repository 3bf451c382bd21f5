"""What can be told, and which writes tell it. The one table; what a write says is worked out above."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """The value is the `type` of a message."""

    UMPIRE_CALLED = "umpire.called"
    SEATS_DRAWN = "seats.drawn"
    SESSION_STARTED = "session.started"
    SESSION_ENDED = "session.ended"
    TABLE_FINISHED = "table.finished"
    STANDINGS_CHANGED = "standings.changed"
    RESULTS_PUBLISHED = "results.published"
    ANNOUNCEMENT = "announcement.made"
    PENALTY = "penalty.given"
    APPEAL = "appeal.opened"
    REGISTRATION = "registration.came"
    TEST = "test"
    """Only by the button: that messages arrive."""


FOR_STAFF: Final = frozenset({Kind.UMPIRE_CALLED, Kind.PENALTY, Kind.APPEAL, Kind.REGISTRATION, Kind.TEST})
"""What the public pages do not say. All other kinds tell nothing that these do not say at that moment."""
OFFERED: Final = tuple(kind for kind in Kind if kind is not Kind.TEST)
NAMING: Final = frozenset({Kind.TABLE_FINISHED, Kind.RESULTS_PUBLISHED})
"""Kinds whose messages have names of players in them."""


@dataclass(frozen=True)
class Says:
    """A write says that something is so, or, `undone`, that it no longer is."""

    kind: Kind
    undone: bool = False


_CHANGED: Final = Says(Kind.STANDINGS_CHANGED)
SAYING: Final[Mapping[str, tuple[Says, ...]]] = {
    "call_raised": (Says(Kind.UMPIRE_CALLED),),
    "seats_drawn": (Says(Kind.SEATS_DRAWN),),
    "session_started": (Says(Kind.SESSION_STARTED),),
    "session_unstarted": (Says(Kind.SESSION_STARTED, undone=True),),
    "session_closed": (Says(Kind.SESSION_ENDED),),
    "session_reopened": (Says(Kind.SESSION_ENDED, undone=True),),
    "table_in": (Says(Kind.TABLE_FINISHED), _CHANGED),
    "table_reopened": (Says(Kind.TABLE_FINISHED, undone=True),),
    "table_totals_corrected": (_CHANGED,),
    "table_totals_settled": (_CHANGED,),
    "hand_corrected": (_CHANGED,),
    "results_opened": (Says(Kind.RESULTS_PUBLISHED), _CHANGED),
    "standings_published": (Says(Kind.RESULTS_PUBLISHED),),
    "announcement_made": (Says(Kind.ANNOUNCEMENT),),
    "announcement_withdrawn": (Says(Kind.ANNOUNCEMENT, undone=True),),
    "penalty_given": (Says(Kind.PENALTY), _CHANGED),
    "penalty_cancelled": (Says(Kind.PENALTY, undone=True), _CHANGED),
    "appeal_opened": (Says(Kind.APPEAL),),
    "registration_confirmed": (Says(Kind.REGISTRATION),),
    "registration_cancelled": (Says(Kind.REGISTRATION, undone=True),),
}
"""Action of the log → what it says. A hand that is recorded says nothing: it would be a message every minute."""
