"""The foul books: the 17 fouls of seed 000, "Fouls and Penalties", the changes of each rulebook, and MERS."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from penalties.engine.catalogue import Foul, FoulBook
from penalties.engine.facts import Need, RepeatScope
from penalties.engine.false_hu import NOT_COMPLETE, TWENTY_EACH, UNDER_MINIMUM
from penalties.engine.mers import MERS_FOULS
from penalties.engine.rules import Case, Cases, Choice, Fixed, Ladder, Late, Rule, amounts
from penalties.engine.sanctions import (
    DEAD_HAND,
    SCALE,
    STEPS,
    WARNING,
    PaidTo,
    PointScope,
    Sanction,
    fine,
    points,
)
from penalties.engine.sources import CHINA_1998_SOURCES, EUROPEAN_PRACTICE, GUIDE_SOURCES, MCR_SOURCES
from scoring.engine.names import Names


def _mcr_foul(key: str, names: Names, description: Names, rule: Rule) -> Foul:
    return Foul(key, names, description, MCR_SOURCES[key], rule)


BASE_FOULS: Final = (
    _mcr_foul(
        "late",
        Names("Late", "迟到", "遲到"),
        Names(
            "Not at the table when the session begins; the others start after 15 minutes.",
            "比赛开始后仍未到场；15 分钟后其他选手开始比赛。",
            "比賽開始後仍未到場；15 分鐘後其他選手開始比賽。",
        ),
        Late(((10, fine(10)), (15, fine(20)), (20, fine(40)), (25, fine(60)))),
    ),
    _mcr_foul(
        "rules_violation",
        Names("Rules violation", "违反规则", "違反規則"),
        Names(
            "Breaks a rule that has no sanction of its own; a warning or points, depending on how serious it is.",
            "违反未另行规定处罚的规则；由裁判视情节轻重警告或扣分。",
            "違反未另行規定處罰的規則；由裁判視情節輕重警告或扣分。",
        ),
        Choice(SCALE, warning=True),
    ),
    _mcr_foul(
        "cheating",
        Names("Cheating", "作弊", "作弊"),
        Names(
            "Hides or swaps a tile or otherwise cheats; at the umpire’s discretion, up to disqualification.",
            "藏牌、换牌或以其他方式作弊；由裁判裁量，最重取消比赛资格。",
            "藏牌、換牌或以其他方式作弊；由裁判裁量，最重取消比賽資格。",
        ),
        Fixed(),
    ),
    _mcr_foul(
        "false_claim",
        Names("False chow, pung, kong or flower", "错吃、错碰、错杠、错补花", "錯吃、錯碰、錯槓、錯補花"),
        Names(
            "Lays down a wrong chow, pung or kong, or replaces a flower wrongly.",
            "吃、碰、杠的牌不成立，或补花有误。",
            "吃、碰、槓的牌不成立，或補花有誤。",
        ),
        Fixed(DEAD_HAND),
    ),
    _mcr_foul(
        "empty_call",
        Names("Empty call", "空吃、空碰、空杠", "空吃、空碰、空槓"),
        Names(
            "Calls chow, pung or kong and then does not take the tile.",
            "喊吃、碰、杠之后又不取牌。",
            "喊吃、碰、槓之後又不取牌。",
        ),
        Ladder(STEPS),
    ),
    _mcr_foul(
        "touching_wall",
        Names("Touching the wall early", "提前摸牌", "提前摸牌"),
        Names(
            "Touches the wall tile before the player to the left has discarded. A tile that was not seen may be put "
            "back in its place; one that was seen costs the right to win this hand, and the player plays on.",
            "上家尚未打出牌就触摸牌墙上的牌。牌未被看到的，可放回原处；牌已被看到的，本盘不得和牌，但须继续行牌。",
            "上家尚未打出牌就觸摸牌牆上的牌。牌未被看到的，可放回原處；牌已被看到的，本盤不得和牌，但須繼續行牌。",
        ),
        Ladder(STEPS, if_seen=DEAD_HAND),
    ),
    _mcr_foul(
        "late_pung",
        Names("Late pung", "碰牌超时", "碰牌超時"),
        Names(
            "Calls pung more than three seconds after the discard.",
            "他人打出牌 3 秒之后才喊碰。",
            "他人打出牌 3 秒之後才喊碰。",
        ),
        Ladder(STEPS, RepeatScope.WIND_ROUND),
    ),
    _mcr_foul(
        "false_hu",
        Names("False hu", "错和", "錯和"),
        Names(
            "Says hu without a valid winning hand (incomplete or below the minimum).",
            "未成和牌或不足起和分而喊“和”。",
            "未成和牌或不足起和分而喊「和」。",
        ),
        Fixed(TWENTY_EACH),
    ),
    _mcr_foul(
        "exposed_tile",
        Names("Exposed tile", "误亮牌张", "誤亮牌張"),
        Names(
            "Shows one of one’s tiles during play; it must be discarded on the next turn.",
            "行牌中亮出自己的牌；下次轮到自己出牌时必须打出。",
            "行牌中亮出自己的牌；下次輪到自己出牌時必須打出。",
        ),
        Fixed(Sanction(obligatory_discard=True)),
    ),
    _mcr_foul(
        "shown_tiles",
        Names("Tiles shown after another’s hu", "他人喊和后亮牌", "他人喊和後亮牌"),
        Names(
            "Shows all of one’s tiles after another player has said hu. If that hu was invalid, the player may not win "
            "this hand and discards the shown tiles one by one until all are replaced; others may take them.",
            "他人喊和后将自己的牌全部亮出。若和牌不成立，本盘不得和牌，并须将亮出的牌逐张打出，直至全部换成新牌；其他选手可取用。",
            "他人喊和後將自己的牌全部亮出。若和牌不成立，本盤不得和牌，並須將亮出的牌逐張打出，直至全部換成新牌；其他選手可取用。",
        ),
        Cases(
            (
                Case("valid", Names("The hu was valid", "和牌成立", "和牌成立"), WARNING),
                Case(
                    "invalid",
                    Names("The hu was invalid", "和牌不成立", "和牌不成立"),
                    Sanction(
                        points=points(10, PaidTo.EACH_OPPONENT), dead_hand=True, obligatory_discard=True
                    ),
                ),
            ),
            Need.HU_WAS_VALID,
        ),
    ),
    _mcr_foul(
        "knocked_tiles",
        Names("Knocking over another’s tile", "撞倒他人立牌", "撞倒他人立牌"),
        Names(
            "Knocks over another player’s tile; the umpire decides whether the offender plays on.",
            "撞倒他人的立牌；能否继续比赛由裁判决定。",
            "撞倒他人的立牌；能否繼續比賽由裁判決定。",
        ),
        Choice(amounts(5, 60), PointScope.HAND, PaidTo.VICTIM, stops=True),
    ),
    _mcr_foul(
        "wrong_tile_count",
        Names("Wrong tile count", "多牌或少牌", "多牌或少牌"),
        Names(
            "Holds more or fewer than thirteen tiles between turns.",
            "未轮到自己行牌时手牌多于或少于十三张。",
            "未輪到自己行牌時手牌多於或少於十三張。",
        ),
        Fixed(DEAD_HAND),
    ),
    _mcr_foul(
        "passing_information",
        Names("Passing information", "传递信息", "傳遞訊息"),
        Names(
            "Tips off another player by word, hint or gesture, true or false, whoever gains.",
            "以言语、暗示或动作向他人传递信息，不论真假和谁受益。",
            "以言語、暗示或動作向他人傳遞訊息，不論真假和誰受益。",
        ),
        Fixed(DEAD_HAND),
    ),
    _mcr_foul(
        "severe_disturbance",
        Names("Severe disturbance", "严重扰乱比赛", "嚴重擾亂比賽"),
        Names(
            "Disturbs the competition and goes on disobeying the umpire.",
            "扰乱比赛秩序，且不服从裁判。",
            "擾亂比賽秩序，且不服從裁判。",
        ),
        Fixed(Sanction(disqualification=True, criticism=True)),
    ),
    _mcr_foul(
        "nonstandard_hu",
        Names("Non-standard hu", "和牌不规范", "和牌不規範"),
        Names(
            "Says chow, pung or kong and then hu, declares hu in another wrong way, or keeps tiles hidden. The claim "
            "stands: the player discards a tile and may win on another turn.",
            "先喊吃、碰、杠再喊和，以其他不规范方式喊和，或不亮出手牌。所喊的吃、碰、杠有效，须打出一张牌，以后仍可和牌。",
            "先喊吃、碰、槓再喊和，以其他不規範方式喊和，或不亮出手牌。所喊的吃、碰、槓有效，須打出一張牌，以後仍可和牌。",
        ),
        Fixed(Sanction(no_win_this_turn=True)),
    ),
    _mcr_foul(
        "shown_without_hu",
        Names("Tiles shown without saying hu", "亮牌未喊和", "亮牌未喊和"),
        Names(
            "Shows the tiles as a winning hand but does not say hu; plays on.",
            "将手牌亮出示意和牌，但未喊“和”；须继续比赛。",
            "將手牌亮出示意和牌，但未喊「和」；須繼續比賽。",
        ),
        Fixed(DEAD_HAND),
    ),
    _mcr_foul(
        "reaching_across",
        Names("Reaching across the table", "越过牌池摸牌", "越過牌池摸牌"),
        Names(
            "Stretches a hand across the discards to draw from the wall.",
            "伸手越过牌池去摸牌墙上的牌。",
            "伸手越過牌池去摸牌牆上的牌。",
        ),
        Cases(
            (
                Case(
                    "discard_left",
                    Names("Leaves the discard", "未取打出的牌", "未取打出的牌"),
                    Sanction(lost_claim=True),
                ),
                Case(
                    "discard_taken",
                    Names("Takes the discard anyway", "仍取打出的牌", "仍取打出的牌"),
                    Sanction(no_claims=True, dead_hand=True),
                ),
            )
        ),
    ),
)

SPOKEN_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "false_claim": ("陪打",),
    "empty_call": ("空喊", "空叫"),
    "touching_wall": ("陪打",),
    "false_hu": ("诈和", "詐和", "炸和", "陪打", "chombo"),
    "shown_tiles": ("陪打",),
    "wrong_tile_count": ("大相公", "小相公", "多张", "多張", "少张", "少張", "陪打"),
    "passing_information": ("陪打",),
    "shown_without_hu": ("陪打",),
    "reaching_across": ("陪打",),
    "wrong_end_kept": ("陪打",),
    "claimed_tile_left": ("陪打",),
    "winning_hand_apart": ("陪打",),
}
"""What players call a foul besides its names, for searches; 陪打 is to play on with a dead hand.

