"""How often fans were made here. Whoever keeps hands answers that, and registers when the program starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from scoring.engine.fans import Fan


@dataclass(frozen=True, slots=True)
class Made:
    """A fan: in how many hands won, and at how many tournaments."""

    hands: int
    tournaments: int


@dataclass(frozen=True)
class MadeHere:
    """Of all hands that anybody may read of."""

    wins: int = 0
    """Hands won whose fans are known."""
    tournaments: int = 0
    """Those with such hands."""
    fans: Mapping[str, Made] = field(default_factory=dict)
    """Key → how often; none for a fan that nobody made."""

    @property
    def by_frequency(self) -> list[tuple[str, int]]:
        """(key, hands), the most frequent first."""
        return sorted(
            ((key, one.hands) for key, one in self.fans.items()), key=lambda made: (-made[1], made[0])
        )

    def never(self, fans: Iterable[Fan]) -> list[Fan]:
        """Those of the fans that nobody made."""
        return [fan for fan in fans if fan.key not in self.fans]


_answers: list[Callable[[], MadeHere]] = []


def answer_with(count: Callable[[], MadeHere]) -> None:
    """Let `count` answer from now on."""
    _answers[:] = [count]


def made_here() -> MadeHere:
    """How often each fan was made, as far as anybody counts."""
    return _answers[0]() if _answers else MadeHere()
