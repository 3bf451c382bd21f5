"""The fans of a rulebook as the desk's script lists, searches and checks them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language

from scoring.engine import Fan, Rulebook, barred_by, most_times
from scoring.engine.named import DISCARDED, DRAWN
from scoring.engine.pinyin import typed
from scoring.texts import fan_name

COMMON = (
    *(Fan.MIXED_SHIFTED_CHOWS, Fan.MIXED_STRAIGHT, Fan.ALL_CHOWS, Fan.CONCEALED_HAND, Fan.FLOWER_TILES),
    *(Fan.MIXED_DOUBLE_CHOW, Fan.HALF_FLUSH, Fan.ALL_PUNGS, Fan.MIXED_TRIPLE_CHOW, Fan.PURE_STRAIGHT),
    *(Fan.DRAGON_PUNG, Fan.PUNG_OF_TERMINALS_OR_HONORS, Fan.ALL_TYPES, Fan.MELDED_HAND, Fan.NO_HONORS),
    *(Fan.SELF_DRAWN, Fan.FULLY_CONCEALED_HAND, Fan.ONE_VOIDED_SUIT, Fan.SINGLE_WAIT, Fan.CLOSED_WAIT),
    *(Fan.EDGE_WAIT, Fan.SHORT_STRAIGHT, Fan.TWO_TERMINAL_CHOWS, Fan.PURE_DOUBLE_CHOW, Fan.ALL_SIMPLES),
    *(Fan.OUTSIDE_HAND, Fan.SEVEN_PAIRS, Fan.FULL_FLUSH, Fan.KNITTED_STRAIGHT, Fan.LAST_TILE, Fan.TILE_HOG),
)
"""What is won with most stands first until the device knows better; the rest follows in the order of the rules."""


def fan_list(rulebook: Rulebook) -> list[dict[str, Any]]:
    """[{"key", "name", "other", "search", "points", "most", "barred", "won", "follows", "flower"}].

    `barred`: beside which fan → how often it still counts; `won`: drawn, discard or either way; `follows`: it counts
    in every self-drawn hand unless another fan that asks for a drawn tile does.
    """
    ranked = {fan: place for place, fan in enumerate(COMMON)}
    fans = sorted(rulebook.points, key=lambda fan: (ranked.get(fan, len(ranked)), fan.number))
    return [_fan(fan, rulebook) for fan in fans]


def _fan(fan: Fan, rulebook: Rulebook) -> dict[str, Any]:
    points = rulebook.points[fan]
    return {
        "key": fan.key,
        "name": fan_name(fan),
        "other": fan.zh_hans if (get_language() or "en") == "en" else fan.en,
        "search": " ".join((fan.en.lower(), fan.zh_hans, fan.zh_hant, str(points), *typed(fan))),
        "points": points,
        "most": most_times(fan),
        "barred": {by.key: times for by, times in barred_by(fan, rulebook).items()},
        "won": "drawn" if fan in DRAWN else "discard" if fan in DISCARDED else "",
        "follows": fan is Fan.SELF_DRAWN,
        "flower": fan is Fan.FLOWER_TILES,
    }
