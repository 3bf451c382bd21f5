"""The fouls of the European Mahjong Association's tournament regulations (MERS), in the order of their clauses.

Clauses without a sanction stand in the description of the foul that they belong to. Fouls with a warning and
progressive penalties have one count for each player (3.1, 3.6; Penalties overview, 20 June 2009), whichever it was.
"""

from typing import Final

from penalties.engine.catalogue import Foul
from penalties.engine.facts import RepeatScope
from penalties.engine.false_hu import NOT_COMPLETE, UNDER_MINIMUM
from penalties.engine.rules import Case, Cases, Fixed, Ladder, Late, Rule
from penalties.engine.sanctions import DEAD_HAND, NO_SANCTION, STEPS, Sanction, fine
from penalties.engine.sources import MERS_SOURCES
from scoring.engine.names import Names

_LADDER: Final = Ladder(STEPS, RepeatScope.ANY_FOUL)
_DISQUALIFICATION: Final = Sanction(disqualification=True)
_SHOWN_FIRST: Final = Sanction(obligatory_discard=True)
_LADDER_SHOWN_FIRST: Final = Ladder(tuple(step | _SHOWN_FIRST for step in STEPS), RepeatScope.ANY_FOUL)


def _foul(key: str, names: Names, description: Names, rule: Rule) -> Foul:
    return Foul(key, names, description, MERS_SOURCES[key], rule)


