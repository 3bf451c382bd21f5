"""Explain a score, and compare it with what a player announced."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.reading import Arrangement, Reading, arrangements, reading_of
from scoring.engine.rejections import PRINCIPLES, Reason, Rejection, rejections
from scoring.engine.rulebooks import MCR, Rulebook
from scoring.engine.score import CountedFan, Score, counted_fans, score, score_reading
from scoring.engine.waits import Improvement, improvements


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
    """A score with everything that was considered."""

    score: Score
    rejections: tuple[Rejection, ...]
    """Fans that looked claimable and were not counted, highest first."""
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
    """Return the score of a hand with all rejected fans, other readings and near improvements."""
    best = score(hand, rulebook)
    other_readings = _other_readings(best)
    return Explanation(
        best,
        (*rejections(best), *_rejections_of_others(best, other_readings)),
        other_readings,
        max(0, rulebook.minimum - best.qualifying_points),
        () if best.meets_minimum else improvements(hand, rulebook),
    )


def _other_readings(best: Score) -> tuple[OtherReading, ...]:
    others = [
        _score_other(best, arrangement)
        for arrangement in arrangements(best.hand)
        if arrangement != best.arrangement
    ]
    return tuple(sorted(others, key=lambda other: -other.points_without_flowers))


def _score_other(best: Score, arrangement: Arrangement) -> OtherReading:
    points, counts = score_reading(best.hand, arrangement, best.rulebook)
    reading = reading_of(best.hand, arrangement)
    return OtherReading(reading, points, counted_fans(best.hand, reading, best.rulebook, counts))


def _rejections_of_others(best: Score, others: tuple[OtherReading, ...]) -> tuple[Rejection, ...]:
    """Return the fans that only a lower-scoring reading has (principle 4)."""
    listed = {fan for fan, _ in best.counts} | {rejection.fan for rejection in rejections(best)}
    rejected: dict[object, Rejection] = {}
    for other in others:
        for line in other.fans:
            if line.fan not in listed and line.fan not in rejected:
                reason = Reason.HIGHEST
                rejected[line.fan] = Rejection(line.fan, line.count, reason, PRINCIPLES[reason])
    return tuple(rejected.values())


class Slip(Enum):
    """How an announcement differs from the score."""

    NOT_COUNTED = "not_counted"
    """A fan was announced, or announced too often, that does not count."""
    FORGOTTEN = "forgotten"
    """A fan counts that was not announced, or not often enough."""
    WRONG_SUM = "wrong_sum"
    """The points announced are not those of the hand."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between an announcement and the score."""

    slip: Slip
    fan: Fan | None
    announced: int
    """Times, or points for `WRONG_SUM`."""
    counted: int
    because: Rejection | None = None
    """Why the fan does not count, where it looked claimable."""

    def to_json(self) -> dict[str, object]:
        return {
            "slip": self.slip.value,
            "fan": self.fan.key if self.fan else None,
            "announced": self.announced,
            "counted": self.counted,
            "because": self.because.to_json() if self.because else None,
        }


def differences(
    explanation: Explanation, fans: Mapping[Fan, int] | None = None, points: int | None = None
) -> tuple[Difference, ...]:
    """Return how the announced fans (times each) and points (flowers included) differ from the score.

    Empty when they agree; the difference of the highest-scoring fan comes first. `None` means not announced.
    """
    slips = [] if fans is None else list(_fan_differences(explanation, Counter(fans)))
    if points is not None and points != explanation.score.points:
        slips.append(Difference(Slip.WRONG_SUM, None, points, explanation.score.points))
    return tuple(slips)


def _fan_differences(explanation: Explanation, announced: Counter[Fan]) -> Iterator[Difference]:
    score = explanation.score
    counted = Counter({line.fan: line.count for line in score.fans})
    points = score.rulebook.points
    for fan in sorted({*announced, *counted}, key=lambda fan: (-points.get(fan, fan.points), fan.number)):
        if announced[fan] > counted[fan]:
            because = next((rejection for rejection in explanation.rejections if rejection.fan is fan), None)
            yield Difference(Slip.NOT_COUNTED, fan, announced[fan], counted[fan], because)
        elif announced[fan] < counted[fan]:
            yield Difference(Slip.FORGOTTEN, fan, announced[fan], counted[fan])
