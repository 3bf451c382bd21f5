"""Rulebooks as data: what a fan is worth, what bars what, and the readings of disputed rules, a clause a
line.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.engine.exclusions import EXCLUSIONS, Exclusion
from scoring.engine.fans import FANS, Fan, find_fan

REVERSIBLE: Final = ("1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P")
"""Tiles that look the same upside down (MCR 36, Botzone "Reversible Tiles")."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The scoring rules of one authority, complete: a snapshot of it scores the same for ever."""

    key: str
    name: str
    points: dict[Fan, int]
    """Points of each fan; a fan that is left out does not exist in this rulebook."""
    exclusions: tuple[Exclusion, ...]
    reversible: tuple[str, ...] = REVERSIBLE
    held_out_waits: bool = True
    """Whether a tile all of whose copies are in one's own hand still counts as another wait."""
    minimum: int = 8
    """Points a hand must reach to be declared (MCR rule 2)."""
    extra: int = 8
    """Points every loser pays on top (MCR, extra points)."""
    flowers_reach_minimum: bool = False
    """Whether flowers count towards the minimum (MCR 39: they don't)."""
    clauses: dict[str, str] = field(default_factory=dict)
    """Disputed rule to the clause that this rulebook follows."""

    def __hash__(self) -> int:
        return hash(self.key)

    def to_json(self) -> dict[str, object]:
        """A snapshot that `from_json` reads back, in a later version too."""
        return {
            "key": self.key,
            "name": self.name,
            "points": {fan.key: points for fan, points in self.points.items()},
            "exclusions": [[e.fan.key, e.bars.key, e.clause, e.at_most] for e in self.exclusions],
            "reversible": list(self.reversible),
            "held_out_waits": self.held_out_waits,
            "minimum": self.minimum,
            "extra": self.extra,
            "flowers_reach_minimum": self.flowers_reach_minimum,
            "clauses": dict(self.clauses),
        }

    @classmethod
    def from_json(cls, snapshot: Mapping[str, object]) -> "Rulebook":
        """The rulebook of a snapshot; ``KeyError`` or ``TypeError`` when it is none."""
        facts: dict[str, object] = dict(snapshot)
        facts["points"] = {find_fan(key): points for key, points in facts["points"].items()}  # type: ignore[attr-defined]
        facts["exclusions"] = tuple(
            Exclusion(find_fan(fan), find_fan(bars), clause, at_most)
            for fan, bars, clause, at_most in facts["exclusions"]  # type: ignore[attr-defined]
        )
        facts["reversible"] = tuple(facts["reversible"])  # type: ignore[arg-type]
        return cls(**facts)  # type: ignore[arg-type]


def _without(exclusions: tuple[Exclusion, ...], fan: Fan, bars: Fan) -> tuple[Exclusion, ...]:
    return tuple(e for e in exclusions if (e.fan, e.bars) != (fan, bars))


_ALIKE: Final = {
    "three_dots_reversible": "Botzone, Reversible Tiles: Dots 1, 2, 3, 4, 5, 8, 9",
    "self_drawn_concealed_hands": "Botzone note 1; MCR 44, 55, 56, 73, 80, 81: Self-Drawn, no Fully Concealed Hand",
    "honour_pung_scored_otherwise": "MCR 5 and principle 1; Botzone 5: no Pung of Terminals or Honors",
    "knitted_straight_in_knitted_tiles": "Botzone, Knitted Straight: also part of Lesser Honors and Knitted Tiles",
    "wait_beside_knitted_straight": "MCR principle 4: the set and the pair decide",
    "self_drawn_implied": "MCR 40: not beside Last Tile Draw, nor Out with Replacement Tile",
    "last_tile_robbed": "MCR 27: Last Tile is not added to Robbing the Kong",
    "all_chows_knitted": "MCR 45, example 15: All Chows combines with Knitted Straight",
    "pung_by_discard": "MCR 21, 54: a pung completed by a discard is claimed",
    "concealed_pungs_beside_kongs": "Botzone note 5: no Two Concealed Pungs beside Two Concealed Kongs",
    "robbing_with_last_tile": "No discard follows a kong of the last tile: refused",
    "concealed_beside_circumstances": "Fully Concealed Hand beside Out with Replacement Tile and Last Tile Draw",
    "concealed_robbing": "MCR 43 bars only Fully Concealed Hand from Robbing the Kong",
}
"""Disputed rules that all four rulebooks read alike."""

