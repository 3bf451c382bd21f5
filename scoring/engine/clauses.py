"""Which clause decides a disputed rule in each rulebook, and where the other texts say what MCR bars.

Where Botzone's rules or the Guide are silent, Mahjong Competition Rules fill the gap: both call themselves
those rules.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from scoring.engine.exclusions import EXCLUSIONS, Exclusion
from scoring.engine.fans import Fan

ALIKE: Final = {
    "two_concealed_kongs": "MCR 33: 6 points",
    "wait_beside_knitted_straight": "MCR principle 4: the set and the pair decide",
    "self_drawn_implied": "MCR 40: not beside Last Tile Draw, nor (principle 1) Out with Replacement Tile",
    "last_tile_robbed": "MCR 27: Last Tile is not added to Robbing the Kong",
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
"""Disputed rules that all four rulebooks read alike, but for what the other three say below."""

MCR: Final = ALIKE | {
    "melded_and_concealed_kong": "Botzone note 4: a fan of its own, 5 points",
    "reversible_and_voided_suit": "MCR 36: One Voided Suit is implied",
    "three_dots_reversible": "MCR 36 and Botzone, Reversible Tiles: Dots 1, 2, 3, 4, 5, 8, 9",
    "all_types_beside_seven_pairs": "Botzone note 2: adds",
    "nine_gates_and_terminal_pung": "MCR 78, read as taking one of the two pungs",
    "held_out_waits": "Public scorers: a tile that one holds out oneself is still a wait",
    "honour_tile_hog": "Public scorers and Botzone, Tile Hog: any four equal tiles",
}

MWT: Final = ALIKE | {
    "melded_and_concealed_kong": "MCR 6, 22: Melded Kong and Concealed Kong",
    "reversible_and_voided_suit": "MCR 36: One Voided Suit is implied",
    "three_dots_reversible": "MCR 36: symmetrical, and so the 3 of Dots too",
    "all_types_beside_seven_pairs": "MCR 55: does not combine",
    "nine_gates_and_terminal_pung": "MCR 78: does not combine",
    "held_out_waits": "MCR 9: what adds to the variety of tiles that complete the hand",
    "honour_tile_hog": "MCR 19: a single suit tile",
}

BOTZONE: Final = MCR | {
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

GUIDE: Final = MWT | {
    "two_concealed_kongs": "Guide, table: 6 points (8 in its list)",
    "melded_and_concealed_kong": "Guide 6, 23: Melded Kong and Concealed Kong",
    "reversible_and_voided_suit": "Guide 35: scores a point for that also",
    "three_dots_reversible": "Guide 35: Dots 1, 2, 4, 5, 8, 9",
    "self_drawn_concealed_hands": "Guide 44: Lesser Honors and Knitted Tiles combines with Fully Concealed Hand",
    "last_tile_robbed": "Guide 27: Robbing the Kong is not added",
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
"""What Botzone's rules say themselves does not combine."""

_GUIDE_SAYS_TOO: Final = {
    f"MCR {number}": f"Guide {number}"
    for number in (27, 43, 44, 46, 47, *range(55, 64), 66, 67, *range(69, 74), *range(75, 79), 80, 81)
} | {"MCR 40": "Guide 39"}
_GUIDE_SILENT: Final = {
    (Fan.SEVEN_PAIRS, Fan.FULLY_CONCEALED_HAND),
    (Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.FULLY_CONCEALED_HAND),
}
"""There it names Concealed Hand instead."""

BARS_OF_GUIDE: Final = {
    (bar.fan, bar.bars): _GUIDE_SAYS_TOO[bar.clause]
    for bar in EXCLUSIONS
    if bar.clause in _GUIDE_SAYS_TOO and (bar.fan, bar.bars) not in _GUIDE_SILENT
} | {
    (Fan.SEVEN_PAIRS, Fan.ALL_TYPES): "Guide 31",
    (Fan.SEVEN_PAIRS, Fan.CONCEALED_HAND): "Guide 55",
    (Fan.GREATER_HONORS_AND_KNITTED_TILES, Fan.CONCEALED_HAND): "Guide 56",
}
"""What the Guide says itself does not combine."""


def cited(exclusions: Iterable[Exclusion], clauses: Mapping[tuple[Fan, Fan], str]) -> tuple[Exclusion, ...]:
    """The exclusions, by the clauses of another text where it says the same."""
    return tuple(bar._replace(clause=clauses.get((bar.fan, bar.bars), bar.clause)) for bar in exclusions)


_GUIDE_NUMBERS: Final = {22: 23, 23: 24, 24: 25, 33: 42} | {
    number: number - 1 for number in (34, *range(35, 43))
}
"""In its text the Guide numbers some fans otherwise than in its table, which has MCR's numbers (003:552-689)."""


def defined_in(fan: Fan, rulebook: str) -> str:
    """The clause in which the text behind a rulebook, given by its key, says what a fan is.

    MCR's own where the rulebook is Hule's reading or a house's: ``"Botzone, All Chows"``, ``"Guide 35"``.
    """
    if not fan.clause.startswith("MCR"):
        return fan.clause
    if rulebook == "botzone":
        return f"Botzone, {fan.en}"
    if rulebook == "guide":
        return f"Guide {_GUIDE_NUMBERS.get(fan.number, fan.number)}"
    return fan.clause
