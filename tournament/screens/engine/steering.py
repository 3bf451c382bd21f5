"""What an organiser can say to a screen in the hall."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tournament.screens.engine.screens import Kind, Slide

MOST_TURNS = 20
MOST_PAGES = 999
SECONDS = range(5, 301)


class Way(Enum):
    """What the organiser's device can do to a screen."""

    NEXT = "next"
    PREVIOUS = "previous"
    HOLD = "hold"
    """Stand still at a page."""
    ONLY = "only"
    """Show one kind alone."""
    ROTATION = "rotation"
    """Go on with all."""


@dataclass(frozen=True)
class Command:
    """`at`: the page to hold, as the device shows it; `kind`: the one to show alone."""

    way: Way
    at: Slide | None = None
    kind: Kind | None = None

    @classmethod
    def of(cls, way: Way, kind: Kind | None, page: int | None, turn: int = -1) -> Command:
        """As a device says it: the kind, and which page of it (at which place of the rotation)."""
        at = None if kind is None or page is None else Slide(kind, page, 0, 0, turn)
        return cls(way, at, kind)
