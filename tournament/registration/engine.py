"""Allocate places: the limit, places reserved for a country or a club, and the waiting list.

A reserved place is for its country or club alone. Which place somebody has is not stored but computed: a candidate fits
whenever any assignment of all candidates to places has room (bipartite matching).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tournament.base.engine.names import name_key

OPEN_PLACES: Final = -1
"""The category of unreserved places; reserved ones have their index in `Limits.reserved`."""


@dataclass(frozen=True)
class ReservedPlaces:
    """Places reserved for one country or club. `by`: "country" or "club"."""

    by: str
    value: str
    places: int

    def is_for(self, candidate: "Candidate") -> bool:
        value = candidate.country if self.by == "country" else candidate.club
        return bool(value) and name_key(value) == name_key(self.value)


@dataclass(frozen=True)
class Limits:
    """The number of places and the length of the waiting list, each None for no limit."""

    places: int | None = None
    waiting: int | None = None
    reserved: tuple[ReservedPlaces, ...] = ()

    @property
    def open_places(self) -> int | None:
        """The number of unreserved places."""
        if self.places is None:
            return None
        return max(0, self.places - sum(reserved.places for reserved in self.reserved))


@dataclass(frozen=True)
class Candidate:
    """Somebody who wants a place."""

    number: int
    country: str = ""
    club: str = ""


Move = tuple[Candidate, int, int | None]
"""A candidate, the category they move to, and the one they leave (None for a newcomer)."""


class Outcome(StrEnum):
    """What becomes of a registration that is confirmed."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    WAITING = "waiting"
    FULL = "full"


@dataclass
class Places:
    """The places and who has them. Candidates beyond the limit count as holders of open places."""

    limits: Limits
    _occupants: dict[int, list[Candidate]] = field(default_factory=dict)
    _known_categories: dict[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
    _full_categories: set[tuple[int, ...]] = field(default_factory=set)
    """Sets of categories without room: places are only taken, so there will be none later."""

    @classmethod
    def occupied_by(cls, limits: Limits, holders: Iterable[Candidate]) -> "Places":
        places = cls(limits)
        overbooked = [candidate for candidate in holders if not places.take(candidate)]
        places._occupants.setdefault(OPEN_PLACES, []).extend(overbooked)
        return places

    @property
    def taken(self) -> int:
        return sum(map(len, self._occupants.values()))

    @property
    def left(self) -> int | None:
        """The number of free places, reserved ones included; None without a limit."""
        return None if self.limits.places is None else max(0, self.limits.places - self.taken)

    @property
    def left_open(self) -> int | None:
        """The number of free places that anybody can have; None without a limit."""
        return None if self.left is None else max(0, self.left - sum(self.left_reserved))

    @property
    def left_reserved(self) -> list[int]:
        """The number of free places of each entry of `Limits.reserved`."""
        return [
            max(0, reserved.places - len(self._occupants.get(index, ())))
            for index, reserved in enumerate(self.limits.reserved)
        ]

    def fits(self, candidate: Candidate) -> bool:
        """Whether there is a place, possibly after others move to places reserved for them."""
        return self._find_moves(candidate) is not None

    def take(self, candidate: Candidate) -> bool:
        """Give a candidate a place; return False if there is none."""
        if (moves := self._find_moves(candidate)) is None:
            return False
        for moved, target, source in moves:
            if source is not None:
                self._occupants[source].remove(moved)
            self._occupants.setdefault(target, []).append(moved)
        return True

    def _find_moves(self, candidate: Candidate) -> list[Move] | None:
        if self.limits.places is None:
            return [(candidate, OPEN_PLACES, None)]
        if self.taken >= self.limits.places or self._categories(candidate) in self._full_categories:
            return None
        if (moves := self._find_path(candidate, frozenset())) is None:
            self._full_categories.add(self._categories(candidate))
        return moves

    def _find_path(self, candidate: Candidate, visited: frozenset[int]) -> list[Move] | None:
        """Return the moves that give the candidate a place (an augmenting path), last one first; None if none do."""
        categories = [category for category in self._categories(candidate) if category not in visited]
        for category in categories:
            if self._has_room(category):
                return [(candidate, category, None)]
        visited = visited.union(categories)
        for category in categories:
            for holder in {
                self._categories(holder): holder for holder in self._occupants.get(category, ())
            }.values():
                if moves := self._find_path(holder, visited):
                    moves[-1] = (holder, moves[-1][1], category)
                    return [*moves, (candidate, category, None)]
        return None

    def _categories(self, candidate: Candidate) -> tuple[int, ...]:
        """Return the categories of places that the candidate can have."""
        traits = (candidate.country, candidate.club)
        if traits not in self._known_categories:
            reserved = [
                index for index, places in enumerate(self.limits.reserved) if places.is_for(candidate)
            ]
            self._known_categories[traits] = (*reserved, OPEN_PLACES)
        return self._known_categories[traits]

    def _has_room(self, category: int) -> bool:
        if category != OPEN_PLACES:
            return len(self._occupants.get(category, ())) < self.limits.reserved[category].places
        room = self.limits.open_places
        return room is None or len(self._occupants.get(OPEN_PLACES, ())) < room


def promotable(limits: Limits, accepted: Iterable[Candidate], waiting: Sequence[Candidate]) -> list[int]:
    """Return the numbers of those on the waiting list for whom there is a place, in order.

    A candidate is only passed over when the remaining places are reserved for others.
    """
    places = Places.occupied_by(limits, accepted)
    return [candidate.number for candidate in waiting if places.take(candidate)]


def outcome_of(
    limits: Limits,
    accepted: Iterable[Candidate],
    waiting: Sequence[Candidate],
    candidate: Candidate,
    *,
    is_automatic: bool,
) -> Outcome:
    """Return what becomes of a candidate who has just confirmed and is last on the waiting list.

    `is_automatic`: whether places are given without the organiser.
    """
    has_place = candidate.number in promotable(limits, accepted, [*waiting, candidate])
    if has_place:
        return Outcome.ACCEPTED if is_automatic else Outcome.PENDING
    if limits.waiting is not None and len(waiting) >= limits.waiting:
        return Outcome.FULL
    return Outcome.WAITING if is_automatic else Outcome.PENDING