MCR: Final = Rulebook(
    key="mcr",
    name="Mahjong Competition Rules",
    points={fan: fan.points for fan in FANS},
    exclusions=EXCLUSIONS,
    clauses=_ALIKE
    | {
        "two_concealed_kongs": "MCR 33: 6 points",
        "melded_and_concealed_kong": "Botzone note 4: a fan of its own, 5 points",
        "reversible_and_voided_suit": "MCR 36: One Voided Suit is implied",
        "all_types_beside_seven_pairs": "Botzone note 2: adds",
        "nine_gates_and_terminal_pung": "MCR 78, read as taking one of the two pungs",
        "held_out_waits": "Public scorers: a tile that one holds out oneself is still a wait",
    },
)

MWT: Final = replace(
    MCR,
    key="mwt",
    name="Mahjong Competition Rules, to the letter",
    points={fan: fan.points for fan in FANS if fan is not Fan.MELDED_KONG_AND_CONCEALED_KONG},
    exclusions=(
        *_without(EXCLUSIONS, Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS),
        Exclusion(Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS, "MCR 78"),
        Exclusion(Fan.SEVEN_PAIRS, Fan.ALL_TYPES, "MCR 55"),
    ),
    held_out_waits=False,
    clauses=MCR.clauses
    | {
        "melded_and_concealed_kong": "MCR 6, 22: Melded Kong and Concealed Kong",
        "all_types_beside_seven_pairs": "MCR 55: does not combine",
        "nine_gates_and_terminal_pung": "MCR 78: does not combine",
        "held_out_waits": "MCR 9: what adds to the variety of tiles that complete the hand",
    },
)

BOTZONE: Final = replace(
    MCR,
    key="botzone",
    name="Botzone National Standard Mahjong",
    points=MCR.points | {Fan.TWO_CONCEALED_KONGS: 8},
    held_out_waits=False,
    clauses=MCR.clauses
    | {
        "two_concealed_kongs": "Botzone, 8-point hands: 8 points",
        "reversible_and_voided_suit": "Botzone note 7: not scored",
        "held_out_waits": "Botzone, Edge Wait: only one tile name to complete",
    },
)

GUIDE: Final = replace(
    MCR,
    key="guide",
    name="Guide to Chinese Official Mahjong",
    points=MWT.points,
    exclusions=_without(
        _without(EXCLUSIONS, Fan.REVERSIBLE_TILES, Fan.ONE_VOIDED_SUIT),
        Fan.LESSER_HONORS_AND_KNITTED_TILES,
        Fan.FULLY_CONCEALED_HAND,
    ),
    reversible=tuple(tile for tile in REVERSIBLE if tile != "3p"),
    held_out_waits=False,
    clauses=MCR.clauses
    | {
        "two_concealed_kongs": "Guide, table: 6 points (8 in its text)",
        "melded_and_concealed_kong": "Guide 6, 23: Melded Kong and Concealed Kong",
        "reversible_and_voided_suit": "Guide 35: scores a point for that also",
        "three_dots_reversible": "Guide 35: Dots 1, 2, 4, 5, 8, 9",
        "self_drawn_concealed_hands": "Guide 44: Lesser Honors and Knitted Tiles combines with Fully Concealed Hand",
        "held_out_waits": "Guide 9: only one tile possible to complete the hand",
    },
)

RULEBOOKS: Final = (MCR, MWT, BOTZONE, GUIDE)
"""Every rulebook, the default first."""


def find_rulebook(key: str) -> Rulebook:
    """The rulebook with this key; ``KeyError`` when there is none."""
    for rulebook in RULEBOOKS:
        if rulebook.key == key:
            return rulebook
    raise KeyError(key)
