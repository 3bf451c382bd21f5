"""An evening of the classical game: the hands as they were entered, and all that follows from them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from scoring.classical.entries import Entry, Marks, mark
from scoring.classical.rules import CLASSICAL, Rules
from scoring.classical.settlement import Settlement, settle
from scoring.classical.turn import PLACES, Turn

NOTHING: Final = (0,) * len(PLACES)


@dataclass(frozen=True, slots=True)
class Played:
    """A hand that is settled; figures stand by place."""

    entry: Entry
    turn: Turn
    marks: Marks | None
    """None for a wash-out."""
    settlement: Settlement | None
    changes: tuple[int, ...]
    totals: tuple[int, ...]
    """The running scores after it; they sum to zero."""

    def to_json(self) -> dict[str, Any]:
        return {
            "winner": self.entry.winner,
            "dealer": self.turn.dealer,
            "prevalent_wind": self.turn.prevalent,
            "points": list(self.marks.points) if self.marks else None,
            "scores": [score.to_json() if score else None for score in self.marks.scores]
            if self.marks
            else None,
            "payments": self.settlement.to_json()["payments"] if self.settlement else [],
            "changes": list(self.changes),
            "totals": list(self.totals),
        }


@dataclass(frozen=True)
class Evening:
    """Four players, the rules they play by, and the hands."""

    names: tuple[str, ...]
    rules: Rules = CLASSICAL
    entries: tuple[Entry, ...] = ()

    @cached_property
    def played(self) -> tuple[Played, ...]:
        """The hands, settled; `InvalidHand` for one that cannot be."""
        return tuple(self.settled())

    @property
    def turn(self) -> Turn:
        """What the next hand begins with."""
        return self.played[-1].turn.after(self.played[-1].entry.winner) if self.played else Turn()

    @property
    def totals(self) -> tuple[int, ...]:
        return self.played[-1].totals if self.played else NOTHING

    def with_hand(self, entry: Entry) -> "Evening":
        """One hand more; `InvalidHand` with all that is wrong with it, ``ValueError`` when the evening is over."""
        if self.turn.is_over:
            raise ValueError("the rounds of all four winds are played")
        evening = replace(self, entries=(*self.entries, entry))
        assert evening.played
        return evening

    def without_last(self) -> "Evening":
        """The last hand taken back."""
        return replace(self, entries=self.entries[:-1])

    def to_json(self) -> dict[str, Any]:
        """The facts alone (`scoring.classical.records.read_evening`)."""
        settings = {name: getattr(self.rules, name) for name in SETTINGS}
        hands = [entry.to_json() for entry in self.entries]
        return {"names": list(self.names), "rules": settings, "hands": hands}

    def settled(self) -> Iterator[Played]:
        """The hands one by one, as far as they can be settled; then `InvalidHand`."""
        turn, totals = Turn(), NOTHING
        for entry in self.entries:
            played = _settle(entry, turn, totals, self.rules)
            yield played
            turn, totals = turn.after(entry.winner), played.totals


SETTINGS: Final = (
    "limit",
    "losers_have_limit",
    "east_factor",
    "losers_settle",
    "both_winds_of_pair",
    "both_winds_of_pung",
    "own_flower_in_four",
    "flowers_are_value",
    "concealed_pungs_drawn",
    "nine_tiles_called",
    "every_pair_of_losers",
)
"""What a club may settle otherwise than `CLASSICAL`."""


def _settle(entry: Entry, turn: Turn, totals: tuple[int, ...], rules: Rules) -> Played:
    if entry.winner is None:
        return Played(entry, turn, None, None, NOTHING, totals)
    marks = mark(entry, turn, rules)
    points = {turn.wind(place): marks.points[place] for place in PLACES}
    settlement = settle(points, turn.wind(entry.winner), rules)
    changes = tuple(settlement.changes[turn.wind(place)] for place in PLACES)
    after = tuple(total + change for total, change in zip(totals, changes, strict=True))
    return Played(entry, turn, marks, settlement, changes, after)
