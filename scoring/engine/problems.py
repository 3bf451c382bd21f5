"""Every fault of a hand record at once, each with a code, a place and its parameters.

A code is declared with its sentence beside the rule that raises it (`problem_code`); `scoring.texts` translates it.
`find_problems` checks a whole record, `check_partial` one that is still being entered.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.engine.tiles import KIND, NUMBERS, TILES, WINDS


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """A code and its sentence in English. Call it to make a problem: `FIVE_OF_A_KIND(tile="E", count=5)`."""

    code: str
    sentence: str
    params: frozenset[str]
    """The placeholders of the sentence: required parameters of every problem of this code."""
    also: frozenset[str]
    """Optional parameters for programs."""
    plural: str = ""
    """The sentence for other numbers than one; empty where it is the same for all."""
    by: str = ""
    """The parameter whose number chooses between `sentence` and `plural`."""

    def __call__(self, where: str = "", /, **params: str | int) -> "Problem":
        return Problem(self.code, where, params)


PROBLEM_CODES: Final[dict[str, ProblemCode]] = {}


def problem_code(
    code: str, sentence: str, plural: str = "", *, by: str = "", also: Iterable[str] = ()
) -> ProblemCode:
    """Declare a code, once. `bin/messages` extracts the sentences from this call.

    Raises ValueError for a code that is declared already, and for a plural without the parameter that chooses it.
    """
    if code in PROBLEM_CODES:
        raise ValueError(f"the problem {code!r} is declared twice")
    params = set(re.findall(r"\{(\w+)\}", sentence + plural)) - {"where"}
    if bool(plural) != (by in params):
        raise ValueError(f"the plural of {code!r} is chosen by {by!r}, which is not in its sentence")
    declared = ProblemCode(code, sentence, frozenset(params), frozenset(also), plural, by)
    PROBLEM_CODES[code] = declared
    return declared


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with what was entered. Raises KeyError or TypeError for an undeclared code or parameter.

    ``where`` is the path of the field at fault (``"concealed.3"``, ``"melds.0.tiles"``), empty for the whole.
    """

    code: str
    where: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        declared = PROBLEM_CODES[self.code]
        if not declared.params <= self.params.keys() <= declared.params | declared.also:
            raise TypeError(f"{self.code} takes {sorted(declared.params)}, not {sorted(self.params)}")

    def __hash__(self) -> int:
        return hash((self.code, self.where, tuple(sorted(self.params.items()))))

    def at(self, where: str) -> "Problem":
        """Return the same problem at another place."""
        return replace(self, where=where)


