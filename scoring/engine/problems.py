"""What a person can mend, as a value: a code, a place and the figures its sentence needs.

The engine speaks in codes; `scoring.texts` turns them into sentences in the reader's language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with what was entered.

    ``where`` is the path of the field at fault (``"concealed.3"``, ``"melds.0.tiles"``), empty for the whole.
    """

    code: str
    where: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, self.where, tuple(sorted(self.params.items()))))


class InvalidHand(ValueError):
    """Raised for tiles or circumstances that cannot be; ``problems`` lists every fault found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{p.where}: {p.code}" if p.where else p.code for p in problems))
        self.problems = problems
