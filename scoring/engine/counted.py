"""The fans of a score as lines of a receipt."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from scoring.engine.claims import claims_on, parts_of
from scoring.engine.detectors import places_of
from scoring.engine.fans import Fan
from scoring.engine.hand import Hand
from scoring.engine.reading import Form, Group, Reading
from scoring.engine.rulebooks import Rulebook
from scoring.engine.tallies import Counts

WAITS: Final = (Fan.EDGE_WAIT, Fan.CLOSED_WAIT, Fan.SINGLE_WAIT)
_BY_FORM: Final = tuple(Form)


@dataclass(frozen=True, slots=True)
class CountedFan:
    """A fan that was counted."""

    fan: Fan
    count: int
    points: int
    """What it is worth each time."""
    groups: tuple[tuple[int, ...], ...] = ()
    """For each time counted, the places in `Reading.groups` that make it; none for a fan of the whole
    hand.
    """

    @property
    def total(self) -> int:
        return self.count * self.points

    def to_json(self) -> dict[str, object]:
        return {
            "key": self.fan.key,
            "name": self.fan.en,
            "points": self.points,
            "count": self.count,
            "clause": self.fan.clause,
            "groups": [list(groups) for groups in self.groups],
        }


def counted_fans(hand: Hand, reading: Reading, rulebook: Rulebook, counts: Counts) -> tuple[CountedFan, ...]:
    """The fans counted for a reading with the groups that make them, as they are counted, Flower Tiles
    last.
    """
    claims = claims_on(hand, reading, rulebook)
    counted = []
    for fan, times in counts:
        made_of = [places_of(claim.sets) for claim in (*claims.chosen, *claims.single) if claim.fan is fan]
        groups = made_of or parts_of(fan, hand, reading)
        counted.append(CountedFan(fan, times, rulebook.points[fan], tuple(groups[:times])))
    if hand.flowers and Fan.FLOWER_TILES in rulebook.points:
        counted.append(CountedFan(Fan.FLOWER_TILES, hand.flowers, rulebook.points[Fan.FLOWER_TILES]))
    return tuple(counted)


def completed_place(hand: Hand, reading: Reading, fans: Iterable[CountedFan]) -> int | None:
    """The place of the group that the winning tile completed: that of the wait that counts, else the likeliest."""
    for line in fans:
        if line.fan in WAITS and line.groups and line.groups[0]:
            return line.groups[0][0]
    groups = reading.groups
    own = [place for place, group in enumerate(groups) if _is_own(group) and hand.winning_tile in group.tiles]
    return min(own, key=lambda place: _BY_FORM.index(groups[place].form), default=None)


def _is_own(group: Group) -> bool:
    return group.concealed and group.form is not Form.KONG
