"""Tiles by name.

Codes are those of the rules: 1m…9m Characters, 1p…9p Dots, 1s…9s Bamboos, E S W N, dragons C F P; f1…f8 are the
flowers and `back` is a tile lying face down.
"""

from django.utils.translation import gettext_lazy

BACK = "back"
SUITS = {
    "m": gettext_lazy("%(number)s of Characters"),
    "p": gettext_lazy("%(number)s of Dots"),
    "s": gettext_lazy("%(number)s of Bamboos"),
}
NAMES = {
    "E": gettext_lazy("East wind"),
    "S": gettext_lazy("South wind"),
    "W": gettext_lazy("West wind"),
    "N": gettext_lazy("North wind"),
    "C": gettext_lazy("Red dragon"),
    "F": gettext_lazy("Green dragon"),
    "P": gettext_lazy("White dragon"),
    "f1": gettext_lazy("Plum flower"),
    "f2": gettext_lazy("Orchid flower"),
    "f3": gettext_lazy("Chrysanthemum flower"),
    "f4": gettext_lazy("Bamboo flower"),
    "f5": gettext_lazy("Spring flower"),
    "f6": gettext_lazy("Summer flower"),
    "f7": gettext_lazy("Autumn flower"),
    "f8": gettext_lazy("Winter flower"),
    BACK: gettext_lazy("concealed tile"),
}
CODES = (*(f"{number}{suit}" for suit in SUITS for number in range(1, 10)), *NAMES)
"""Every drawing there is."""


def tile_name(code: str) -> str:
    """What a person calls the tile; raises ValueError for a code no tile has."""
    if code not in CODES:
        raise ValueError(f"no tile has the code {code!r}")
    if code in NAMES:
        return str(NAMES[code])
    return SUITS[code[1]] % {"number": code[0]}
