"""The source of each foul's rule, to be shown to readers, in three languages.

MCR is seed 000, "Fouls and Penalties", cited by section and paragraph. Books have the names of `foul_book_name`.
"""

from collections.abc import Mapping
from typing import Any, Final

from scoring.engine.names import Names


def _mcr(section: Names, paragraph: Names | None = None) -> Names:
    en, hans, hant = (
        (f": {paragraph.en}", f"：{paragraph.zh_hans}", f"：{paragraph.zh_hant}") if paragraph else [""] * 3
    )
    return Names(
        f"MCR, {section.en}{en}",
        f"《麻将竞赛规则》“{section.zh_hans}”{hans}",
        f"《麻將競賽規則》「{section.zh_hant}」{hant}",
    )


_FORFEITURE: Final = Names("Forfeiture of points", "扣分", "扣分")
_SPECIFIC: Final = Names("Specific violations", "具体犯规", "具體犯規")
_EXPOSED: Final = Names("How to cope with erroneously exposed tiles", "误亮牌张的处理", "誤亮牌張的處理")
_OTHER: Final = Names("Other", "其他", "其他")

EXPOSED_TILES: Final = _mcr(_EXPOSED)
OTHER_VIOLATIONS: Final = _mcr(_SPECIFIC, _OTHER)

MCR_SOURCES: Final[Mapping[str, Names]] = {
    "late": _mcr(_FORFEITURE, Names("Being late", "迟到", "遲到")),
    "rules_violation": _mcr(_FORFEITURE, Names("Rules Violation", "违反规则", "違反規則")),
    "cheating": _mcr(_SPECIFIC, Names("Cheating", "作弊", "作弊")),
    "false_claim": _mcr(
        _SPECIFIC,
        Names(
            "False Chow, Pung, Kong or Flower replacement",
            "错吃、错碰、错杠、错补花",
            "錯吃、錯碰、錯槓、錯補花",
        ),
    ),
    "empty_call": _mcr(
        _SPECIFIC,
        Names(
            "Empty Chow, Pung, Kong Call (Change Of Heart)",
            "空吃、空碰、空杠（喊后反悔）",
            "空吃、空碰、空槓（喊後反悔）",
        ),
    ),
    "touching_wall": _mcr(_SPECIFIC, Names("Touching the tile", "触摸牌张", "觸摸牌張")),
    "late_pung": _mcr(
        _SPECIFIC,
        Names("Late Pung call, “in any one round”", "碰牌超时，“在任何一圈内”", "碰牌超時，「在任何一圈內」"),
    ),
    "false_hu": _mcr(_SPECIFIC, Names("Erroneous Call for “Hu”", "错和", "錯和")),
    "exposed_tile": EXPOSED_TILES,
    "shown_tiles": EXPOSED_TILES,
    "knocked_tiles": EXPOSED_TILES,
    "wrong_tile_count": _mcr(_SPECIFIC, Names("Wrong Tile Count", "多牌或少牌", "多牌或少牌")),
    "passing_information": _mcr(_SPECIFIC, Names("Passing information", "传递信息", "傳遞訊息")),
    "severe_disturbance": _mcr(
        _SPECIFIC, Names("Severe disturbance to the competition", "严重扰乱比赛", "嚴重擾亂比賽")
    ),
    "nonstandard_hu": OTHER_VIOLATIONS,
    "shown_without_hu": OTHER_VIOLATIONS,
    "reaching_across": OTHER_VIOLATIONS,
}
EUROPEAN_PRACTICE: Final = Names("European practice only", "仅为欧洲赛事惯例", "僅為歐洲賽事慣例")

GUIDE_SOURCES: Final[Mapping[str, Names]] = {
    "false_hu": Names(
        "Guide to Mahjong: without the minimum 8 points, 30 points (10 points to each player); otherwise as in MCR",
        "《国标麻将指南》：不够 8 分起和，罚 30 分（其他三家各得 10 分）；其他情形同《麻将竞赛规则》",
        "《國標麻將指南》：不夠 8 分起和，罰 30 分（其他三家各得 10 分）；其他情形同《麻將競賽規則》",
    ),
}

