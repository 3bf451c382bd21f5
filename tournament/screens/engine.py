"""What a screen in the hall shows at a given time, how it is steered, rows of tiles, and the steps of a ceremony."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import groupby
from math import ceil
from typing import Any

# --- Screens ---


class Kind(Enum):
    """What a page of a screen shows."""

    NAMES = "names"
    """Seats, by name."""
    TABLES = "tables"
    """Seats, by table."""
    CLOCK = "clock"
    PROGRESS = "progress"
    RANKING = "ranking"
    TEAMS = "teams"
    NATIONS = "nations"
    BEST = "best"
    """The best hand of the day."""
    PUZZLE = "puzzle"
    """A hand to judge, then its solution."""
    ANNOUNCEMENTS = "announcements"
    WELCOME = "welcome"
    MISSING = "missing"
    """Players who are not checked in."""
    CEREMONY = "ceremony"


@dataclass(frozen=True)
class Turn:
    """A kind in a rotation. Each of its pages is shown for `seconds`."""

    kind: Kind
    seconds: int


DEFAULT_SECONDS = {
    Kind.NAMES: 15,
    Kind.TABLES: 12,
    Kind.CLOCK: 20,
    Kind.PROGRESS: 10,
    Kind.RANKING: 10,
    Kind.TEAMS: 12,
    Kind.NATIONS: 12,
    Kind.BEST: 20,
    Kind.PUZZLE: 25,
    Kind.ANNOUNCEMENTS: 15,
    Kind.WELCOME: 15,
    Kind.MISSING: 15,
    Kind.CEREMONY: 60,
}


class Phase(Enum):
    """Phase of an event, which decides what an automatic screen shows."""

    PREPARING = "preparing"
    SEATED = "seated"
    PLAYING = "playing"
    BETWEEN = "between"
    OVER = "over"
    CEREMONY = "ceremony"


def _turns(*kinds: Kind) -> tuple[Turn, ...]:
    return tuple(Turn(kind, DEFAULT_SECONDS[kind]) for kind in kinds)


AUTOMATIC_ROTATIONS: Mapping[Phase, tuple[Turn, ...]] = {
    Phase.PREPARING: _turns(Kind.WELCOME, Kind.MISSING, Kind.ANNOUNCEMENTS),
    Phase.SEATED: _turns(Kind.NAMES, Kind.TABLES, Kind.MISSING, Kind.CLOCK, Kind.WELCOME, Kind.ANNOUNCEMENTS),
    Phase.PLAYING: _turns(Kind.CLOCK, Kind.RANKING, Kind.ANNOUNCEMENTS),
    Phase.BETWEEN: _turns(Kind.RANKING, Kind.BEST, Kind.NAMES, Kind.PUZZLE, Kind.CLOCK, Kind.ANNOUNCEMENTS),
    Phase.OVER: _turns(Kind.RANKING, Kind.BEST, Kind.TEAMS, Kind.NATIONS, Kind.ANNOUNCEMENTS),
    Phase.CEREMONY: _turns(Kind.CEREMONY),
}
"""Rotation of a screen without turns of its own."""


@dataclass(frozen=True)
class Slide:
    """A page on the screen, from 1."""

    kind: Kind
    page: int
    pages: int
    seconds: int
    turn: int = -1
    """Index of its turn in the rotation; −1 outside the rotation."""


@dataclass(frozen=True)
class Steering:
    """How a screen is steered. Without `only`, it shows the whole rotation."""

    since: int
    """Time when the rotation was at its start, in milliseconds since 1970."""
    only: Kind | None = None
    """The only kind that is shown."""
    page: int = 0
    """The page of `only` at which the screen is held; 0 for all its pages in turn."""
    turn: int = -1
    """Index of the held page's turn, in case the rotation has the kind twice."""

    @property
    def is_held(self) -> bool:
        return self.only is not None and self.page > 0


@dataclass(frozen=True)
class Programme:
    """A rotation, and the number of pages that each kind has now. Kinds without pages are skipped."""

    turns: tuple[Turn, ...]
    pages: Mapping[Kind, int]

    @property
    def slides(self) -> tuple[Slide, ...]:
        """The slides of the whole rotation, in order."""
        return tuple(
            Slide(turn.kind, page, self.pages.get(turn.kind, 0), turn.seconds, index)
            for index, turn in enumerate(self.turns)
            for page in range(1, self.pages.get(turn.kind, 0) + 1)
        )

    def slides_of(self, kind: Kind) -> tuple[Slide, ...]:
        """Return the slides of one kind, at least one, even if the rotation does not have the kind."""
        pages = max(1, self.pages.get(kind, 0))
        return tuple(Slide(kind, page, pages, DEFAULT_SECONDS[kind]) for page in range(1, pages + 1))


