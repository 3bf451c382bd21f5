"""Rulebooks as data: points, exclusions and the readings of disputed rules, each with its clause.

Where Botzone's rules or the Guide are silent, Mahjong Competition Rules apply: both call themselves those rules.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.engine.exclusions import EXCLUSIONS, Exclusion
from scoring.engine.fans import FANS, Fan, find_fan

REVERSIBLE: Final = ("1p", "2p", "3p", "4p", "5p", "8p", "9p", "2s", "4s", "5s", "6s", "8s", "9s", "P")
"""Tiles that look the same upside down (MCR 36, Botzone "Reversible Tiles")."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The complete scoring rules of one authority; a snapshot of it scores the same for ever."""

    key: str
    name: str
    """The English name; `scoring.texts.rulebook_name` translates it."""
    points: dict[Fan, int]
    """Points of each fan; a fan that is left out does not exist in this rulebook."""
    exclusions: tuple[Exclusion, ...]
    reversible: tuple[str, ...] = REVERSIBLE
    held_out_waits: bool = True
    """Whether a tile whose four copies are in the player's own hand still counts as another wait."""
    honour_hogs: bool = True
    """Whether four equal honours are a Tile Hog. The default is that of snapshots older than this field."""
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

    def against_minimum(self, points: int, without_flowers: int) -> int:
        """Return the points that are compared with the minimum."""
        return points if self.flowers_reach_minimum else without_flowers

    def to_json(self) -> dict[str, object]:
        """Return a snapshot that `from_json` reads back, in later versions too."""
        return {
            "key": self.key,
            "name": self.name,
            "points": {fan.key: points for fan, points in self.points.items()},
            "exclusions": [[e.fan.key, e.bars.key, e.clause, e.at_most] for e in self.exclusions],
            "reversible": list(self.reversible),
            "held_out_waits": self.held_out_waits,
            "honour_hogs": self.honour_hogs,
            "minimum": self.minimum,
            "extra": self.extra,
            "flowers_reach_minimum": self.flowers_reach_minimum,
            "clauses": dict(self.clauses),
        }

    @classmethod
    def from_json(cls, snapshot: Mapping[str, object]) -> "Rulebook":
        """Return the rulebook of a snapshot. Raises KeyError or TypeError for an invalid one."""
        facts: dict[str, object] = dict(snapshot)
        facts["points"] = {find_fan(key): points for key, points in facts["points"].items()}  # type: ignore[attr-defined]
        facts["exclusions"] = tuple(
            Exclusion(find_fan(fan), find_fan(bars), clause, at_most)
            for fan, bars, clause, at_most in facts["exclusions"]  # type: ignore[attr-defined]
        )
        facts["reversible"] = tuple(facts["reversible"])  # type: ignore[arg-type]
        return cls(**facts)  # type: ignore[arg-type]


CLAUSES_ALIKE: Final = {
    "two_concealed_kongs": "MCR 33: 6 points",
    "wait_beside_knitted_straight": "MCR principle 4: the set and the pair decide",
    "self_drawn_implied": "MCR 40: not beside Last Tile Draw, nor (principle 1) Out with Replacement Tile",
    "last_tile_robbed": "MCR 27 and principle 4: they are not added, and the higher counts",
    "all_chows_knitted": "MCR 45, example 15: All Chows combines with Knitted Straight",
    "pung_by_discard": "MCR 21, 54: a pung completed by a discard is claimed",
    "concealed_pungs_beside_kongs": "MCR principle 1: two concealed kongs are two concealed pungs",
    "honour_pung_scored_otherwise": "MCR 5 and principle 1: no Pung of Terminals or Honors",
    "knitted_straight_in_knitted_tiles": "MCR 44, 45: neither bars the other",
    "robbing_with_last_tile": "No discard follows a kong of the last tile: refused",
    "concealed_beside_circumstances": "MCR 25, 40, 42: nothing bars them",
    "concealed_robbing": "MCR 43 bars only Fully Concealed Hand from Robbing the Kong",
    "self_drawn_concealed_hands": "MCR 44, 55, 56, 73, 80 and principle 1: Self-Drawn, no Fully Concealed Hand",
}
"""Readings of disputed rules shared by all four rulebooks, unless overridden below."""

CLAUSES_OF_MCR: Final = CLAUSES_ALIKE | {
    "melded_and_concealed_kong": "Botzone note 4: a fan of its own, 5 points",
    "reversible_and_voided_suit": "MCR 36: One Voided Suit is implied",
    "three_dots_reversible": "MCR 36 and Botzone, Reversible Tiles: Dots 1, 2, 3, 4, 5, 8, 9",
    "all_types_beside_seven_pairs": "Botzone note 2: adds",
    "nine_gates_and_terminal_pung": "MCR 78, read as taking one of the two pungs",
    "held_out_waits": "Public scorers: a tile that one holds out oneself is still a wait",
    "honour_tile_hog": "Public scorers and Botzone, Tile Hog: any four equal tiles",
}

