"""What a player announced, held against what counts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from scoring.engine.explain import Explanation
from scoring.engine.fans import Fan
from scoring.engine.rejections import Rejection


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
    """One way in which an announcement differs from the score."""

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
    """How the announced fans (times each) and points (flowers included) differ from the score.

    Empty when they agree; otherwise the first difference first, by the dearest fan. Leave out what was not
    announced.
    """
    found = [] if fans is None else list(_of_fans(explanation, Counter(fans)))
    if points is not None and points != explanation.score.points:
        found.append(Difference(Slip.WRONG_SUM, None, points, explanation.score.points))
    return tuple(found)


def _of_fans(explanation: Explanation, announced: Counter[Fan]) -> Iterator[Difference]:
    score = explanation.score
    counted = Counter({line.fan: line.count for line in score.fans})
    worth = score.rulebook.points
    for fan in sorted({*announced, *counted}, key=lambda fan: (-worth.get(fan, fan.points), fan.number)):
        if announced[fan] > counted[fan]:
            because = next((rejection for rejection in explanation.rejections if rejection.fan is fan), None)
            yield Difference(Slip.NOT_COUNTED, fan, announced[fan], counted[fan], because)
        elif announced[fan] < counted[fan]:
            yield Difference(Slip.FORGOTTEN, fan, announced[fan], counted[fan])