@dataclass(frozen=True)
class ShownSlide:
    """A slide, and when the next one follows, in milliseconds since 1970; None if it stays."""

    slide: Slide
    until: int | None


def slide_at(programme: Programme, steering: Steering, now: int) -> ShownSlide | None:
    """Return the slide at a time in milliseconds since 1970; None if the rotation has no page.

    It depends on nothing else, so that every projector of a screen shows the same slide, also after a restart.
    """
    slides, index = _slides_and_index(programme, steering, now)
    if not slides:
        return None
    if steering.is_held or len(slides) == 1:
        return ShownSlide(slides[index], None)
    end = _starts(slides)[index] + 1000 * slides[index].seconds
    return ShownSlide(slides[index], now + end - _elapsed(slides, steering.since, now))


def _slides_and_index(programme: Programme, steering: Steering, now: int) -> tuple[tuple[Slide, ...], int]:
    """Return the slides that take turns, and the index of the one that is shown."""
    slides = programme.slides
    if steering.only is None:
        return slides, _index_at(slides, steering.since, now)
    only = programme.slides_of(steering.only)
    if not steering.is_held:
        return only, _index_at(only, steering.since, now)
    if (index := _held_index(slides, steering)) is not None:
        return slides, index
    return only, min(steering.page, len(only)) - 1


def _held_index(slides: Sequence[Slide], steering: Steering) -> int | None:
    """Return the index of the held page: in its turn, else in the first turn of its kind; None without the kind.

    It is the last page if the turn has fewer pages by now.
    """
    of_kind = [index for index, slide in enumerate(slides) if slide.kind is steering.only]
    of_turn = [index for index in of_kind if slides[index].turn == steering.turn] or [
        index for index in of_kind if slides[index].turn == slides[of_kind[0]].turn
    ]
    return of_turn[min(steering.page, len(of_turn)) - 1] if of_turn else None


def _index_at(slides: Sequence[Slide], since: int, now: int) -> int:
    if not slides:
        return 0
    elapsed = _elapsed(slides, since, now)
    return max(index for index, start in enumerate(_starts(slides)) if start <= elapsed)


def _starts(slides: Sequence[Slide]) -> list[int]:
    """Return the start of each slide, in milliseconds since the start of the rotation."""
    return [1000 * sum(slide.seconds for slide in slides[:index]) for index in range(len(slides))]


def _elapsed(slides: Sequence[Slide], since: int, now: int) -> int:
    """Return the milliseconds since the rotation last started again."""
    return (now - since) % (1000 * sum(slide.seconds for slide in slides))


def step(programme: Programme, steering: Steering, now: int, by: int) -> Steering:
    """Return the steering after going `by` pages forward, or back. A held screen is held at the new page."""
    slides, index = _slides_and_index(programme, steering, now)
    if not slides:
        return steering
    index = (index + by) % len(slides)
    if steering.is_held:
        return hold(slides[index], steering.since)
    return replace(steering, since=now - _starts(slides)[index])


def hold(slide: Slide, since: int) -> Steering:
    """Return the steering that holds the screen at a slide."""
    return Steering(since, slide.kind, slide.page, slide.turn)


def resume_rotation(programme: Programme, steering: Steering, now: int) -> Steering:
    """Return the steering of the whole rotation, from the shown slide if the rotation has it, else from the start."""
    shown = slide_at(programme, steering, now)
    slides = programme.slides
    index = _held_index(slides, hold(shown.slide, 0)) if shown and slides else None
    return Steering(now - (_starts(slides)[index] if index is not None else 0))


FRESH_SECONDS = 60
"""How long a new announcement interrupts the rotation."""
SHARE_SECONDS = 10
"""How long each is shown if there are several."""


def interrupting_announcement(created_at: Sequence[int], now: int) -> tuple[int, int] | None:
    """Return the index of the announcement that interrupts the rotation, and until when; None if there is none.

    `created_at` has the time of each announcement. All times are in milliseconds since 1970.
    """
    fresh = [index for index, at in enumerate(created_at) if at <= now < at + 1000 * FRESH_SECONDS]
    if not fresh:
        return None
    fresh.sort(key=lambda index: (-created_at[index], index))
    shares, elapsed = divmod(now - created_at[fresh[0]], 1000 * SHARE_SECONDS)
    first_end = min(created_at[index] for index in fresh) + 1000 * FRESH_SECONDS
    return fresh[shares % len(fresh)], min(now - elapsed + 1000 * SHARE_SECONDS, first_end)


