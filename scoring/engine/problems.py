"""What a person can mend: every fault of a hand record at once, each a code, a place and the figures it needs.

The engine speaks in codes; `scoring.texts` turns them into sentences in the reader's language. `find_problems` judges a
whole record, `check_partial` one that is still being entered.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from scoring.engine.tiles import KIND, NUMBERS, TILES, WINDS


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


TILES_IN_HAND: Final = 14
MAX_MELDS: Final = 4
MAX_FLOWERS: Final = 8
MELD_SIZES: Final = {"chow": 3, "pung": 3, "kong": 4}
REQUIRED: Final = ("concealed", "melds", "winning_tile", "self_drawn", "seat_wind", "prevalent_wind")
OF_THE_LAST_TILE: Final = ("last_of_kind", "replacement", "robbing_kong")
"""Circumstances of the tile that wins; while it has not come, nothing can be said of it."""
FLAGS: Final = ("self_drawn", "last_tile_of_wall", "last_of_kind", "replacement", "robbing_kong")


def find_problems(record: object) -> tuple[Problem, ...]:
    """Everything that keeps a record from being a hand, in the order of its fields; empty when it is one."""
    if not isinstance(record, Mapping):
        return (Problem("not_a_hand"),)
    missing = [Problem("missing", name) for name in REQUIRED if name not in record]
    faults = [*missing, *_faults_of_fields(record)]
    return tuple(faults or [*_wrong_count(record), *_five_of_a_kind(record), *_contradictions(record)])


def check_partial(record: object) -> tuple[Problem, ...]:
    """What is already wrong with a hand still being entered: any field may be missing, tiles may be too
    few.

    A missing or null field is not yet answered. Reports tiles and melds that cannot be, five of a kind, too
    many tiles, and circumstances that contradict each other whatever is still to come.
    """
    if not isinstance(record, Mapping):
        return (Problem("not_a_hand"),)
    given = {name: value for name, value in record.items() if value is not None}
    if faults := list(_faults_of_fields(given)):
        return tuple(faults)
    total = _tile_count(given)
    too_many = [Problem("too_many_tiles", params={"count": total})] if total > TILES_IN_HAND else []
    return (*too_many, *_five_of_a_kind(given), *_contradictions(given, complete=total >= TILES_IN_HAND))


def is_unfinished(record: Mapping[str, object]) -> bool:
    """Whether tiles are still to come: too few of them, and none called the winning one."""
    return record.get("winning_tile") is None and 0 < tiles_missing(record) <= TILES_IN_HAND


def tiles_missing(record: Mapping[str, object]) -> int:
    """How many tiles a record lacks; 0 when that cannot be said."""
    concealed, melds = record.get("concealed"), record.get("melds", [])
    if not isinstance(concealed, list) or not isinstance(melds, list):
        return 0
    return TILES_IN_HAND - len(concealed) - 3 * len(melds)


def find_meld_problems(record: object) -> tuple[Problem, ...]:
    """Everything that keeps a record from being a meld."""
    return tuple(replace(fault, where=fault.where.lstrip(".")) for fault in _faults_of_meld(record, ""))


def _faults_of_fields(record: Mapping[str, object]) -> Iterator[Problem]:
    """Faults that one field shows by itself."""
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
            yield Problem("not_yes_or_no", name)
    yield from _faults_of_flowers(record.get("flowers", 0))


def _faults_of_tile(tile: object, where: str) -> Iterator[Problem]:
    if not isinstance(tile, str):
        yield Problem("not_a_tile", where)
    elif tile not in KIND:
        yield Problem("unknown_tile", where, {"tile": tile})


def _faults_of_tiles(tiles: object, where: str) -> Iterator[Problem]:
    if not isinstance(tiles, list | tuple):
        yield Problem("not_a_list", where)
        return
    for index, tile in enumerate(tiles):
        yield from _faults_of_tile(tile, f"{where}.{index}")


def _faults_of_wind(wind: object, where: str) -> Iterator[Problem]:
    if not isinstance(wind, str):
        yield Problem("not_a_wind", where)
    elif wind not in WINDS:
        yield Problem("unknown_wind", where, {"wind": wind})


def _faults_of_flowers(flowers: object) -> Iterator[Problem]:
    if not isinstance(flowers, int) or isinstance(flowers, bool):
        yield Problem("not_a_number", "flowers")
    elif not 0 <= flowers <= MAX_FLOWERS:
        yield Problem("flowers_out_of_range", "flowers", {"flowers": flowers, "most": MAX_FLOWERS})


def _faults_of_melds(melds: object) -> Iterator[Problem]:
    if not isinstance(melds, list | tuple):
        yield Problem("not_a_list", "melds")
        return
    if len(melds) > MAX_MELDS:
        yield Problem("too_many_melds", "melds", {"count": len(melds), "most": MAX_MELDS})
    for index, meld in enumerate(melds):
        yield from _faults_of_meld(meld, f"melds.{index}")


def _faults_of_meld(meld: object, where: str) -> Iterator[Problem]:
    if not isinstance(meld, Mapping):
        yield Problem("not_a_meld", where)
        return
    type_, tiles, concealed = meld.get("type"), meld.get("tiles"), meld.get("concealed", False)
    faults: list[Problem] = []
    if not isinstance(type_, str) or type_ not in MELD_SIZES:
        faults.append(Problem("unknown_meld", f"{where}.type", {"type": str(type_)}))
    if not isinstance(concealed, bool):
        faults.append(Problem("not_yes_or_no", f"{where}.concealed"))
    faults.extend(_faults_of_tiles(tiles, f"{where}.tiles"))
    if faults or not isinstance(type_, str) or not isinstance(tiles, list | tuple):
        yield from faults
        return
    yield from _faults_of_set(type_, [str(tile) for tile in tiles], f"{where}.tiles")
    if concealed and type_ != "kong":
        yield Problem("concealed_meld", f"{where}.concealed", {"type": type_})


def _faults_of_set(type_: str, tiles: list[str], where: str) -> Iterator[Problem]:
    """Whether these known tiles make a set of this type."""
    if len(tiles) != MELD_SIZES[type_]:
        params: dict[str, str | int] = {"type": type_, "count": len(tiles), "expected": MELD_SIZES[type_]}
        yield Problem("meld_size", where, params)
    elif type_ == "chow":
        yield from _faults_of_chow(sorted(KIND[tile] for tile in tiles), where)
    elif len(set(tiles)) > 1:
        yield Problem("meld_not_alike", where, {"type": type_})


def _faults_of_chow(kinds: list[int], where: str) -> Iterator[Problem]:
    first = kinds[0]
    if kinds[-1] >= NUMBERS:
        yield Problem("chow_of_honours", where)
    elif first // 9 != kinds[-1] // 9:
        yield Problem("chow_across_suits", where)
    elif kinds != [first, first + 1, first + 2]:
        yield Problem("chow_not_in_sequence", where)


def _tiles(record: Mapping[str, object]) -> tuple[list[str], list[str]]:
    """The concealed and the melded tiles of a record whose fields are sound."""
    concealed, melds = record.get("concealed", ()), record.get("melds", ())
    assert isinstance(concealed, list | tuple)
    assert isinstance(melds, list | tuple)
    return list(concealed), [tile for meld in melds for tile in meld["tiles"]]


def _tile_count(record: Mapping[str, object]) -> int:
    """Tiles in the hand, a meld counting as three."""
    melds = record.get("melds", ())
    assert isinstance(melds, list | tuple)
    return len(_tiles(record)[0]) + 3 * len(melds)


def _wrong_count(record: Mapping[str, object]) -> Iterator[Problem]:
    if (total := _tile_count(record)) != TILES_IN_HAND:
        yield Problem("tile_count", "concealed", {"count": total, "expected": TILES_IN_HAND})


def _five_of_a_kind(record: Mapping[str, object]) -> Iterator[Problem]:
    concealed, melded = _tiles(record)
    held = Counter(concealed + melded)
    for tile in TILES:
        if held[tile] > 4:
            yield Problem("five_of_a_kind", params={"tile": tile, "count": held[tile]})


def _contradictions(record: Mapping[str, object], complete: bool = True) -> Iterator[Problem]:
    """Circumstances that cannot go together, or not with these tiles."""
    concealed, melded = _tiles(record)
    winning_tile, self_drawn = record.get("winning_tile"), record.get("self_drawn")
    robbing, replacement = record.get("robbing_kong", False), record.get("replacement", False)
    if complete and winning_tile is not None and winning_tile not in concealed:
        yield Problem("winning_tile_not_held", "winning_tile", {"tile": str(winning_tile)})
    if robbing and self_drawn:
        yield Problem("robbing_self_drawn", "robbing_kong")
    if robbing and record.get("last_tile_of_wall"):
        yield Problem("robbing_with_last_tile", "robbing_kong")
    if robbing and replacement:
        yield Problem("robbing_with_replacement", "robbing_kong")
    if robbing and winning_tile is not None and [*concealed, *melded].count(str(winning_tile)) > 1:
        yield Problem("robbed_tile_held", "robbing_kong", {"tile": str(winning_tile)})
    if replacement and self_drawn is False:
        yield Problem("replacement_not_drawn", "replacement")
    if replacement and complete and not _has_kong(record):
        yield Problem("replacement_without_kong", "replacement")
    if record.get("last_of_kind") and winning_tile is not None and concealed.count(str(winning_tile)) > 1:
        yield Problem("last_of_kind_held", "last_of_kind", {"tile": str(winning_tile)})


def _has_kong(record: Mapping[str, object]) -> bool:
    melds = record.get("melds", ())
    assert isinstance(melds, list | tuple)
    return any(meld["type"] == "kong" for meld in melds)
