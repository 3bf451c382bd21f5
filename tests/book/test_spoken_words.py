"""What players call fans and fouls, in the searches of the desk and of the book."""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine.books import MCR as MCR_FOULS
from penalties.engine.catalogue import FoulBook
from penalties.texts import foul_options
from scoring.book.fans import FanFilter
from scoring.book.terms import search_words
from scoring.engine import FANS, MCR
from tournament.play.views.desk import fan_list

SPOKEN_FANS = {
    "pure_double_chow": "一杯口",
    "two_terminal_chows": "老少配",
    "one_voided_suit": "缺门 缺門",
    "closed_wait": "嵌张 嵌張 卡张 卡張 夹张 夾張",
    "single_wait": "单吊 單吊 单骑 單騎",
    "dragon_pung": "三元牌",
    "prevalent_wind": "场风 場風",
    "seat_wind": "自风 自風",
    "concealed_hand": "门清 門清",
    "all_chows": "平胡",
    "all_simples": "断么 斷么 断幺九 斷幺九 断么九 斷么九",
    "outside_hand": "全带么 全帶么 混全带 混全帶",
    "fully_concealed_hand": "门清自摸 門清自摸",
    "all_pungs": "对对胡 對對胡 对对碰 對對碰",
    "all_types": "五门 五門",
    "robbing_the_kong": "抢杠 搶杠和",
    "chicken_hand": "鸡胡 雞胡 鸡和 雞和",
    "mixed_straight": "三色龙 三色龍",
    "mixed_triple_chow": "三色同顺 三色同順",
    "out_with_replacement_tile": "杠开 槓開 杠上花 槓上花",
    "lesser_honors_and_knitted_tiles": "十三不靠 十三烂 十三爛",
    "greater_honors_and_knitted_tiles": "七星",
    "pure_straight": "一条龙 一條龍 一气通贯 一氣通貫",
    "triple_pung": "三色同刻",
    "seven_pairs": "七小对 七小對 七对子 七對子 七対",
    "pure_triple_chow": "一色三顺 一色三順",
    "pure_shifted_pungs": "三连刻 三連刻",
    "three_kongs": "三杠子 三槓子",
    "all_terminals_and_honors": "混么九 混玄九 混老头 混老頭",
    "quadruple_chow": "一色四顺 一色四順",
    "four_pure_shifted_pungs": "四连刻 四連刻",
    "all_terminals": "清么九 清老头 清老頭",
    "nine_gates": "九宝莲灯 九寶蓮燈",
    "four_kongs": "四杠子 四槓子 十八罗汉 十八羅漢",
    "shifted_seven_pairs": "七连对 七連對",
    "thirteen_orphans": "十三么 十三幺 国士无双 國士無雙",
}
SPOKEN_FOULS = {
    "empty_call": "空喊 空叫",
    "false_hu": "诈和 詐和 诈胡 詐胡 炸和 炸胡 错胡 錯胡 chombo",
    "wrong_tile_count": "相公 大相公 小相公 多张 多張 少张 少張",
}
DESK_FANS = {fan["key"]: fan["search"] for fan in fan_list(MCR)}
DESK_FOULS = {
    foul["key"]: foul["search"]
    for foul in foul_options(FoulBook.from_json(json.loads(json.dumps(MCR_FOULS.to_json()))))
}
"""As in a tournament, which has its foul book as JSON."""


def pairs(spoken: dict[str, str]) -> list[tuple[str, str]]:
    return [(word, key) for key, words in spoken.items() for word in words.split()]


def on_desk(searchable: dict[str, str], typed: str) -> list[str]:
    return [key for key, text in searchable.items() if all(word in text for word in search_words(typed))]


def test_a_fan_is_found_by_what_players_call_it(subtests: pytest.Subtests) -> None:
    for word, key in pairs(SPOKEN_FANS):
        with subtests.test(word):
            assert key in on_desk(DESK_FANS, word)
            assert key in [entry.key for entry in FanFilter(words=word).fans()]


def test_a_fan_is_found_by_the_initials_of_its_name(subtests: pytest.Subtests) -> None:
    for fan in FANS:
        initials = "".join(re.findall(r"\b[A-Za-z]", fan.en))
        if len(initials) > 1:
            with subtests.test(fan.key):
                assert fan in [entry.fan for entry in FanFilter(words=initials).fans()]
                assert fan not in MCR.points or fan.key in on_desk(DESK_FANS, initials)


def test_a_foul_is_found_by_what_players_call_it(client: Client, subtests: pytest.Subtests) -> None:
    for word, key in pairs(SPOKEN_FOULS):
        with subtests.test(word):
            assert on_desk(DESK_FOULS, word) == [key]
            for language in ("en", "zh-hans", "zh-hant"):
                headers = {"accept-language": language}
                page = client.get(reverse("foul_book"), {"q": word}, headers=headers)
                assert [foul["key"] for foul in page.context["fouls"]] == [key]
                rules = client.get(reverse("rules"), {"q": word}, headers=headers).text
                assert f'href="/fouls/#{key}"' in rules


def test_who_plays_on_with_a_dead_hand_is_found_as_players_say_it() -> None:
    fouls = [foul.key for foul in MCR_FOULS.fouls if '"dead_hand": true' in json.dumps(foul.to_json())]
    assert sorted(on_desk(DESK_FOULS, "陪打")) == sorted(fouls)


def test_a_search_of_the_foul_book_stays_in_its_rulebook(client: Client) -> None:
    page = client.get(reverse("foul_book"), {"rulebook": "guide", "q": "Pung, LATE"})
    assert page.context["book"].key == "guide"
    assert [foul["key"] for foul in page.context["fouls"]] == ["late_pung"]
    assert 'name="rulebook" value="guide"' in page.text
    assert "No fouls match." in client.get(reverse("foul_book"), {"q": "pinochle"}).text