_PER_HAND: Final = Names(
    "1998 rules: counted per hand", "1998 年竞赛规则：按盘计次", "1998 年競賽規則：按盤計次"
)
CHINA_1998_SOURCES: Final[Mapping[str, Names]] = {
    "late": Names(
        "1998 rules: up to 10 minutes warning and 10, up to 15 minutes 20, later the session with score 0",
        "1998 年竞赛规则：10 分钟以内警告并扣 10 分，15 分钟以内扣 20 分，超过者本轮计 0 分",
        "1998 年競賽規則：10 分鐘以內警告並扣 10 分，15 分鐘以內扣 20 分，超過者本輪計 0 分",
    ),
    "empty_call": _PER_HAND,
    "touching_wall": _PER_HAND,
    "false_hu": Names(
        "1998 rules: under 8 points 10 to each, not even waiting 20 to each, intentional: disqualified",
        "1998 年竞赛规则：不够 8 分，付其他三家各 10 分；未听牌，付各 20 分；故意诈和，取消比赛资格",
        "1998 年競賽規則：不夠 8 分，付其他三家各 10 分；未聽牌，付各 20 分；故意詐和，取消比賽資格",
    ),
}


def _mers(clauses: str, *, has_overview: bool = False) -> Names:
    clauses_zh = clauses.replace(", ", "、")
    en, hans, hant = (
        (
            "; Penalties overview (June 2009)",
            "；《处罚一览》（2009 年 6 月）",
            "；《處罰一覽》（2009 年 6 月）",
        )
        if has_overview
        else [""] * 3
    )
    return Names(
        f"MERS Tournament Regulations, MCR v1.1 (August 2010), {clauses}{en}",
        f"《MERS 竞赛规程》MCR 1.1 版（2010 年 8 月）{clauses_zh}{hans}",
        f"《MERS 競賽規程》MCR 1.1 版（2010 年 8 月）{clauses_zh}{hant}",
    )


MERS_SOURCES: Final[Mapping[str, Names]] = {
    "late": _mers("2.2"),
    "passing_information": _mers("1.4, 2.3"),
    "empty_call": _mers("1.7, 2.4.1, 2.4.2", has_overview=True),
    "nonstandard_hu": _mers("2.4.2"),
    "wrong_word": _mers("2.4.3"),
    "shown_without_hu": _mers("2.4.3, 2.6.1"),
    "early_claim": _mers("2.6.1"),
    "tile_taken_first": _mers("2.6.2"),
    "claimed_tile_left": _mers("2.6.3"),
    "false_claim_noticed": _mers("2.6.4"),
    "false_claim": _mers("2.6.4", has_overview=True),
    "wrong_end": _mers("2.5.1, 2.5.2"),
    "wrong_end_kept": _mers("2.5.2"),
    "touching_wall": _mers("2.5.3, 2.5.4"),
    "knocked_tiles": _mers("2.7"),
    "wall_destroyed": _mers("2.8.10", has_overview=True),
    "forgot_winning_tile": _mers("2.8.7"),
    "winning_hand_apart": _mers("1.9, 2.8.4, 2.8.5, 2.8.6"),
    "shown_tiles": _mers("2.8.9"),
    "false_hu": _mers("2.9.1, 2.9.2, 2.9.3"),
    "obstruction": _mers("1.8, 3.4, 3.5", has_overview=True),
    "cheating": _mers("3.5"),
    "severe_disturbance": _mers("3.5"),
}

HOUSE_RULE: Final = Names("House rule", "本赛事自定", "本賽事自定")

_KNOWN: Final[Mapping[str, Names]] = {
    source.en: source
    for source in (
        *MCR_SOURCES.values(),
        *GUIDE_SOURCES.values(),
        *CHINA_1998_SOURCES.values(),
        *MERS_SOURCES.values(),
        EUROPEAN_PRACTICE,
        HOUSE_RULE,
    )
}


def source_from_json(data: str | Mapping[str, Any]) -> Names:
    """Build a source from a snapshot. Old snapshots have only the English text, which is looked up in `_KNOWN`."""
    if isinstance(data, str):
        return _KNOWN.get(data, Names(data, data, data))
    return Names.from_json(data)
