"""A score with its reasons."""

from dataclasses import dataclass

from scoring.engine.hand import Hand
from scoring.engine.improvements import Improvement, improvements
from scoring.engine.reading import Arrangement, Reading, arrangements, reading_of
from scoring.engine.rejections import PRINCIPLES, Reason, Rejection, rejections
from scoring.engine.rulebooks import MCR, Rulebook
from scoring.engine.score import CountedFan, Score, counted_fans, score, score_reading


@dataclass(frozen=True, slots=True)
class OtherReading:
    """A reading that was not chosen, scored as if it had been."""

    reading: Reading
    points_without_flowers: int
    fans: tuple[CountedFan, ...]

    def to_json(self) -> dict[str, object]:
        return {
            "reading": self.reading.to_json(),
            "points_without_flowers": self.points_without_flowers,
            "fans": [fan.to_json() for fan in self.fans],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hand is worth what it is."""

    score: Score
    rejections: tuple[Rejection, ...]
    """Fans that looked claimable and were not counted, dearest first."""
    others: tuple[OtherReading, ...]
    """The other readings of the tiles, best first."""
    missing: int
    """Points short of the minimum; 0 when the hand may be declared."""
    improvements: tuple[Improvement, ...]
    """For a hand that may not be declared, the nearest ones that may."""

    def to_json(self) -> dict[str, object]:
        return self.score.to_json() | {
            "rejected": [rejection.to_json() for rejection in self.rejections],
            "other_readings": [other.to_json() for other in self.others],
            "missing": self.missing,
            "improvements": [improvement.to_json() for improvement in self.improvements],
        }


def explain(hand: Hand, rulebook: Rulebook = MCR) -> Explanation:
    """The score of a hand with everything that was weighed on the way to it."""
    found = score(hand, rulebook)
    others = _others(found)
    return Explanation(
        found,
        (*rejections(found), *_of_other_readings(found, others)),
        others,
        max(0, rulebook.minimum - found.reached),
        () if found.meets_minimum else improvements(hand, rulebook),
    )


def _others(found: Score) -> tuple[OtherReading, ...]:
    others = [
        _other(found, arrangement)
        for arrangement in arrangements(found.hand)
        if arrangement != found.arrangement
    ]
    return tuple(sorted(others, key=lambda other: -other.points_without_flowers))


def _other(found: Score, arrangement: Arrangement) -> OtherReading:
    points, counts = score_reading(found.hand, arrangement, found.rulebook)
    reading = reading_of(found.hand, arrangement)
    return OtherReading(reading, points, counted_fans(found.hand, reading, found.rulebook, counts))


def _of_other_readings(found: Score, others: tuple[OtherReading, ...]) -> tuple[Rejection, ...]:
    """Principle 4: fans that only a cheaper reading has."""
    known = {fan for fan, _ in found.counts} | {rejection.fan for rejection in rejections(found)}
    rejected: dict[object, Rejection] = {}
    for other in others:
        for line in other.fans:
            if line.fan not in known and line.fan not in rejected:
                reason = Reason.HIGHEST
                rejected[line.fan] = Rejection(line.fan, line.count, reason, PRINCIPLES[reason])
    return tuple(rejected.values())