# --- Hands ---


SIDEWAYS = 1 / 3
"""How much wider a tile is that lies sideways."""
GAP = 1 / 4
"""Between two groups of tiles, and before the winning tile."""
SHORT_ROW = 8
"""Rows up to this width are not balanced further."""


@dataclass(frozen=True)
class HandRows:
    """A hand in two rows."""

    rows: tuple[Mapping[str, Any], Mapping[str, Any]]
    """Parts of the hand, as records of their own."""
    half_tiles: int
    """Width of the longer row, in half tiles."""


def split_hand(record: Mapping[str, Any]) -> HandRows:
    """Split a hand record into two rows, the longer of them as short as possible, if possible between two suits."""
    concealed = list(record["concealed"])
    if winning := record.get("winning_tile"):
        concealed.remove(winning)
    parts = [*record.get("melds", ()), *concealed]
    splits = [
        (_row(parts[:at]), _row(parts[at:], winning), _is_same_suit(parts[at - 1], parts[at]))
        for at in range(1, len(parts))
    ]

    def cost(split: tuple[dict[str, Any], dict[str, Any], bool]) -> tuple[float, bool, float]:
        longest = max(map(_width, split[:2]))
        return max(longest, SHORT_ROW), split[2], longest

    first, second, _same_suit = min(splits, key=cost)
    return HandRows((first, second), ceil(2 * max(_width(first), _width(second))))


def _row(parts: Sequence[Any], winning: str | None = None) -> dict[str, Any]:
    tiles = [part for part in parts if isinstance(part, str)]
    melds = [part for part in parts if not isinstance(part, str)]
    if winning is None:
        return {"melds": melds, "concealed": tiles}
    return {"melds": melds, "concealed": [*tiles, winning], "winning_tile": winning}


def _is_same_suit(left: Any, right: Any) -> bool:
    return isinstance(left, str) and len(left) == len(right) == 2 and left[1] == right[1]


def _width(row: Mapping[str, Any]) -> float:
    """Return the width of a row in tiles."""
    widths = [len(meld["tiles"]) + (0 if meld.get("concealed") else SIDEWAYS) for meld in row["melds"]]
    if row["concealed"]:
        widths.append(len(row["concealed"]) + (GAP if "winning_tile" in row else 0))
    return sum(widths) + GAP * (len(widths) - 1)


# --- Commands ---


MAX_TURNS = 20
MAX_PAGES = 999
SECONDS = range(5, 301)


class ScreenAction(Enum):
    """What an organiser can do with a screen."""

    NEXT = "next"
    PREVIOUS = "previous"
    HOLD = "hold"
    """Hold the screen at a page."""
    ONLY = "only"
    """Show only one kind."""
    ROTATION = "rotation"
    """Go back to the whole rotation."""


@dataclass(frozen=True)
class Command:
    action: ScreenAction
    slide: Slide | None = None
    """The slide to hold, as the organiser's device shows it."""
    kind: Kind | None = None
    """The only kind to show."""

    @classmethod
    def of(cls, action: ScreenAction, kind: Kind | None, page: int | None, turn: int = -1) -> Command:
        """Return the command for values that a device sends; `page` and `turn` are those of the slide to hold."""
        slide = None if kind is None or page is None else Slide(kind, page, 0, 0, turn)
        return cls(action, slide, kind)


# --- Ceremonies ---


@dataclass(frozen=True)
class Line:
    """A player, team or nation in the standings of a ceremony."""

    rank: int
    name: str
    """Of a nation, its code."""
    country: str
    """Of a player; empty for teams and nations."""
    about: str
    """Of a player, the team; of a team or nation, the players whose results count."""
    table_points: str
    """With two decimals."""
    game_points: int
    prize: str = ""
    """What the player or team gets, as it was when the ceremony began."""

    @property
    def share(self) -> Fraction:
        """The table points as a number."""
        return Fraction(self.table_points)


Place = tuple[Line, ...]
"""The lines that share a rank, usually one."""


def ceremony_steps(lines: Iterable[Line], first: int | None = None) -> list[Place]:
    """Return the places in the order in which they are announced, from the last to the winner.

    With `first`, only ranks up to this number.
    """
    best_first = sorted(
        (line for line in lines if first is None or line.rank <= first), key=lambda line: line.rank
    )
    return [tuple(place) for _rank, place in groupby(best_first, key=lambda line: line.rank)][::-1]


def announced_places(steps: Sequence[Place], count: int) -> tuple[Place, ...]:
    """Return the places announced after `count` steps, newest first."""
    return tuple(reversed(steps[:count]))