NOT_A_HAND = problem_code("not_a_hand", "This is not a hand.")
MISSING = problem_code("missing", "“{where}” is missing.", also=("line",))
NOT_YES_OR_NO = problem_code("not_yes_or_no", "“{where}” must be true or false.")
NOT_A_LIST = problem_code("not_a_list", "“{where}” must be a list.")
NOT_A_TILE = problem_code("not_a_tile", "This is not a tile.")
UNKNOWN_TILE = problem_code("unknown_tile", "There is no tile “{tile}”.")
NOT_A_WIND = problem_code("not_a_wind", "This is not a wind.")
UNKNOWN_WIND = problem_code("unknown_wind", "There is no wind “{wind}”: E, S, W or N.")
NOT_A_NUMBER = problem_code("not_a_number", "“{where}” must be a number.")
FLOWERS_OUT_OF_RANGE = problem_code(
    "flowers_out_of_range", "A set has only {maximum} flowers, so {flowers} is impossible."
)
TOO_MANY_MELDS = problem_code(
    "too_many_melds", "A hand has at most four melds; this one has {count}.", also=("maximum",)
)
NOT_A_MELD = problem_code("not_a_meld", "This is not a meld.")
UNKNOWN_MELD = problem_code("unknown_meld", "There is no meld “{type}”: chow, pung or kong.")
CONCEALED_MELD = problem_code("concealed_meld", "Only a kong can be concealed.", also=("type",))
MELD_SIZE = problem_code("meld_size", "A {type} has {expected} tiles, not {count}.")
MELD_NOT_ALIKE = problem_code("meld_not_alike", "The tiles of a {type} are all the same.")
CHOW_OF_HONOURS = problem_code("chow_of_honours", "Winds and dragons cannot form a chow.")
CHOW_ACROSS_SUITS = problem_code("chow_across_suits", "A chow stays within one suit.")
CHOW_NOT_IN_SEQUENCE = problem_code("chow_not_in_sequence", "A chow is three numbers in sequence.")
TILE_COUNT = problem_code(
    "tile_count", "A winning hand has {expected} tiles, a kong counted as three; this hand has {count}."
)
TOO_MANY_TILES = problem_code("too_many_tiles", "There are too many tiles: {count}.")
FIVE_OF_A_KIND = problem_code(
    "five_of_a_kind", "There are only four of each tile; this hand has {count} of {tile}."
)
WINNING_TILE_NOT_HELD = problem_code(
    "winning_tile_not_held", "The winning tile {tile} is not among the concealed tiles."
)
ROBBING_SELF_DRAWN = problem_code(
    "robbing_self_drawn", "A robbed kong is won from another player, not self-drawn."
)
ROBBING_WITH_LAST_TILE = problem_code(
    "robbing_with_last_tile", "After a kong of the last tile nothing can be robbed."
)
ROBBING_WITH_REPLACEMENT = problem_code(
    "robbing_with_replacement", "A robbed tile is not a replacement tile."
)
ROBBED_TILE_HELD = problem_code(
    "robbed_tile_held", "The robbed {tile} cannot be in the hand a second time: the other three were a pung."
)
REPLACEMENT_NOT_DRAWN = problem_code("replacement_not_drawn", "A replacement tile is drawn, not discarded.")
REPLACEMENT_WITHOUT_KONG = problem_code(
    "replacement_without_kong", "A replacement tile follows a kong, and there is none in this hand."
)
LAST_OF_KIND_HELD = problem_code(
    "last_of_kind_held", "{tile} is not the last of its kind: another one is concealed in this hand."
)