MERS_FOULS: Final = (
    _foul(
        "late",
        Names("Late", "迟到", "遲到"),
        Names(
            "Not at the table when the session begins; the others wait for 15 minutes. After that the session is lost "
            "with 0 table points, and a substitute plays it.",
            "比赛开始后仍未到场；其他选手等候 15 分钟。超过 15 分钟，判本轮负，标准分为 0，由替补代打。",
            "比賽開始後仍未到場；其他選手等候 15 分鐘。超過 15 分鐘，判本輪負，標準分為 0，由替補代打。",
        ),
        Late(((10, fine(10)), (15, fine(20))), beyond=Sanction(session_forfeited=True)),
    ),
    _foul(
        "passing_information",
        Names("Passing information", "传递信息", "傳遞訊息"),
        Names(
            "Passes information to another player, or comments on a mistake that another player has made; the umpire "
            "may impose more.",
            "向他人传递信息，或评论他人的失误；裁判可以加重处罚。",
            "向他人傳遞訊息，或評論他人的失誤；裁判可以加重處罰。",
        ),
        _LADDER,
    ),
    _foul(
        "empty_call",
        Names("Call that is not made", "空吃、空碰、空杠", "空吃、空碰、空槓"),
        Names(
            "Makes a call that is impossible or comes more than three seconds after the discard, or does not carry out "
            "the first of two calls.",
            "所喊的吃、碰、杠不能成立，或在打牌 3 秒之后才喊，或先后喊了两次而未执行先喊的一次。",
            "所喊的吃、碰、槓不能成立，或在打牌 3 秒之後才喊，或先後喊了兩次而未執行先喊的一次。",
        ),
        _LADDER,
    ),
    _foul(
        "nonstandard_hu",
        Names("Hu as the second call", "喊吃、碰、杠后又喊和", "喊吃、碰、槓後又喊和"),
        Names(
            "Calls chow, pung or kong and then hu. The first call has to be carried out, and the player may win at a "
            "later chance. If the first call is impossible, it counts as a call that is not made.",
            "先喊吃、碰、杠，又喊和。须执行先喊的一次，以后仍可和牌。先喊的不能成立时，按空吃、空碰、空杠处理。",
            "先喊吃、碰、槓，又喊和。須執行先喊的一次，以後仍可和牌。先喊的不能成立時，按空吃、空碰、空槓處理。",
        ),
        Fixed(Sanction(no_win_this_turn=True)),
    ),
    _foul(
        "wrong_word",
        Names("Wrong word for a call", "喊牌用语错误", "喊牌用語錯誤"),
        Names(
            "Uses another word than chow, pung or kong; the action is void.",
            "未用“吃”“碰”“杠”喊牌；动作无效。",
            "未用「吃」「碰」「槓」喊牌；動作無效。",
        ),
        _LADDER,
    ),
    _foul(
        "shown_without_hu",
        Names("Tiles shown without saying hu", "亮牌未喊和", "亮牌未喊和"),
        Names(
            "Uses another word than hu, or shows the tiles or takes the discard before saying it; plays on.",
            "未用“和”字喊和，或在喊和之前亮牌、取牌；须继续比赛。",
            "未用「和」字喊和，或在喊和之前亮牌、取牌；須繼續比賽。",
        ),
        Fixed(DEAD_HAND),
    ),
    _foul(
        "wrong_end",
        Names("Tile from the wrong end, put back", "从错误一端摸牌，已放回", "從錯誤一端摸牌，已放回"),
        Names(
            "Draws from the wrong end of the wall and has not placed the tile among the others; it is put back. "
            "Taking the first tiles in the wrong order has no penalty: the right order is kept from then on.",
            "从牌墙错误的一端摸牌，尚未归入手牌；须将牌放回。开牌后抓牌顺序有误不予处罚，此后按正确顺序抓牌。",
            "從牌牆錯誤的一端摸牌，尚未歸入手牌；須將牌放回。開牌後抓牌順序有誤不予處罰，此後按正確順序抓牌。",
        ),
        _LADDER,
    ),
    _foul(
        "wrong_end_kept",
        Names("Tile from the wrong end, kept", "从错误一端摸牌，已归入手牌", "從錯誤一端摸牌，已歸入手牌"),
        Names(
            "Draws from the wrong end of the wall and places the tile among the others; it is kept. Opponents may "
            "point it out.",
            "从牌墙错误的一端摸牌，并已归入手牌；该牌保留。其他选手可以指出。",
            "從牌牆錯誤的一端摸牌，並已歸入手牌；該牌保留。其他選手可以指出。",
        ),
        Fixed(DEAD_HAND),
    ),
    _foul(
        "touching_wall",
        Names("Touching the wall", "触摸牌墙", "觸摸牌牆"),
        Names(
            "Touches a tile of the wall and thereby takes it; the discard can no longer be claimed. Reaching for a "
            "tile without touching it is no action.",
            "触摸牌墙上的牌，即视为摸牌；不得再喊打出的牌。伸手而未触及的，不算动作。",
            "觸摸牌牆上的牌，即視為摸牌；不得再喊打出的牌。伸手而未觸及的，不算動作。",
        ),
        Fixed(Sanction(lost_claim=True)),
    ),
    _foul(
        "early_claim",
        Names("Tiles shown or taken before the call", "喊牌前亮牌或取牌", "喊牌前亮牌或取牌"),
        Names(
            "Shows tiles or takes a discard before calling chow, pung or kong; the action is void, and the shown tiles "
            "are discarded first.",
            "喊吃、碰、杠之前已亮牌或取牌；动作无效，亮出的牌须先行打出。",
            "喊吃、碰、槓之前已亮牌或取牌；動作無效，亮出的牌須先行打出。",
        ),
        _LADDER_SHOWN_FIRST,
    ),
    _foul(
        "tile_taken_first",
        Names("Discard taken before tiles are shown", "亮牌前取牌", "亮牌前取牌"),
        Names(
            "Takes the claimed discard before showing the matching tiles; the action stands.",
            "喊牌后未亮出相应的牌，先取走打出的牌；动作有效。",
            "喊牌後未亮出相應的牌，先取走打出的牌；動作有效。",
        ),
        _LADDER,
    ),
    _foul(
        "claimed_tile_left",
        Names("Claimed tile not taken", "喊牌后未取牌", "喊牌後未取牌"),
        Names(
            "Has not taken the claimed tile by the time the second next player has discarded.",
            "下两家打出牌时，仍未取走所喊的牌。",
            "下兩家打出牌時，仍未取走所喊的牌。",
        ),
        Fixed(DEAD_HAND),
    ),
    _foul(
        "false_claim_noticed",
        Names(
            "False set or flower, noticed at once",
            "错吃、错碰、错杠、错补花，及时发现",
            "錯吃、錯碰、錯槓、錯補花，及時發現",
        ),
        Names(
            "Lays down a false set that is noticed before the discard, or a false flower before the replacement is "
            "among the tiles; the shown tiles are discarded first.",
            "吃、碰、杠的牌不成立，打牌之前即发现；或补花有误，补牌归入手牌之前即发现。亮出的牌须先行打出。",
            "吃、碰、槓的牌不成立，打牌之前即發現；或補花有誤，補牌歸入手牌之前即發現。亮出的牌須先行打出。",
        ),
        _LADDER_SHOWN_FIRST,
    ),
    _foul(
        "false_claim",
        Names(
            "False set or flower, noticed later",
            "错吃、错碰、错杠、错补花，其后发现",
            "錯吃、錯碰、錯槓、錯補花，其後發現",
        ),
        Names(
            "Lays down a false set that is noticed after the discard, or a false flower with the replacement among the "
            "tiles; the shown tiles count as on the table for Last Tile. A false flower counts as a discard: others "
            "may win by it.",
            "吃、碰、杠的牌不成立，打牌之后才发现；或补花有误，补牌归入手牌之后才发现。计算和绝张时，亮出的牌视为已亮明。"
            "误补的花牌视为打出的牌，他人可以和牌。",
            "吃、碰、槓的牌不成立，打牌之後才發現；或補花有誤，補牌歸入手牌之後才發現。計算和絕張時，亮出的牌視為已亮明。"
            "誤補的花牌視為打出的牌，他人可以和牌。",
        ),
        Fixed(DEAD_HAND),
    ),
    _foul(
        "knocked_tiles",
        Names("Knocking over tiles of another player", "撞倒他人立牌", "撞倒他人立牌"),
        Names(
            "Knocks over tiles of another player; the umpire may impose more. Knocking over own tiles or tiles of "
            "the wall has no penalty.",
            "撞倒他人的立牌；裁判可以加重处罚。撞倒自己的牌或牌墙上的牌不予处罚。",
            "撞倒他人的立牌；裁判可以加重處罰。撞倒自己的牌或牌牆上的牌不予處罰。",
        ),
        _LADDER,
    ),
    _foul(
        "winning_hand_apart",
        Names("Winning hand not kept together", "和牌后手牌未保持完整", "和牌後手牌未保持完整"),
        Names(
            "Uses tiles of the winning hand for counting; own flowers used for counting do not count. If the winning "
            "tile is not shown clearly, there are no points for the three waits, Last Tile and Nine Gates.",
            "用和牌的手牌计数；用自己的花牌计数的，花牌不计分。和牌张未清楚亮明的，不计边张、坎张、单钓将、和绝张和九莲宝灯。",
            "用和牌的手牌計數；用自己的花牌計數的，花牌不計分。和牌張未清楚亮明的，不計邊張、坎張、單釣將、和絕張和九蓮寶燈。",
        ),
        Fixed(DEAD_HAND),
    ),
    _foul(
        "forgot_winning_tile",
        Names("Forgetting the winning tile", "忘取和牌张", "忘取和牌張"),
        Names(
            "Wins by a discard and forgets to take the winning tile; the hand counts as usual.",
            "点和后忘记取走所和的牌；该盘照常计分。",
            "點和後忘記取走所和的牌；該盤照常計分。",
        ),
        Fixed(fine(10)),
    ),
    _foul(
        "shown_tiles",
        Names("Tiles shown after a false hu", "他人错和后亮牌", "他人錯和後亮牌"),
        Names(
            "Shows tiles after a false hu of another player; the shown tiles are discarded first.",
            "他人错和后亮出自己的牌；亮出的牌须先行打出。",
            "他人錯和後亮出自己的牌；亮出的牌須先行打出。",
        ),
        Fixed(DEAD_HAND | _SHOWN_FIRST),
    ),
    _foul(
        "wall_destroyed",
        Names("Wall destroyed early", "提前推倒牌墙", "提前推倒牌牆"),
        Names(
            "Destroys the wall or the discards before the hand is settled; the umpire may impose more.",
            "本盘尚未结算即推倒牌墙或弄乱打出的牌；裁判可以加重处罚。",
            "本盤尚未結算即推倒牌牆或弄亂打出的牌；裁判可以加重處罰。",
        ),
        _LADDER,
    ),
    _foul(
        "false_hu",
        Names("False hu", "错和", "錯和"),
        Names(
            "Says hu without a valid winning hand. Tiles shown with it need not be discarded first.",
            "未成和牌或不足起和分而喊“和”。随之亮出的牌不必先行打出。",
            "未成和牌或不足起和分而喊「和」。隨之亮出的牌不必先行打出。",
        ),
        Cases(
            (
                Case("not_shown", Names("The tiles were not shown", "未亮牌", "未亮牌"), DEAD_HAND),
                UNDER_MINIMUM,
                NOT_COMPLETE,
            )
        ),
    ),
    _foul(
        "obstruction",
        Names("Obstruction or stalling", "妨碍或拖延比赛", "妨礙或拖延比賽"),
        Names(
            "Obstructs or stalls play, or shows tiles in a severe way: 10 to 60 points, a dead hand, or both. A turn "
            "takes at most ten seconds, from the tile to the discard. A repeat in the tournament leads to "
            "disqualification.",
            "妨碍或拖延比赛，或严重亮牌：扣 10 至 60 分，或取消本盘和牌权，或两者并罚。从取牌到打牌不超过 10 秒。"
            "本次比赛中再犯，取消比赛资格。",
            "妨礙或拖延比賽，或嚴重亮牌：扣 10 至 60 分，或取消本盤和牌權，或兩者並罰。從取牌到打牌不超過 10 秒。"
            "本次比賽中再犯，取消比賽資格。",
        ),
        Ladder((NO_SANCTION, _DISQUALIFICATION), RepeatScope.TOURNAMENT),
    ),
    _foul(
        "cheating",
        Names("Cheating", "作弊", "作弊"),
        Names(
            "Hides or swaps a tile or otherwise cheats.",
            "藏牌、换牌或以其他方式作弊。",
            "藏牌、換牌或以其他方式作弊。",
        ),
        Fixed(_DISQUALIFICATION),
    ),
    _foul(
        "severe_disturbance",
        Names("Severe disturbance", "严重扰乱比赛", "嚴重擾亂比賽"),
        Names(
            "Disturbs the competition severely.",
            "严重扰乱比赛秩序。",
            "嚴重擾亂比賽秩序。",
        ),
        Fixed(_DISQUALIFICATION),
    ),
)
