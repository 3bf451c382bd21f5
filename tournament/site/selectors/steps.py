"""A step: what the organiser is to do next, where, and until when that holds (`next_step` finds it)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Code(StrEnum):
    """What is to be done; the value is the code of its sentence."""

    IMPORT = "import_players"
    LOOK_AT = "look_at_registrations"
    OPENING = "wait_for_opening"
    REGISTERING = "wait_for_registrations"
    ENTER = "enter_registered"
    FILL = "fill_tables"
    DRAW = "draw_seats"
    SEAT = "seat_session"
    REPLAN = "plan_again"
    START = "start_session"
    CALL = "answer_call"
    APPEAL = "rule_on_appeal"
    RULING = "carry_out_ruling"
    CLOSE = "close_session"
    TOTALS = "type_totals"
    UNPLAYED = "close_without"
    AFTER_TIME = "look_at_late_hands"
    TIME_UP = "bring_tables_in"
    PAUSED = "go_on"
    BEHIND = "look_after_table"
    PLAYING = "wait_for_tables"
    PUBLISH = "publish_standings"
    PUBLISH_FINAL = "publish_final"
    CEREMONY = "hold_ceremony"
    APPEALS = "wait_for_appeals"
    ARCHIVE = "keep_archive"


NOTHING_TO_DO = frozenset({Code.OPENING, Code.REGISTERING, Code.PLAYING, Code.APPEALS, Code.ARCHIVE})
"""Nothing is asked of the organiser: there is a way to look, and no filled button."""
PRESSED = frozenset({Code.START, Code.CLOSE})
"""Done by the button itself, in one press, and can be taken back; the others lead to a page."""
EITHER = frozenset({Code.IMPORT})
"""Both ways do it: nobody who plans registration has to import a list."""

Where = tuple[int, ...]


@dataclass(frozen=True)
class Way:
    """Where something is done: an address by name, what follows the tournament's slug in it, a place on the page."""

    address: str
    where: Where = ()
    anchor: str = ""


@dataclass(frozen=True)
class Step:
    """The one thing to do now. `also`: another way that goes with it."""

    code: Code
    way: Way
    params: Mapping[str, int | datetime | None] = field(default_factory=dict)
    also: Way | None = None
    until: datetime | None = None
    """When this may say something else although nothing is written; None: at no time."""

    @property
    def is_quiet(self) -> bool:
        return self.code in NOTHING_TO_DO

    @property
    def ways(self) -> tuple[Way, ...]:
        """Where it is done."""
        return (self.way, self.also) if self.also and self.code in EITHER else (self.way,)

    @property
    def is_pressed(self) -> bool:
        return self.code in PRESSED