CLAUSES_OF_MWT: Final = CLAUSES_ALIKE | {
    "melded_and_concealed_kong": "MCR 6, 22: Melded Kong and Concealed Kong",
    "reversible_and_voided_suit": "MCR 36: One Voided Suit is implied",
    "three_dots_reversible": "MCR 36: symmetrical, and so the 3 of Dots too",
    "all_types_beside_seven_pairs": "MCR 55: does not combine",
    "nine_gates_and_terminal_pung": "MCR 78: does not combine",
    "held_out_waits": "MCR 9: what adds to the variety of tiles that complete the hand",
    "honour_tile_hog": "MCR 19: a single suit tile",
}

CLAUSES_OF_BOTZONE: Final = CLAUSES_OF_MCR | {
    "two_concealed_kongs": "Botzone, 6-point hands: seven announced, six listed (this one starred among 8)",
    "reversible_and_voided_suit": "Botzone note 7: not scored",
    "three_dots_reversible": "Botzone, Reversible Tiles: Dots 1, 2, 3, 4, 5, 8, 9",
    "self_drawn_concealed_hands": "Botzone note 1: Self-Drawn, no Fully Concealed Hand",
    "honour_pung_scored_otherwise": "Botzone, Pung of Terminals or Honours: non-special winds",
    "knitted_straight_in_knitted_tiles": "Botzone, Knitted Straight: also part of Lesser Honors and Knitted Tiles",
    "concealed_pungs_beside_kongs": "Botzone note 5: no Two Concealed Pungs beside Two Concealed Kongs",
    "held_out_waits": "Botzone, Edge Wait: only one tile name to complete",
    "honour_tile_hog": "Botzone, Tile Hog: the same four tiles",
}

CLAUSES_OF_GUIDE: Final = CLAUSES_OF_MWT | {
    "two_concealed_kongs": "Guide, table: 6 points (8 in its list)",
    "melded_and_concealed_kong": "Guide 6, 23: Melded Kong and Concealed Kong",
    "reversible_and_voided_suit": "Guide 35: scores a point for that also",
    "three_dots_reversible": "Guide 35: Dots 1, 2, 4, 5, 8, 9",
    "self_drawn_concealed_hands": "Guide 44: Lesser Honors and Knitted Tiles combines with Fully Concealed Hand",
    "last_tile_robbed": "Guide 27 and MCR principle 4: they are not added, and the higher counts",
    "all_types_beside_seven_pairs": "Guide 31: asks for five elements",
    "nine_gates_and_terminal_pung": "Guide 78: does not combine",
    "held_out_waits": "Guide 9: only one tile possible to complete the hand",
    "honour_tile_hog": "Guide 19: all 4 of a number in a single suit",
}

_KONGS: Final = (
    Fan.FOUR_KONGS,
    Fan.THREE_KONGS,
    Fan.TWO_CONCEALED_KONGS,
    Fan.MELDED_KONG_AND_CONCEALED_KONG,
    Fan.TWO_MELDED_KONGS,
    Fan.CONCEALED_KONG,
    Fan.MELDED_KONG,
)
_CONCEALED_PUNGS: Final = (Fan.FOUR_CONCEALED_PUNGS, Fan.THREE_CONCEALED_PUNGS, Fan.TWO_CONCEALED_PUNGS)
_NECESSARILY_CONCEALED: Final = (
    Fan.NINE_GATES,
    Fan.SHIFTED_SEVEN_PAIRS,
    Fan.THIRTEEN_ORPHANS,
    Fan.FOUR_CONCEALED_PUNGS,
    Fan.SEVEN_PAIRS,
    Fan.GREATER_HONORS_AND_KNITTED_TILES,
    Fan.LESSER_HONORS_AND_KNITTED_TILES,
)

BARS_OF_BOTZONE: Final = {
    **{(fan, Fan.FULLY_CONCEALED_HAND): "Botzone note 1" for fan in _NECESSARILY_CONCEALED},
    (Fan.ALL_TERMINALS, Fan.ALL_PUNGS): "Botzone note 3",
    (Fan.ALL_HONORS, Fan.ALL_PUNGS): "Botzone note 3",
    (Fan.ALL_TERMINALS_AND_HONORS, Fan.ALL_PUNGS): "Botzone note 3",
    **{(fan, bars): "Botzone note 5" for fan in _KONGS for bars in _KONGS},
    **{(fan, bars): "Botzone note 5" for fan in _CONCEALED_PUNGS for bars in _CONCEALED_PUNGS},
    (Fan.TWO_CONCEALED_KONGS, Fan.TWO_CONCEALED_PUNGS): "Botzone note 5",
    (Fan.REVERSIBLE_TILES, Fan.ONE_VOIDED_SUIT): "Botzone note 7",
    (Fan.PURE_TERMINAL_CHOWS, Fan.SEVEN_PAIRS): "Botzone, Pure Terminal Chows",
}
"""Exclusions that Botzone's own rules state."""

