"""A line of a classical score: the row that counts, what it adds or multiplies by, and what earns it."""

from dataclasses import dataclass

from scoring.classical.flowers import Flower
from scoring.classical.rows import Row


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that counts; a row counts in a line each time."""

    row: Row
    value: int
    """Points to add, a factor to multiply by, or the limit."""
    groups: tuple[int, ...] = ()
    """The places in `Reading.groups` that earn it; none for what the whole hand or its circumstances earn."""
    flowers: tuple[Flower, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {
            "key": self.row.key,
            "sort": self.row.sort.value,
            "value": self.value,
            "clause": self.row.clause,
            "groups": list(self.groups),
            "flowers": [flower.key for flower in self.flowers],
        }
