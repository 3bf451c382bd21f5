"""The names of the fans in pinyin: how they are typed where no Chinese can be.

A row a syllable: its reading in these names (和 is hú, "won"), and the characters read so, simplified.
"""

import unicodedata
from collections.abc import Iterable
from typing import Final

from scoring.engine.fans import Fan

_READINGS: Final = """
àn暗 bān般 bù不步 bǎo宝 biān边 chūn春 dà大 dài带 dān单 dào倒 dǐ底 diào钓 dēng灯 duàn断 duì对 fān番 fēng风 fù副
gāo高 gāng杠 guī归 hǎi海 huā花 hú和 huí回 huì会 hùn混 hé合 jiàn箭 jiàng将 jié节 jiǔ九 jué绝 kǎn坎 kào靠 kāi开 kè刻 lǎo老
lāo捞 lián连莲 liù六 lóng龙 lǜ绿 mén门 miào妙 míng明 mō摸 pái牌 pèng碰 píng平 qī七 qí齐 qián前 qīng清 qiú求 quán全
quān圈 qiǎng抢 quē缺 rén人 sān三 sè色 shàng上 shào少 shí十 shǒu手 shuāng双 shùn顺 sì四 tóng同 tuī推 wú无 wǔ五 xǐ喜
xiāng相 xiǎo小 xīng星 yāo幺 yī一 yú于 yuán元 yuè月 zhāng张 zhōng中 zì字自 zǔ组 féng逢
"""


def _table(rows: Iterable[str]) -> dict[str, str]:
    return {
        character: row.rstrip("".join(characters))
        for row in rows
        for characters in [[one for one in row if "\u4e00" <= one <= "\u9fff"]]
        for character in characters
    }


SYLLABLES: Final = _table(_READINGS.split())


def pinyin(fan: Fan) -> tuple[str, ...]:
    """The syllables with their tones: ``("hùn", "yī", "sè")``."""
    return tuple(SYLLABLES[character] for character in fan.zh_hans)


def typed(fan: Fan) -> tuple[str, ...]:
    """What people type for it, as `spellings` has it."""
    return spellings(pinyin(fan))


def spellings(toned: tuple[str, ...]) -> tuple[str, ...]:
    """What is typed for syllables with tones, the dotted u in three ways.

    ``("hùn", "yī", "sè")`` is ``("hùn yī sè", "hùnyīsè", "hun yi se", "hunyise", "hys")``.
    """
    umlaut = tuple(map(_without_tone, toned))
    ways = dict.fromkeys((toned, umlaut, *(_spelt(umlaut, letter) for letter in "uv")))
    forms = [gap.join(syllables) for syllables in ways for gap in (" ", "")]
    return (*forms, "".join(syllable[0] for syllable in umlaut))


def _without_tone(syllable: str) -> str:
    """Without what is above the letters, but for the dots of ü, which make it another vowel."""
    apart = unicodedata.normalize("NFD", syllable)
    bare = "".join(one for one in apart if one == "\u0308" or not unicodedata.combining(one))
    return unicodedata.normalize("NFC", bare)


def _spelt(syllables: tuple[str, ...], letter: str) -> tuple[str, ...]:
    return tuple(syllable.replace("ü", letter) for syllable in syllables)