By key, because the saved foul book of a tournament does not contain them.
"""

FORGOT_WINNING_TILE: Final = Foul(
    "forgot_winning_tile",
    Names("Forgetting the winning tile", "忘取和牌张", "忘取和牌張"),
    Names(
        "Wins by a discard and forgets to take the winning tile.",
        "点和后忘记取走所和的牌。",
        "點和後忘記取走所和的牌。",
    ),
    EUROPEAN_PRACTICE,
    Fixed(fine(10)),
)

MWT: Final = FoulBook("mwt", BASE_FOULS)
"""The fouls of the printed rules alone."""
MCR: Final = FoulBook("mcr", (*BASE_FOULS, FORGOT_WINNING_TILE))
"""The fouls of the printed rules and of European practice."""


def _with_rule(key: str, rule: Rule, sources: Mapping[str, Names]) -> Foul:
    """Return a base foul with the rule of another source."""
    foul = MWT.find(key)
    if foul is None:
        raise KeyError(key)
    return replace(foul, rule=rule, source=sources[key])


_GUIDE: Final = replace(MWT, key="guide").with_fouls(
    _with_rule(
        "false_hu",
        Cases((UNDER_MINIMUM, NOT_COMPLETE)),
        GUIDE_SOURCES,
    ),
)

_CHINA_1998: Final = replace(MWT, key="china1998").with_fouls(
    _with_rule(
        "late",
        Late(
            ((10, Sanction(warning=True, points=points(10))), (15, fine(20))),
            beyond=Sanction(session_forfeited=True),
        ),
        CHINA_1998_SOURCES,
    ),
    _with_rule("empty_call", Ladder(STEPS, RepeatScope.HAND), CHINA_1998_SOURCES),
    _with_rule(
        "touching_wall",
        Ladder(STEPS, RepeatScope.HAND, if_seen=DEAD_HAND),
        CHINA_1998_SOURCES,
    ),
    _with_rule(
        "false_hu",
        Cases(
            (
                UNDER_MINIMUM,
                Case("not_ready", Names("Not even waiting", "未听牌", "未聽牌"), TWENTY_EACH),
                Case(
                    "intentional",
                    Names("Intentional", "故意诈和", "故意詐和"),
                    Sanction(disqualification=True),
                ),
            )
        ),
        CHINA_1998_SOURCES,
    ),
)

_MERS: Final = FoulBook(
    "mers",
    (*MERS_FOULS, *(foul for foul in BASE_FOULS if foul.key in ("rules_violation", "wrong_tile_count"))),
)
"""The fouls of the MERS regulations; two of the rulebook, to which they refer, for what they do not mention."""

FOUL_BOOKS: Final[Mapping[str, FoulBook]] = {
    book.key: book for book in (MCR, MWT, _GUIDE, _CHINA_1998, _MERS)
}


def find_foul_book(key: str) -> FoulBook:
    """Return the foul book with this key. Raises KeyError if there is none."""
    return FOUL_BOOKS[key]
