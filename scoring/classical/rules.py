"""The tables of the classical game, a row each, and its settings, each with the reason for its default.

Citations are lines of the source (`docs/rules/sources.md`). Its second table of sets is headed "3 of a kind" too; it
is that of kongs, four of a kind (001:83). What the source leaves open is a setting; house rules are made with
`dataclasses.replace`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from scoring.engine.names import Names
from scoring.engine.tiles import WINDS


class Sort(Enum):
    """The effect of a row on a score."""

    POINTS = "points"
    """Adds, for winner and losers alike (001:92)."""
    BONUS = "bonus"
    """Adds, for the winner, before anything is doubled (001:100, 109)."""
    DOUBLES = "doubles"
    """Multiplies, for everybody (001:93)."""
    WINNER_DOUBLES = "winner_doubles"
    """Multiplies, for the winner (001:93)."""
    LIMIT = "limit"
    """Scores the limit, whatever the other lines (001:110)."""
    DEAD = "dead"
    """Leaves nothing to score (001:75)."""


_Worth = int | tuple[int, int]


class Row(Enum):
    """A row of the tables: ``Row.DRAGON.worth == 2``."""

    key: str
    """Stable identifier in data and programs, as ``"pung_of_simples"``."""
    clause: str
    """Its source, as ``"001:84"``."""
    sort: Sort
    exposed: int
    """Points, or what the score is multiplied by; 0 for a limit hand."""
    concealed: int
    """The same for a concealed set; equal for all else."""
    names: Names

    def __new__(cls, line: int, sort: Sort, worth: _Worth, en: str, zh_hans: str, zh_hant: str) -> "Row":
        row = object.__new__(cls)
        row._value_ = len(cls.__members__) + 1
        row.clause, row.sort = f"001:{line}", sort
        row.exposed, row.concealed = worth if isinstance(worth, tuple) else (worth, worth)
        row.names = Names(en, zh_hans, zh_hant)
        return row

    def __init__(self, *row: object) -> None:
        self.key = self._name_.lower()

    def __repr__(self) -> str:
        return f"Row.{self._name_}"

    @property
    def worth(self) -> int:
        """The value, that of an exposed set where it matters."""
        return self.exposed

    PUNG_OF_SIMPLES = 84, Sort.POINTS, (2, 4), "Pung of 2–8", "中张刻子", "中張刻子"
    KONG_OF_SIMPLES = 84, Sort.POINTS, (8, 16), "Kong of 2–8", "中张杠", "中張槓"
    PUNG_OF_TERMINALS = 85, Sort.POINTS, (4, 8), "Pung of ones or nines", "老头刻子", "老頭刻子"
    KONG_OF_TERMINALS = 85, Sort.POINTS, (16, 32), "Kong of ones or nines", "老头杠", "老頭槓"
    PUNG_OF_HONOURS = 86, Sort.POINTS, (4, 8), "Pung of Winds or Dragons", "字牌刻子", "字牌刻子"
    KONG_OF_HONOURS = 86, Sort.POINTS, (16, 32), "Kong of Winds or Dragons", "字牌杠", "字牌槓"
    PAIR_OF_DRAGONS = 88, Sort.POINTS, 2, "Pair of Dragons", "箭牌将", "箭牌將"
    PAIR_OF_OWN_WIND = 89, Sort.POINTS, 2, "Pair of one’s own Wind", "门风将", "門風將"
    PAIR_OF_ROUND_WIND = 90, Sort.POINTS, 2, "Pair of the Wind of the Round", "圈风将", "圈風將"
    FLOWER = 88, Sort.POINTS, 4, "Season or Flower", "花牌", "花牌"

    OWN_WIND = 94, Sort.DOUBLES, 2, "Pung or Kong of one’s own Wind", "门风刻", "門風刻"
    ROUND_WIND = 95, Sort.DOUBLES, 2, "Pung or Kong of the Wind of the Round", "圈风刻", "圈風刻"
    DRAGON = 96, Sort.DOUBLES, 2, "Pung or Kong of Dragons", "箭刻", "箭刻"
    OWN_FLOWER = 97, Sort.DOUBLES, 2, "One’s own Season or Flower", "正花", "正花"
    FOUR_FLOWERS = 98, Sort.DOUBLES, 8, "Four Seasons or Four Flowers", "四花齐", "四花齊"

    ROBBED_KONG = 94, Sort.WINNER_DOUBLES, 2, "Snatching a Kong", "抢杠和", "搶槓和"
    ONE_SUIT_AND_HONOURS = 95, Sort.WINNER_DOUBLES, 2, "One suit with Winds or Dragons", "混一色", "混一色"
    TERMINALS_AND_HONOURS = (
        96,
        Sort.WINNER_DOUBLES,
        2,
        "Ones and nines with Winds or Dragons",
        "混幺九",
        "混幺九",
    )
    ONE_SUIT = 97, Sort.WINNER_DOUBLES, 8, "Entirely of one suit", "清一色", "清一色"
    ORIGINAL_HAND = 98, Sort.WINNER_DOUBLES, 8, "Original Hand", "天和", "天和"
    ALL_HONOURS = 99, Sort.WINNER_DOUBLES, 8, "All Winds and Dragons", "字一色", "字一色"

    WON = 101, Sort.BONUS, 20, "Winning", "和牌", "和牌"
    SELF_DRAWN = 102, Sort.BONUS, 2, "Winning tile drawn from the wall", "自摸", "自摸"
    ONLY_TILE = 103, Sort.BONUS, 2, "Winning with the only possible tile", "独听", "獨聽"
    STANDING_HAND = 104, Sort.BONUS, 100, "Standing Hand", "天听", "天聽"
    NO_CHOWS = 105, Sort.BONUS, 10, "No Chows", "无顺子", "無順子"
    NO_VALUE = 106, Sort.BONUS, 10, "No scoring value", "平和", "平和"
    LAST_TILE = 107, Sort.BONUS, 10, "Last tile of the wall", "海底捞月", "海底撈月"
    LOOSE_TILE = 108, Sort.BONUS, 10, "Winning with a Loose Tile", "杠上开花", "槓上開花"

    LIMIT_ALL_HONOURS = 111, Sort.LIMIT, 0, "All Winds and Dragons", "字一色", "字一色"
    LIMIT_THREE_WINDS = 112, Sort.LIMIT, 0, "Three Winds and a pair of the other", "小四喜", "小四喜"
    LIMIT_ORIGINAL_HAND = 113, Sort.LIMIT, 0, "Original Hand", "天和", "天和"
    LIMIT_FIRST_DISCARD = 114, Sort.LIMIT, 0, "Won with East’s first discard", "地和", "地和"
    LIMIT_TERMINALS = 115, Sort.LIMIT, 0, "All ones and nines", "清幺九", "清幺九"
    LIMIT_THREE_DRAGONS = 116, Sort.LIMIT, 0, "Three Dragons", "大三元", "大三元"
    LIMIT_CONCEALED_PUNGS = 117, Sort.LIMIT, 0, "Concealed Pungs or Kongs", "四暗刻", "四暗刻"
    LIMIT_THIRTEEN_ODD_MAJORS = 118, Sort.LIMIT, 0, "Thirteen Odd Majors", "十三幺", "十三幺"
    LIMIT_CALLING_NINE_TILE = 119, Sort.LIMIT, 0, "Calling Nine Tile Hand", "九莲宝灯", "九蓮寶燈"
    LIMIT_THIRTEENTH_WIN = 120, Sort.LIMIT, 0, "East’s thirteenth win in a row", "十三连庄", "十三連莊"

    TOO_MANY_TILES = 75, Sort.DEAD, 0, "Too many tiles", "大相公", "大相公"


ROWS: Final = tuple(Row)
_ROW_BY_KEY: Final = {row.key: row for row in ROWS}


def find_row(key: str) -> Row:
    """Return the row with this key. Raises KeyError when there is none."""
    return _ROW_BY_KEY[key]


class Flower(Enum):
    """A Season or a Flower, in their order (001:22): ``Flower.SPRING.wind == "E"``.

    The source doesn't say which are a player's own; by custom the first of each goes with East, the second with South.
    """

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


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: what it adds or multiplies by, and what earns it."""

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