_GUIDE_CLAUSES: Final = {
    f"MCR {number}": f"Guide {number}"
    for number in (43, 44, 46, 47, *range(55, 64), 66, 67, *range(69, 74), *range(75, 79), 80, 81)
} | {"MCR 40": "Guide 39"}
_NOT_IN_GUIDE: Final = {
    (Fan.SEVEN_PAIRS, Fan.FULLY_CONCEALED_HAND),
    (Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.FULLY_CONCEALED_HAND),
}
"""For these the Guide names Concealed Hand instead."""

BARS_OF_GUIDE: Final = {
    (bar.fan, bar.bars): _GUIDE_CLAUSES[bar.clause]
    for bar in EXCLUSIONS
    if bar.clause in _GUIDE_CLAUSES and (bar.fan, bar.bars) not in _NOT_IN_GUIDE
} | {
    (Fan.SEVEN_PAIRS, Fan.ALL_TYPES): "Guide 31",
    (Fan.SEVEN_PAIRS, Fan.CONCEALED_HAND): "Guide 55",
    (Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.CONCEALED_HAND): "Guide 56",
}
"""Exclusions that the Guide itself states."""


def with_clauses(
    exclusions: Iterable[Exclusion], clauses: Mapping[tuple[Fan, Fan], str]
) -> tuple[Exclusion, ...]:
    """Return the exclusions with the clauses of another text where it states the same."""
    return tuple(bar._replace(clause=clauses.get((bar.fan, bar.bars), bar.clause)) for bar in exclusions)


_GUIDE_NUMBERS: Final = {22: 23, 23: 24, 24: 25, 33: 42} | {
    number: number - 1 for number in (34, *range(35, 43))
}
"""The Guide's text numbers some fans differently from its table, which has MCR's numbers (003:552-689)."""


def definition_clause(fan: Fan, rulebook: str) -> str:
    """Return the clause in which the text of a rulebook, given by its key, defines a fan.

    MCR's own for Hule's readings and house rulebooks. Examples: ``"Botzone, All Chows"``, ``"Guide 35"``.
    """
    if not fan.clause.startswith("MCR"):
        return fan.clause
    if rulebook == "botzone":
        return f"Botzone, {fan.en}"
    if rulebook == "guide":
        return f"Guide {_GUIDE_NUMBERS.get(fan.number, fan.number)}"
    return fan.clause


def _without(exclusions: tuple[Exclusion, ...], fan: Fan, bars: Fan) -> tuple[Exclusion, ...]:
    return tuple(e for e in exclusions if (e.fan, e.bars) != (fan, bars))


MCR: Final = Rulebook(
    key="mcr",
    name="MCR",
    points={fan: fan.points for fan in FANS},
    exclusions=EXCLUSIONS,
    clauses=CLAUSES_OF_MCR,
)

_POINTS_OF_81: Final[dict[Fan, int]] = {
    fan: fan.points for fan in FANS if fan is not Fan.MELDED_KONG_AND_CONCEALED_KONG
}
_EXCLUSIONS_OF_81: Final = tuple(e for e in EXCLUSIONS if {e.fan, e.bars} <= _POINTS_OF_81.keys())

MWT: Final = Rulebook(
    key="mwt",
    name="MCR to the letter",
    points=_POINTS_OF_81,
    exclusions=(
        *_without(_EXCLUSIONS_OF_81, Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS),
        Exclusion(Fan.NINE_GATES, Fan.PUNG_OF_TERMINALS_OR_HONORS, "MCR 78"),
        Exclusion(Fan.SEVEN_PAIRS, Fan.ALL_TYPES, "MCR 55"),
    ),
    held_out_waits=False,
    honour_hogs=False,
    clauses=CLAUSES_OF_MWT,
)

BOTZONE: Final = replace(
    MCR,
    key="botzone",
    name="Botzone",
    exclusions=with_clauses(EXCLUSIONS, BARS_OF_BOTZONE),
    held_out_waits=False,
    clauses=CLAUSES_OF_BOTZONE,
)

GUIDE: Final = replace(
    MWT,
    key="guide",
    name="Guide to Mahjong",
    exclusions=with_clauses(
        _without(
            _without(MWT.exclusions, Fan.REVERSIBLE_TILES, Fan.ONE_VOIDED_SUIT),
            Fan.LESSER_HONORS_AND_KNITTED_TILES,
            Fan.FULLY_CONCEALED_HAND,
        ),
        BARS_OF_GUIDE,
    ),
    reversible=tuple(tile for tile in REVERSIBLE if tile != "3p"),
    clauses=CLAUSES_OF_GUIDE,
)

RULEBOOKS: Final = (MCR, MWT, BOTZONE, GUIDE)
"""Every rulebook, the default first."""


def find_rulebook(key: str) -> Rulebook:
    """Return the rulebook with this key. Raises KeyError when there is none."""
    for rulebook in RULEBOOKS:
        if rulebook.key == key:
            return rulebook
    raise KeyError(key)
