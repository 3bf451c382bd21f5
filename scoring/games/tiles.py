"""Tiles as other programs write them."""

from collections.abc import Mapping
from typing import Final

from scoring.engine import TILES
from scoring.games.deal import UnreadableGame

FLOWER: Final = "flower"
"""Any of the eight: a hand counts flowers and does not tell them apart."""

_CHARACTERS, _DOTS, _BAMBOOS = (tuple(f"{n}{suit}" for n in range(1, 10)) for suit in "mps")
_HONOURS: Final = tuple("ESWNCFP")

BOTZONE: Final[Mapping[object, str]] = {
    **{f"W{n}": tile for n, tile in enumerate(_CHARACTERS, 1)},
    **{f"B{n}": tile for n, tile in enumerate(_DOTS, 1)},
    **{f"T{n}": tile for n, tile in enumerate(_BAMBOOS, 1)},
    **{f"F{n}": tile for n, tile in enumerate("ESWN", 1)},
    **{f"J{n}": tile for n, tile in enumerate("CFP", 1)},
    **{f"H{n}": FLOWER for n in range(1, 9)},
}
"""PKU and Botzone: W characters, B dots, T bamboos, F winds from East, J red, green and white dragon, H flowers."""

TZIAKCHA: Final[Mapping[object, str]] = {
    number: (*_CHARACTERS, *_BAMBOOS, *_DOTS, *_HONOURS, *[FLOWER] * 2)[number // 4] for number in range(144)
}
"""Each of the 144 tiles by its number."""

SALASASA: Final[Mapping[object, str]] = {
    **dict(enumerate(_CHARACTERS, 11)),
    **dict(enumerate(_DOTS, 21)),
    **dict(enumerate(_BAMBOOS, 31)),
    **dict(enumerate("ESWNCPF", 41)),
    **dict.fromkeys(range(51, 59), FLOWER),
}
"""45 is the red dragon, 46 the white, 47 the green."""

assert set(TILES) <= set(BOTZONE.values()) & set(TZIAKCHA.values()) & set(SALASASA.values())


def tile(written: object, alphabet: Mapping[object, str], where: str) -> str:
    if isinstance(written, (list, dict)) or written not in alphabet:
        raise UnreadableGame("game_tile", where, said=str(written)[:20])
    return alphabet[written]


def tiles(written: object, alphabet: Mapping[object, str], where: str) -> tuple[str, ...]:
    if not isinstance(written, (list, tuple)):
        raise UnreadableGame("game_tile", where, said=str(written)[:20])
    return tuple(tile(one, alphabet, where) for one in written)


def chow_of_middle(middle: str) -> tuple[str, ...]:
    """The three tiles of a chow by its middle one; () when there is none."""
    if len(middle) != 2 or middle[0] in "19":
        return ()
    return tuple(f"{int(middle[0]) + step}{middle[1]}" for step in (-1, 0, 1))
