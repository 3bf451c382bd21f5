"""What a screen in the hall shows, how it is steered, and how a ceremony is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import groupby

# --- Screens ---


class Kind(Enum):
    """What a page of a screen is about."""

    NAMES = "names"
    """Who sits where, by name."""
    TABLES = "tables"
    """Who sits where, by table."""
    CLOCK = "clock"
    PROGRESS = "progress"
    RANKING = "ranking"
    TEAMS = "teams"
    NATIONS = "nations"
    BEST = "best"
    """The best hand of the day."""
    PUZZLE = "puzzle"
    """A hand to judge, then what it is worth."""
    ANNOUNCEMENTS = "announcements"
    WELCOME = "welcome"
    MISSING = "missing"
    """Who has not been checked in."""
    CEREMONY = "ceremony"
    """Places told one by one."""


@dataclass(frozen=True)
class Turn:
    """A kind's place in a rotation: each of its pages is shown for so many seconds."""

    kind: Kind
    seconds: int


USUAL_SECONDS = {
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


def _usual(*kinds: Kind) -> tuple[Turn, ...]:
    return tuple(Turn(kind, USUAL_SECONDS[kind]) for kind in kinds)


class Phase(Enum):
    """How far an event is, as far as an unarranged screen cares."""

    PREPARING = "preparing"
    SEATED = "seated"
    PLAYING = "playing"
    BETWEEN = "between"
    OVER = "over"
    CEREMONY = "ceremony"
    """Places are being told: nothing else is to be looked at."""


AUTOMATIC: Mapping[Phase, tuple[Turn, ...]] = {
    Phase.PREPARING: _usual(Kind.WELCOME, Kind.MISSING, Kind.ANNOUNCEMENTS),
    Phase.SEATED: _usual(Kind.NAMES, Kind.TABLES, Kind.MISSING, Kind.CLOCK, Kind.WELCOME, Kind.ANNOUNCEMENTS),
    Phase.PLAYING: _usual(Kind.CLOCK, Kind.RANKING, Kind.ANNOUNCEMENTS),
    Phase.BETWEEN: _usual(Kind.RANKING, Kind.BEST, Kind.NAMES, Kind.PUZZLE, Kind.CLOCK, Kind.ANNOUNCEMENTS),
    Phase.OVER: _usual(Kind.RANKING, Kind.BEST, Kind.TEAMS, Kind.NATIONS, Kind.ANNOUNCEMENTS),
    Phase.CEREMONY: _usual(Kind.CEREMONY),
}
"""What a screen shows that nobody has arranged."""


@dataclass(frozen=True)
class Slide:
    """One page on the screen; `turn` is the place of its kind in the rotation, from 0, or −1 outside it."""

    kind: Kind
    page: int
    pages: int
    seconds: int
    turn: int = -1


@dataclass(frozen=True)
class Steering:
    """Where the rotation is: at its start at `since`.

    With `only` it goes through the pages of that kind alone; with `page`, too, it stands still there (at place `turn`
    of the rotation, where the same kind comes twice).
    """

    since: int
    only: Kind | None = None
    page: int = 0
    turn: int = -1

    @property
    def is_held(self) -> bool:
        return self.only is not None and self.page > 0


@dataclass(frozen=True)
class Programme:
    """A rotation, and how many pages each kind has now; a kind without any is left out."""

    turns: tuple[Turn, ...]
    pages: Mapping[Kind, int]

    @property
    def slides(self) -> tuple[Slide, ...]:
        """The pages of the whole rotation, in order."""
        return tuple(
            Slide(turn.kind, page, self.pages.get(turn.kind, 0), turn.seconds, place)
            for place, turn in enumerate(self.turns)
            for page in range(1, self.pages.get(turn.kind, 0) + 1)
        )

    def alone(self, kind: Kind) -> tuple[Slide, ...]:
        """The pages of one kind, whether the rotation has it or not; at least one."""
        pages = max(1, self.pages.get(kind, 0))
        return tuple(Slide(kind, page, pages, USUAL_SECONDS[kind]) for page in range(1, pages + 1))


@dataclass(frozen=True)
class Shown:
    """A page, and when it turns by itself; None when it stays."""

    slide: Slide
    until: int | None


def shown(programme: Programme, steering: Steering, now: int) -> Shown | None:
    """Give what is on the screen; None when the rotation has no page at all.

    A function of the rotation, of how it was steered, and of the time in whole milliseconds since 1970. Nothing else
    counts, so that a screen that starts again, or a second one of the same name, shows the same page.
    """
    slides, index = _slides_and_index(programme, steering, now)
    if not slides:
        return None
    if steering.is_held or len(slides) == 1:
        return Shown(slides[index], None)
    ends = _starts(slides)[index] + 1000 * slides[index].seconds
    return Shown(slides[index], now + ends - _elapsed(slides, steering.since, now))


def _slides_and_index(programme: Programme, steering: Steering, now: int) -> tuple[tuple[Slide, ...], int]:
    """The pages gone through, and which of them is shown."""
    slides = programme.slides
    if steering.only is None:
        return slides, _index_at(slides, steering.since, now)
    alone = programme.alone(steering.only)
    if not steering.is_held:
        return alone, _index_at(alone, steering.since, now)
    if (index := _find(slides, steering)) is not None:
        return slides, index
    return alone, min(steering.page, len(alone)) - 1


def _find(slides: Sequence[Slide], at: Steering) -> int | None:
    """The page held: of the very turn, else of the kind; the last page there is when there are fewer by now."""
    same = [place for place, slide in enumerate(slides) if slide.kind is at.only]
    candidates = [place for place in same if slides[place].turn == at.turn] or [
        place for place in same if slides[place].turn == slides[same[0]].turn
    ]
    return candidates[min(at.page, len(candidates)) - 1] if candidates else None


def _index_at(slides: Sequence[Slide], since: int, now: int) -> int:
    if not slides:
        return 0
    elapsed = _elapsed(slides, since, now)
    return max(place for place, start in enumerate(_starts(slides)) if start <= elapsed)


def _starts(slides: Sequence[Slide]) -> list[int]:
    """When each page begins, from the start of the rotation."""
    return [1000 * sum(slide.seconds for slide in slides[:place]) for place in range(len(slides))]


def _elapsed(slides: Sequence[Slide], since: int, now: int) -> int:
    """How far the rotation is in its round."""
    return (now - since) % (1000 * sum(slide.seconds for slide in slides))


def stepped(programme: Programme, steering: Steering, now: int, by: int) -> Steering:
    """So many pages on, or back: a screen that stands still stands there; one that turns goes on from there."""
    slides, index = _slides_and_index(programme, steering, now)
    if not slides:
        return steering
    index = (index + by) % len(slides)
    if steering.is_held:
        return held(slides[index], steering.since)
    return replace(steering, since=now - _starts(slides)[index])


def held(slide: Slide, since: int) -> Steering:
    """Standing still at a page."""
    return Steering(since, slide.kind, slide.page, slide.turn)


def released(programme: Programme, steering: Steering, now: int) -> Steering:
    """Back to the rotation, from the page that is shown when it is one of its pages, else from the start."""
    on = shown(programme, steering, now)
    slides = programme.slides
    index = _find(slides, held(on.slide, 0)) if on and slides else None
    return Steering(now - (_starts(slides)[index] if index is not None else 0))


FRESH_SECONDS = 60
"""So long an announcement is shown before anything else."""
SHARE_SECONDS = 10
"""So long each, where several are fresh."""


def interruption(made_at: Sequence[int], now: int) -> tuple[int, int] | None:
    """Which announcement takes the screen, by its place in `made_at` (when each was made), and until when."""
    fresh = [place for place, at in enumerate(made_at) if at <= now < at + 1000 * FRESH_SECONDS]
    if not fresh:
        return None
    fresh.sort(key=lambda place: (-made_at[place], place))
    turn, late = divmod(now - made_at[fresh[0]], 1000 * SHARE_SECONDS)
    over = min(made_at[place] for place in fresh) + 1000 * FRESH_SECONDS
    return fresh[turn % len(fresh)], min(now - late + 1000 * SHARE_SECONDS, over)


# --- Commands ---


MOST_TURNS = 20
MOST_PAGES = 999
SECONDS = range(5, 301)


class Way(Enum):
    """What an organiser's device can do to a screen."""

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


# --- Ceremonies ---


@dataclass(frozen=True)
class Line:
    """Somebody to be called: a player, a team or a nation."""

    rank: int
    name: str
    """A nation's is its code."""
    country: str
    """A player's; empty for teams and nations."""
    about: str
    """A player's team; the players whose results are in a team's or a nation's."""
    table_points: str
    """With two decimals."""
    game_points: int

    @property
    def share(self) -> Fraction:
        """The table points as a figure."""
        return Fraction(self.table_points)


Place = tuple[Line, ...]
"""Who shares a place, usually one."""


def steps(lines: Iterable[Line], first: int | None = None) -> list[Place]:
    """Give the lines in the order they are told, those of one rank together.

    From the last place of the best `first` (None: of all) to the winner.
    """
    slides = sorted(
        (line for line in lines if first is None or line.rank <= first), key=lambda line: line.rank
    )
    return [tuple(shared) for _rank, shared in groupby(slides, key=lambda line: line.rank)][::-1]


def told(steps: Sequence[Place], count: int) -> tuple[Place, ...]:
    """What has been told after so many steps, the newest first."""
    return tuple(reversed(steps[:count]))