CLAUSES: Final[Mapping[str, str]] = {
    "limit": "001:110 names no figure; 000:1405: typically 500 points",
    "losers_have_limit": "000:1405: the most that any player can score for a hand",
    "east_factor": "001 is silent; 000:1095: in rules based on the classical game East receives and pays double",
    "losers_settle": "001:75: the others' scores are paid, one's own deducted",
    "both_winds_of_pair": "001:89-90: a line each, and neither excludes the other",
    "both_winds_of_pung": "001:94-95: a line each, and neither excludes the other",
    "own_flower_in_four": "001:97-98: a line each, and neither excludes the other",
    "flowers_are_value": "001:106 says in hand; flowers are laid out and replaced",
    "concealed_pungs_drawn": "001:117 is silent; 000:1306: in the classical rules self-drawn, concealed kongs allowed",
    "nine_tiles_called": "001:29 by its name; 000:1494: classically any tile of the suit completes it",
    "every_pair_of_losers": "001:87, 92: the pair is one, and scores for losers alike",
    "without": "001:110: limit hands score the limit irrespective of their value, so they go before the doubling",
}
"""Setting to the clause that decides it; `/rules/decisions/` gives the reasons in full."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a club evening; the defaults are the source's, completed by the glossary of 000."""

    key: str = "classical"
    limit: int = 500
    """The most points a hand can score; payments may come to more."""
    losers_have_limit: bool = True
    """Whether the limit holds for losers' hands too."""
    east_factor: int = 2
    """What a payment by or to East is multiplied by."""
    losers_settle: bool = True
    """Whether losers pay each other the difference of their scores."""
    both_winds_of_pair: bool = True
    """Whether a pair of the own wind that is the round's too scores as both."""
    both_winds_of_pung: bool = True
    """Whether a pung of the own wind that is the round's too doubles as both."""
    own_flower_in_four: bool = True
    """Whether one's own season doubles beside Four Seasons, and the flower beside Four Flowers."""
    flowers_are_value: bool = False
    """Whether a season or flower spoils the bonus for a hand without scoring value."""
    concealed_pungs_drawn: bool = True
    """Whether limit hand G asks for a self-drawn winning tile."""
    nine_tiles_called: bool = True
    """Whether limit hand I must have waited for all nine tiles; otherwise its fourteen tiles suffice."""
    every_pair_of_losers: bool = False
    """Whether each pair a loser holds scores; otherwise the highest, as if it were that of the hand."""
    without: frozenset[Row] = frozenset()
    """Rows that are not played. All Winds and Dragons and the Original Hand are in two rows: the limit hand left out
    here, the ×8 remains.
    """
    clauses: Mapping[str, str] = field(default_factory=lambda: CLAUSES, hash=False, compare=False)
    """Setting to the clause that decides it."""

    def __post_init__(self) -> None:
        if self.limit < 1 or self.east_factor < 1:
            raise ValueError(f"limit {self.limit} and factor {self.east_factor} must be positive")


CLASSICAL: Final = Rules()