class InvalidHand(ValueError):
    """Raised for impossible tiles or circumstances; ``problems`` lists every fault."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(f"{p.where}: {p.code}" if p.where else p.code for p in problems))
        self.problems = problems


TILES_IN_HAND: Final = 14
MAX_MELDS: Final = 4
MAX_FLOWERS: Final = 8
MELD_SIZES: Final = {"chow": 3, "pung": 3, "kong": 4}
REQUIRED: Final = ("concealed", "melds", "winning_tile", "self_drawn", "seat_wind", "prevalent_wind")
WINNING_TILE_FLAGS: Final = ("last_of_kind", "replacement", "robbing_kong")
"""Circumstances of the winning tile, unknown until it is there."""
FLAGS: Final = ("self_drawn", "last_tile_of_wall", "last_of_kind", "replacement", "robbing_kong")


def find_problems(record: object) -> tuple[Problem, ...]:
    """Return everything that makes a record invalid as a hand, in the order of its fields."""
    if not isinstance(record, Mapping):
        return (NOT_A_HAND(),)
    missing = [MISSING(name) for name in REQUIRED if name not in record]
    faults = [*missing, *_faults_of_fields(record)]
    return tuple(faults or [*_wrong_count(record), *_five_of_a_kind(record), *_contradictions(record)])


def check_partial(record: object) -> tuple[Problem, ...]:
    """Return what is already wrong with a hand that is still being entered.

    Any field may be missing or null, and tiles may be too few. Reports impossible tiles and melds, five of a kind,
    too many tiles, and circumstances that contradict each other whatever else is entered.
    """
    if not isinstance(record, Mapping):
        return (NOT_A_HAND(),)
    present = {name: value for name, value in record.items() if value is not None}
    if faults := list(_faults_of_fields(present)):
        return tuple(faults)
    total = _tile_count(present)
    too_many = [TOO_MANY_TILES(count=total)] if total > TILES_IN_HAND else []
    return (*too_many, *_five_of_a_kind(present), *_contradictions(present, complete=total >= TILES_IN_HAND))


def is_unfinished(record: Mapping[str, object]) -> bool:
    """Return whether tiles are still missing and no winning tile is named."""
    return record.get("winning_tile") is None and 0 < tiles_missing(record) <= TILES_IN_HAND


def tiles_missing(record: Mapping[str, object]) -> int:
    """Return how many tiles a record lacks; 0 when that cannot be determined."""
    concealed, melds = record.get("concealed"), record.get("melds", [])
    if not isinstance(concealed, list) or not isinstance(melds, list):
        return 0
    return TILES_IN_HAND - len(concealed) - 3 * len(melds)


def find_meld_problems(record: object) -> tuple[Problem, ...]:
    """Return everything that makes a record invalid as a meld."""
    return tuple(replace(fault, where=fault.where.lstrip(".")) for fault in _faults_of_meld(record, ""))


def _faults_of_fields(record: Mapping[str, object]) -> Iterator[Problem]:
    """Yield faults within single fields."""
    if "concealed" in record:
        yield from _faults_of_tiles(record["concealed"], "concealed")
    if "melds" in record:
        yield from _faults_of_melds(record["melds"])
    if "winning_tile" in record:
        yield from _faults_of_tile(record["winning_tile"], "winning_tile")
    for name in ("seat_wind", "prevalent_wind"):
        if name in record:
            yield from _faults_of_wind(record[name], name)
    for name in FLAGS:
        if name in record and not isinstance(record[name], bool):
            yield NOT_YES_OR_NO(name)
    yield from _faults_of_flowers(record.get("flowers", 0))


def _faults_of_tile(tile: object, where: str) -> Iterator[Problem]:
    if not isinstance(tile, str):
        yield NOT_A_TILE(where)
    elif tile not in KIND:
        yield UNKNOWN_TILE(where, tile=tile)


def _faults_of_tiles(tiles: object, where: str) -> Iterator[Problem]:
    if not isinstance(tiles, list | tuple):
        yield NOT_A_LIST(where)
        return
    for index, tile in enumerate(tiles):
        yield from _faults_of_tile(tile, f"{where}.{index}")


def _faults_of_wind(wind: object, where: str) -> Iterator[Problem]:
    if not isinstance(wind, str):
        yield NOT_A_WIND(where)
    elif wind not in WINDS:
        yield UNKNOWN_WIND(where, wind=wind)


def _faults_of_flowers(flowers: object) -> Iterator[Problem]:
    if not isinstance(flowers, int) or isinstance(flowers, bool):
        yield NOT_A_NUMBER("flowers")
    elif not 0 <= flowers <= MAX_FLOWERS:
        yield FLOWERS_OUT_OF_RANGE("flowers", flowers=flowers, maximum=MAX_FLOWERS)


def _faults_of_melds(melds: object) -> Iterator[Problem]:
    if not isinstance(melds, list | tuple):
        yield NOT_A_LIST("melds")
        return
    if len(melds) > MAX_MELDS:
        yield TOO_MANY_MELDS("melds", count=len(melds), maximum=MAX_MELDS)
    for index, meld in enumerate(melds):
        yield from _faults_of_meld(meld, f"melds.{index}")


def _faults_of_meld(meld: object, where: str) -> Iterator[Problem]:
    if not isinstance(meld, Mapping):
        yield NOT_A_MELD(where)
        return
    type_, tiles, concealed = meld.get("type"), meld.get("tiles"), meld.get("concealed", False)
    faults: list[Problem] = []
    if not isinstance(type_, str) or type_ not in MELD_SIZES:
        faults.append(UNKNOWN_MELD(f"{where}.type", type=str(type_)))
    if not isinstance(concealed, bool):
        faults.append(NOT_YES_OR_NO(f"{where}.concealed"))
    faults.extend(_faults_of_tiles(tiles, f"{where}.tiles"))
    if faults or not isinstance(type_, str) or not isinstance(tiles, list | tuple):
        yield from faults
        return
    yield from _faults_of_set(type_, [str(tile) for tile in tiles], f"{where}.tiles")
    if concealed and type_ != "kong":
        yield CONCEALED_MELD(f"{where}.concealed", type=type_)


def _faults_of_set(type_: str, tiles: list[str], where: str) -> Iterator[Problem]:
    """Yield the fault of known tiles that do not make a set of this type."""
    if len(tiles) != MELD_SIZES[type_]:
        yield MELD_SIZE(where, type=type_, count=len(tiles), expected=MELD_SIZES[type_])
    elif type_ == "chow":
        yield from _faults_of_chow(sorted(KIND[tile] for tile in tiles), where)
    elif len(set(tiles)) > 1:
        yield MELD_NOT_ALIKE(where, type=type_)


def _faults_of_chow(kinds: list[int], where: str) -> Iterator[Problem]:
    first = kinds[0]
    if kinds[-1] >= NUMBERS:
        yield CHOW_OF_HONOURS(where)
    elif first // 9 != kinds[-1] // 9:
        yield CHOW_ACROSS_SUITS(where)
    elif kinds != [first, first + 1, first + 2]:
        yield CHOW_NOT_IN_SEQUENCE(where)


def _tiles(record: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """Return the concealed and the melded tiles of a record whose fields are valid."""
    concealed, melds = record.get("concealed", ()), record.get("melds", ())
    assert isinstance(concealed, list | tuple)
    assert isinstance(melds, list | tuple)
    return list(concealed), [tile for meld in melds for tile in meld["tiles"]]


def _tile_count(record: Mapping[str, object]) -> int:
    """Return the number of tiles in the hand, a meld counting as three."""
    melds = record.get("melds", ())
    assert isinstance(melds, list | tuple)
    return len(_tiles(record)[0]) + 3 * len(melds)


def _wrong_count(record: Mapping[str, object]) -> Iterator[Problem]:
    if (total := _tile_count(record)) != TILES_IN_HAND:
        yield TILE_COUNT("concealed", count=total, expected=TILES_IN_HAND)


def _five_of_a_kind(record: Mapping[str, object]) -> Iterator[Problem]:
    concealed, melded = _tiles(record)
    counts = Counter(concealed + melded)
    for tile in TILES:
        if counts[tile] > 4:
            yield FIVE_OF_A_KIND(tile=tile, count=counts[tile])


def _contradictions(record: Mapping[str, object], complete: bool = True) -> Iterator[Problem]:
    """Yield circumstances that contradict each other or the tiles."""
    concealed, melded = _tiles(record)
    winning_tile, self_drawn = record.get("winning_tile"), record.get("self_drawn")
    robbing, replacement = record.get("robbing_kong", False), record.get("replacement", False)
    if complete and winning_tile is not None and winning_tile not in concealed:
        yield WINNING_TILE_NOT_HELD("winning_tile", tile=str(winning_tile))
    if robbing and self_drawn:
        yield ROBBING_SELF_DRAWN("robbing_kong")
    if robbing and record.get("last_tile_of_wall"):
        yield ROBBING_WITH_LAST_TILE("robbing_kong")
    if robbing and replacement:
        yield ROBBING_WITH_REPLACEMENT("robbing_kong")
    if robbing and winning_tile is not None and [*concealed, *melded].count(str(winning_tile)) > 1:
        yield ROBBED_TILE_HELD("robbing_kong", tile=str(winning_tile))
    if replacement and self_drawn is False:
        yield REPLACEMENT_NOT_DRAWN("replacement")
    if replacement and complete and not _has_kong(record):
        yield REPLACEMENT_WITHOUT_KONG("replacement")
    if record.get("last_of_kind") and winning_tile is not None and concealed.count(str(winning_tile)) > 1:
        yield LAST_OF_KIND_HELD("last_of_kind", tile=str(winning_tile))


def _has_kong(record: Mapping[str, object]) -> bool:
    melds = record.get("melds", ())
    assert isinstance(melds, list | tuple)
    return any(meld["type"] == "kong" for meld in melds)
