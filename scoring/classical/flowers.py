"""The Special Honours: four Seasons and four Flowers, in their order (001:22).

The source doesn't say which are a player's own; by custom the first of each goes with East, the second with South.
"""

from enum import Enum
from typing import Final

from scoring.engine.names import Names
from scoring.engine.tiles import WINDS


class Flower(Enum):
    """A Season or a Flower: ``Flower.SPRING.wind == "E"``."""

    key: str
    season: bool
    wind: str
    """The seat wind of the player whose own it is."""
    names: Names

    def __new__(cls, season: bool, number: int, en: str, zh_hans: str, zh_hant: str) -> "Flower":
        flower = object.__new__(cls)
        flower._value_ = len(cls.__members__) + 1
        flower.season, flower.wind = season, WINDS[number - 1]
        flower.names = Names(en, zh_hans, zh_hant)
        return flower

    def __init__(self, *row: object) -> None:
        self.key = self._name_.lower()

    SPRING = True, 1, "Spring", "春", "春"
    SUMMER = True, 2, "Summer", "夏", "夏"
    AUTUMN = True, 3, "Autumn", "秋", "秋"
    WINTER = True, 4, "Winter", "冬", "冬"
    PLUM = False, 1, "Plum", "梅", "梅"
    ORCHID = False, 2, "Orchid", "兰", "蘭"
    CHRYSANTHEMUM = False, 3, "Chrysanthemum", "菊", "菊"
    BAMBOO = False, 4, "Bamboo", "竹", "竹"


SEASONS: Final = frozenset(flower for flower in Flower if flower.season)
FLOWERS: Final = frozenset(Flower) - SEASONS
