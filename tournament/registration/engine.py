"""Who gets a place and who waits: the limit, places kept for a country or a club, and the order of the waiting list.

A kept place is for its country or its club alone; whoever fits one sits there and leaves an open place to others. Who
sits where is never stored: it is worked out anew, so that a newcomer fits whenever any arrangement has room.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

EVERYBODY: Final = -1
"""The open places, beside the kept ones by their index."""


@dataclass(frozen=True)
class Kept:
    """Places kept: by "country" or "club", and for which."""

    by: str
    value: str
    places: int

    def is_for(self, candidate: "Candidate") -> bool:
        value = candidate.country if self.by == "country" else candidate.club
        return bool(value) and folded(value) == folded(self.value)


@dataclass(frozen=True)
class Limits:
    """`places`: for how many there is room; None for all. `waiting`: the length of the waiting list; None for any."""

    places: int | None = None
    waiting: int | None = None
    kept: tuple[Kept, ...] = ()

    @property
    def open_places(self) -> int | None:
        """Those kept for nobody."""
        return None if self.places is None else max(0, self.places - sum(kept.places for kept in self.kept))


@dataclass(frozen=True)
class Candidate:
    """Somebody who wants a place."""

    number: int
    country: str = ""
    club: str = ""


Move = tuple[Candidate, int, int | None]
"""Who, to which places, from which; from None: a newcomer."""


class Outcome(StrEnum):
    """What becomes of who has just confirmed."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    WAITING = "waiting"
    FULL = "full"


@dataclass
class Places:
    """The places as they are taken. Who came in although there was none left takes none, and leaves none."""

    limits: Limits
    _taken: dict[int, list[Candidate]] = field(default_factory=dict)
    _known: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    _turned_down: set[tuple[int, ...]] = field(default_factory=set)
    """Kinds of people for whom there was no place: as places are only taken, there will be none."""

    @classmethod
    def taken_by(cls, limits: Limits, holders: Iterable[Candidate]) -> "Places":
        places = cls(limits)
        beyond = [candidate for candidate in holders if not places.take(candidate)]
        places._taken.setdefault(EVERYBODY, []).extend(beyond)
        return places

    @property
    def taken(self) -> int:
        return sum(map(len, self._taken.values()))

    @property
    def left(self) -> int | None:
        """Places nobody has, kept ones among them; None when there is room for all."""
        return None if self.limits.places is None else max(0, self.limits.places - self.taken)

    @property
    def left_open(self) -> int | None:
        """Those left that anybody could have."""
        return None if self.left is None else max(0, self.left - sum(self.left_kept))

    @property
    def left_kept(self) -> list[int]:
        """Of each of the kept ones, in their order, how many nobody has."""
        held = [len(self._taken.get(index, ())) for index in range(len(self.limits.kept))]
        return [max(0, kept.places - n) for kept, n in zip(self.limits.kept, held, strict=True)]

    def fits(self, candidate: Candidate) -> bool:
        """Whether there is a place, others moving to places kept for them where that makes room."""
        return self._way_in(candidate) is not None

    def take(self, candidate: Candidate) -> bool:
        """Give somebody a place; whether there was one."""
        if (moves := self._way_in(candidate)) is None:
            return False
        for who, goes_to, comes_from in moves:
            if comes_from is not None:
                self._taken[comes_from].remove(who)
            self._taken.setdefault(goes_to, []).append(who)
        return True

    def _way_in(self, candidate: Candidate) -> list[Move] | None:
        if self.limits.places is None:
            return [(candidate, EVERYBODY, None)]
        if self.taken >= self.limits.places or self._ways(candidate) in self._turned_down:
            return None
        if (moves := self._path(candidate, frozenset())) is None:
            self._turned_down.add(self._ways(candidate))
        return moves

    def _path(self, candidate: Candidate, visited: frozenset[int]) -> list[Move] | None:
        """Who moves where so that the candidate has a place, the last move first; None when nobody can make room."""
        ways = [way for way in self._ways(candidate) if way not in visited]
        for way in ways:
            if self._has_room(way):
                return [(candidate, way, None)]
        visited = visited.union(ways)
        for way in ways:
            for holder in {self._ways(holder): holder for holder in self._taken.get(way, ())}.values():
                if moves := self._path(holder, visited):
                    moves[-1] = (holder, moves[-1][1], way)
                    return [*moves, (candidate, way, None)]
        return None

    def _ways(self, candidate: Candidate) -> tuple[int, ...]:
        """The kept places that are theirs, and the open ones."""
        traits = (candidate.country, candidate.club)
        if traits not in self._known:
            kept = [index for index, place in enumerate(self.limits.kept) if place.is_for(candidate)]
            self._known[traits] = (*kept, EVERYBODY)
        return self._known[traits]

    def _has_room(self, way: int) -> bool:
        if way != EVERYBODY:
            return len(self._taken.get(way, ())) < self.limits.kept[way].places
        room = self.limits.open_places
        return room is None or len(self._taken.get(EVERYBODY, ())) < room


def moving_up(limits: Limits, accepted: Iterable[Candidate], waiting: Sequence[Candidate]) -> list[int]:
    """The numbers of those on the waiting list for whom there is a place now, in their order.

    Nobody is passed over but who would need a place that is kept for others.
    """
    places = Places.taken_by(limits, accepted)
    return [candidate.number for candidate in waiting if places.take(candidate)]


def settled(
    limits: Limits,
    accepted: Iterable[Candidate],
    waiting: Sequence[Candidate],
    candidate: Candidate,
    *,
    by_itself: bool,
) -> Outcome:
    """What becomes of who has just confirmed: behind everybody who waits already."""
    has_place = candidate.number in moving_up(limits, accepted, [*waiting, candidate])
    if has_place:
        return Outcome.ACCEPTED if by_itself else Outcome.PENDING
    if limits.waiting is not None and len(waiting) >= limits.waiting:
        return Outcome.FULL
    return Outcome.WAITING if by_itself else Outcome.PENDING


def folded(text: str) -> str:
    """A club's name as it is compared: without capitals, width and outer blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
