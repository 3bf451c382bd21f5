"""The 81 fans of Mahjong Competition Rules in the order of the rule book, and one that Botzone adds.

A row a fan: number, points, names, and whether it may count more than once in a hand or needs a concealed hand.
Rulebooks may give a fan other points or leave it out; see `scoring.engine.rulebooks`. The types into which the Guide
sorts the fans follow, and their names in pinyin.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from enum import Enum, StrEnum
from typing import Final

MANY: Final = "many"
CONCEALED: Final = "concealed"


class Fan(Enum):
    """A scoring pattern: ``Fan.ALL_CHOWS.points == 2``; ``Fan(18)`` and `find_fan` look one up."""

    number: int
    """Number in the list of Mahjong Competition Rules (82 is Botzone's addition)."""
    key: str
    """Stable identifier in data and programs, as ``"all_chows"``."""
    points: int
    """Points in Mahjong Competition Rules."""
    en: str
    zh_hans: str
    zh_hant: str
    many: bool
    """Whether it may count more than once in one hand."""
    concealed: bool
    """Whether it can only be made without claiming a tile for a set."""

    def __new__(cls, number: int, points: int, en: str, zh_hans: str, zh_hant: str, *marks: str) -> "Fan":
        fan = object.__new__(cls)
        fan._value_ = number
        fan.number, fan.points = number, points
        fan.en, fan.zh_hans, fan.zh_hant = en, zh_hans, zh_hant
        fan.many, fan.concealed = MANY in marks, CONCEALED in marks
        return fan

    def __init__(self, *row: object) -> None:
        self.key = self._name_.lower()

    __hash__ = object.__hash__  # a member is its own only copy, and Enum's hash is a slow function

    def __repr__(self) -> str:
        return f"Fan.{self._name_}"

    @property
    def clause(self) -> str:
        """Where the fan is defined, as ``"MCR 18"``."""
        return f"MCR {self.number}" if self.number <= 81 else "Botzone note 4"

    PURE_DOUBLE_CHOW = 1, 1, "Pure Double Chow", "一般高", "一般高", MANY
    MIXED_DOUBLE_CHOW = 2, 1, "Mixed Double Chow", "喜相逢", "喜相逢", MANY
    SHORT_STRAIGHT = 3, 1, "Short Straight", "连六", "連六", MANY
    TWO_TERMINAL_CHOWS = 4, 1, "Two Terminal Chows", "老少副", "老少副", MANY
    PUNG_OF_TERMINALS_OR_HONORS = 5, 1, "Pung of Terminals or Honors", "幺九刻", "幺九刻", MANY
    MELDED_KONG = 6, 1, "Melded Kong", "明杠", "明槓"
    ONE_VOIDED_SUIT = 7, 1, "One Voided Suit", "缺一门", "缺一門"
    NO_HONORS = 8, 1, "No Honors", "无字", "無字"
    EDGE_WAIT = 9, 1, "Edge Wait", "边张", "邊張"
    CLOSED_WAIT = 10, 1, "Closed Wait", "坎张", "坎張"
    SINGLE_WAIT = 11, 1, "Single Wait", "单钓将", "單釣將"
    SELF_DRAWN = 12, 1, "Self-Drawn", "自摸", "自摸"
    FLOWER_TILES = 13, 1, "Flower Tiles", "花牌", "花牌", MANY
    DRAGON_PUNG = 14, 2, "Dragon Pung", "箭刻", "箭刻"
    PREVALENT_WIND = 15, 2, "Prevalent Wind", "圈风刻", "圈風刻"
    SEAT_WIND = 16, 2, "Seat Wind", "门风刻", "門風刻"
    CONCEALED_HAND = 17, 2, "Concealed Hand", "门前清", "門前清", CONCEALED
    ALL_CHOWS = 18, 2, "All Chows", "平和", "平和"
    TILE_HOG = 19, 2, "Tile Hog", "四归一", "四歸一", MANY
    DOUBLE_PUNG = 20, 2, "Double Pung", "双同刻", "雙同刻", MANY
    TWO_CONCEALED_PUNGS = 21, 2, "Two Concealed Pungs", "双暗刻", "雙暗刻"
    CONCEALED_KONG = 22, 2, "Concealed Kong", "暗杠", "暗槓"
    ALL_SIMPLES = 23, 2, "All Simples", "断幺", "斷幺"
    OUTSIDE_HAND = 24, 4, "Outside Hand", "全带幺", "全帶幺"
    FULLY_CONCEALED_HAND = 25, 4, "Fully Concealed Hand", "不求人", "不求人", CONCEALED
    TWO_MELDED_KONGS = 26, 4, "Two Melded Kongs", "双明杠", "雙明槓"
    LAST_TILE = 27, 4, "Last Tile", "和绝张", "和絕張"
    ALL_PUNGS = 28, 6, "All Pungs", "碰碰和", "碰碰和"
    HALF_FLUSH = 29, 6, "Half Flush", "混一色", "混一色"
    MIXED_SHIFTED_CHOWS = 30, 6, "Mixed Shifted Chows", "三色三步高", "三色三步高"
    ALL_TYPES = 31, 6, "All Types", "五门齐", "五門齊"
    MELDED_HAND = 32, 6, "Melded Hand", "全求人", "全求人"
    TWO_CONCEALED_KONGS = 33, 6, "Two Concealed Kongs", "双暗杠", "雙暗槓"
    TWO_DRAGONS = 34, 6, "Two Dragons", "双箭刻", "雙箭刻"
    MIXED_STRAIGHT = 35, 8, "Mixed Straight", "花龙", "花龍"
    REVERSIBLE_TILES = 36, 8, "Reversible Tiles", "推不倒", "推不倒"
    MIXED_TRIPLE_CHOW = 37, 8, "Mixed Triple Chow", "三色三同顺", "三色三同順"
    MIXED_SHIFTED_PUNGS = 38, 8, "Mixed Shifted Pungs", "三色三节高", "三色三節高"
    CHICKEN_HAND = 39, 8, "Chicken Hand", "无番和", "無番和"
    LAST_TILE_DRAW = 40, 8, "Last Tile Draw", "妙手回春", "妙手回春"
    LAST_TILE_CLAIM = 41, 8, "Last Tile Claim", "海底捞月", "海底撈月"
    OUT_WITH_REPLACEMENT_TILE = 42, 8, "Out with Replacement Tile", "杠上开花", "槓上開花"
    ROBBING_THE_KONG = 43, 8, "Robbing the Kong", "抢杠和", "搶槓和"
    LESSER_HONORS_AND_KNITTED_TILES = 44, 12, "Lesser Honors and Knitted Tiles", "全不靠", "全不靠", CONCEALED
    KNITTED_STRAIGHT = 45, 12, "Knitted Straight", "组合龙", "組合龍"
    UPPER_FOUR = 46, 12, "Upper Four", "大于五", "大於五"
    LOWER_FOUR = 47, 12, "Lower Four", "小于五", "小於五"
    BIG_THREE_WINDS = 48, 12, "Big Three Winds", "三风刻", "三風刻"
    PURE_STRAIGHT = 49, 16, "Pure Straight", "清龙", "清龍"
    THREE_SUITED_TERMINAL_CHOWS = 50, 16, "Three-Suited Terminal Chows", "三色双龙会", "三色雙龍會"
    PURE_SHIFTED_CHOWS = 51, 16, "Pure Shifted Chows", "一色三步高", "一色三步高"
    ALL_FIVES = 52, 16, "All Fives", "全带五", "全帶五"
    TRIPLE_PUNG = 53, 16, "Triple Pung", "三同刻", "三同刻"
    THREE_CONCEALED_PUNGS = 54, 16, "Three Concealed Pungs", "三暗刻", "三暗刻"
    SEVEN_PAIRS = 55, 24, "Seven Pairs", "七对", "七對", CONCEALED
    GREATER_HONORS_AND_KNITTED_TILES = (
        56,
        24,
        "Greater Honors and Knitted Tiles",
        "七星不靠",
        "七星不靠",
        CONCEALED,
    )
    ALL_EVEN = 57, 24, "All Even", "全双刻", "全雙刻"
    FULL_FLUSH = 58, 24, "Full Flush", "清一色", "清一色"
    PURE_TRIPLE_CHOW = 59, 24, "Pure Triple Chow", "一色三同顺", "一色三同順"
    PURE_SHIFTED_PUNGS = 60, 24, "Pure Shifted Pungs", "一色三节高", "一色三節高"
    UPPER_TILES = 61, 24, "Upper Tiles", "全大", "全大"
    MIDDLE_TILES = 62, 24, "Middle Tiles", "全中", "全中"
    LOWER_TILES = 63, 24, "Lower Tiles", "全小", "全小"
    FOUR_SHIFTED_CHOWS = 64, 32, "Four Shifted Chows", "一色四步高", "一色四步高"
    THREE_KONGS = 65, 32, "Three Kongs", "三杠", "三槓"
    ALL_TERMINALS_AND_HONORS = 66, 32, "All Terminals and Honors", "混幺九", "混幺九"
    QUADRUPLE_CHOW = 67, 48, "Quadruple Chow", "一色四同顺", "一色四同順"
    FOUR_PURE_SHIFTED_PUNGS = 68, 48, "Four Pure Shifted Pungs", "一色四节高", "一色四節高"
    ALL_TERMINALS = 69, 64, "All Terminals", "清幺九", "清幺九"
    LITTLE_FOUR_WINDS = 70, 64, "Little Four Winds", "小四喜", "小四喜"
    LITTLE_THREE_DRAGONS = 71, 64, "Little Three Dragons", "小三元", "小三元"
    ALL_HONORS = 72, 64, "All Honors", "字一色", "字一色"
    FOUR_CONCEALED_PUNGS = 73, 64, "Four Concealed Pungs", "四暗刻", "四暗刻", CONCEALED
    PURE_TERMINAL_CHOWS = 74, 64, "Pure Terminal Chows", "一色双龙会", "一色雙龍會"
    BIG_FOUR_WINDS = 75, 88, "Big Four Winds", "大四喜", "大四喜"
    BIG_THREE_DRAGONS = 76, 88, "Big Three Dragons", "大三元", "大三元"
    ALL_GREEN = 77, 88, "All Green", "绿一色", "綠一色"
    NINE_GATES = 78, 88, "Nine Gates", "九莲宝灯", "九蓮寶燈", CONCEALED
    FOUR_KONGS = 79, 88, "Four Kongs", "四杠", "四槓"
    SHIFTED_SEVEN_PAIRS = 80, 88, "Shifted Seven Pairs", "连七对", "連七對", CONCEALED
    THIRTEEN_ORPHANS = 81, 88, "Thirteen Orphans", "十三幺", "十三幺", CONCEALED
    MELDED_KONG_AND_CONCEALED_KONG = 82, 5, "Melded Kong and Concealed Kong", "明暗杠", "明暗槓"


FANS: Final = tuple(Fan)
"""Every fan, in the order of the rule book."""
_BY_KEY: Final = {fan.key: fan for fan in FANS}


def find_fan(key: str) -> Fan:
    """Return the fan with this key. Raises KeyError when there is none."""
    return _BY_KEY[key]


class FanType(StrEnum):
    """What a fan is made of, in the order of the Guide ("Table of scoring hands by type", seed 003:941-1039).

    The Guide counts the fans of each type itself: 10, 16, 19, 2, 7, 8, 2, 12 and 5 (003:424-434).
    """

    HONOURS = "honors"
    CHOWS = "chows"
    PUNGS = "pungs"
    SEVEN_PAIRS = "seven_pairs"
    SUITS = "suits"
    TERMINALS = "terminals"
    KNITTED = "knitted"
    WAITS = "waits"
    SPECIAL = "special"


_NUMBERS_OF_TYPE: Final[Mapping[FanType, tuple[int, ...]]] = {
    FanType.HONOURS: (14, 15, 16, 34, 48, 70, 71, 72, 75, 76),
    FanType.CHOWS: (1, 2, 3, 4, 18, 30, 35, 37, 45, 49, 50, 51, 59, 64, 67, 74),
    FanType.PUNGS: (5, 6, 20, 21, 22, 26, 28, 33, 38, 53, 54, 57, 60, 65, 66, 68, 69, 73, 79),
    FanType.SEVEN_PAIRS: (55, 80),
    FanType.SUITS: (7, 8, 29, 31, 58, 77, 78),
    FanType.TERMINALS: (23, 24, 46, 47, 52, 61, 62, 63),
    FanType.KNITTED: (44, 56),
    FanType.WAITS: (9, 10, 11, 12, 17, 25, 27, 32, 40, 41, 42, 43),
    FanType.SPECIAL: (13, 19, 36, 39, 81),
}
_TYPES: Final = {Fan(number): kind for kind, numbers in _NUMBERS_OF_TYPE.items() for number in numbers}


def type_of(fan: Fan) -> FanType | None:
    """Return the type of a fan, or None for Botzone's fan 82, which the Guide does not have."""
    return _TYPES.get(fan)


_READINGS: Final = """
àn暗 bān般 bù不步 bǎo宝 biān边 chūn春 dà大 dài带 dān单 dào倒 dǐ底 diào钓 dēng灯 duàn断 duì对 fān番 fēng风 fù副
gāo高 gāng杠 guī归 hǎi海 huā花 hú和 huí回 huì会 hùn混 hé合 jiàn箭 jiàng将 jié节 jiǔ九 jué绝 kǎn坎 kào靠 kāi开 kè刻 lǎo老
lāo捞 lián连莲 liù六 lóng龙 lǜ绿 mén门 miào妙 míng明 mō摸 pái牌 pèng碰 píng平 qī七 qí齐 qián前 qīng清 qiú求 quán全
quān圈 qiǎng抢 quē缺 rén人 sān三 sè色 shàng上 shào少 shí十 shǒu手 shuāng双 shùn顺 sì四 tóng同 tuī推 wú无 wǔ五 xǐ喜
xiāng相 xiǎo小 xīng星 yāo幺 yī一 yú于 yuán元 yuè月 zhāng张 zhōng中 zì字自 zǔ组 féng逢
"""
"""A word a syllable: its reading in these names (和 is hú, "won"), and the characters read so, simplified."""


def _syllables(rows: Iterable[str]) -> dict[str, str]:
    return {
        character: row.rstrip("".join(characters))
        for row in rows
        for characters in [[character for character in row if "\u4e00" <= character <= "\u9fff"]]
        for character in characters
    }


SYLLABLES: Final = _syllables(_READINGS.split())


def pinyin(fan: Fan) -> tuple[str, ...]:
    """Return the syllables of a fan's Chinese name with their tones: ``("hùn", "yī", "sè")``."""
    return tuple(SYLLABLES[character] for character in fan.zh_hans)


def spellings(toned: tuple[str, ...]) -> tuple[str, ...]:
    """Return all ways to type these syllables; ü is spelt in three ways.

    ``("hùn", "yī", "sè")`` is ``("hùn yī sè", "hùnyīsè", "hun yi se", "hunyise", "hys")``.
    """
    umlaut = tuple(map(_without_tone, toned))
    typed = (tuple(syllable.replace("ü", letter) for syllable in umlaut) for letter in "uv")
    variants = dict.fromkeys((toned, umlaut, *typed))
    forms = [gap.join(syllables) for syllables in variants for gap in (" ", "")]
    return (*forms, "".join(syllable[0] for syllable in umlaut))


def _without_tone(syllable: str) -> str:
    """Return a syllable without tone marks; the dots of ü stay, since they mark another vowel."""
    decomposed = unicodedata.normalize("NFD", syllable)
    bare = "".join(
        character for character in decomposed if character == "\u0308" or not unicodedata.combining(character)
    )
    return unicodedata.normalize("NFC", bare)
