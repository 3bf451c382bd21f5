"""A judged hand on a page, from the engine's plain data (`scoring.calculator.Answer.to_json`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.translation import get_language

from scoring.book.texts import fan_link
from scoring.engine import Fan, find_fan, find_rulebook
from scoring.engine.fans import FanType, type_of
from scoring.engine.score import WAITS
from scoring.texts import clause_text, fan_name, rulebook_called, tile_name
from tournament.play.display import fans_counted, fans_named
from tournament.play.texts import verdict
from tournament.web.texts.words import Placed, lay_meld

register = template.Library()
register.filter("clause_text", clause_text)
register.filter("conditions", verdict.conditions)
register.filter("shortfall", verdict.shortfall)
register.filter("sum_label", verdict.sum_label)
register.filter("lines_that_count", verdict.lines_that_count)
register.filter("fan_list", verdict.fan_list)
register.filter("fans_counted", fans_counted)
register.filter("fans_named", fans_named)
register.filter("payments", verdict.payments)
register.filter("points_text", verdict.points_text)
register.filter("tile_name", tile_name)
register.simple_tag(verdict.made_of, name="made_of")

Fact = Mapping[str, Any]
Sets = list[list[Placed]]
KEYS_OF_WAITS = {fan.key for fan in WAITS}


@register.inclusion_tag("components/fan.html")
def fan(line: Fact) -> dict[str, Any]:
    """A fan's name in the reader's language, which leads to its page, how often it is made, and its other name."""
    found = find_fan(line["key"])
    return fan_names(found) | {"times": line["count"], "url": fan_link(found)}


@register.inclusion_tag("components/fan.html")
def fan_names(found: Fan) -> dict[str, Any]:
    """A fan's name in the reader's language, and its other name."""
    in_chinese = (get_language() or "").startswith("zh")
    other, language = (found.en, "en") if in_chinese else (found.zh_hans, "zh-Hans")
    return {"name": fan_name(found), "other": other, "language": language}


@register.inclusion_tag("components/fan.html")
def fan_alone(one: Fan | str) -> dict[str, Any]:
    """A fan's name in the reader's language, which leads to its page, and nothing else; by its key as well."""
    found = find_fan(one) if isinstance(one, str) else one
    return {"name": fan_name(found), "url": fan_link(found), "plain": True}


register.filter("fan_link", fan_link)
register.filter("rulebook_called", rulebook_called)
register.filter("fan_name", fan_name)


@register.filter
def fan_called(key: str) -> str:
    """The name of a fan by its key."""
    return fan_name(find_fan(key))


@register.filter
def without_flowers(lines: list[Fact]) -> list[Fact]:
    return [line for line in lines if line["key"] != Fan.FLOWER_TILES.key]


@register.filter
def link(score: Fact) -> str:
    """The query that opens the calculator on a hand (`Score.worth`)."""
    return f"?{urlencode({'hand': score['notation'], 'rulebook': score['rulebook']})}"


@register.filter
def total(line: Fact) -> int:
    """What a fan comes to."""
    return int(line["points"] * line["count"])


@register.filter
def worth(rejection: Fact, rulebook: str) -> int:
    """What a fan that was not counted would have come to."""
    one = find_fan(rejection["key"])
    return int(rejection["count"] * find_rulebook(rulebook).points.get(one, one.points))


@register.simple_tag
def sets_of(found: Fact, line: Fact, most: int | None = None) -> list[Sets]:
    """For each time that a fan is made, its sets laid out; a wait shows the winning tile."""
    if line["key"] == Fan.FLOWER_TILES.key:
        return [[[Placed("f1")]]]
    if not found["reading"]:
        return []
    won = found["completed"] if line["key"] in KEYS_OF_WAITS else None
    return [[_laid(found, place, won) for place in places] for places in line["groups"][:most]]


@register.simple_tag
def pattern(found: Fact, key: str) -> Sets:
    """What makes a fan in a hand that counts it: its sets, or the whole hand; for a way to win, with the tile."""
    line = next(line for line in found["fans"] if line["key"] == key)
    if sets := sets_of(found, line, most=1):
        return sets[0]
    if type_of(find_fan(key)) is FanType.WAITS:
        return [tiles for _, tiles in captioned(found)]
    return laid_out(found["reading"])


@register.filter
def captioned(found: Fact) -> list[tuple[str, list[Placed]]]:
    """The reading: each group under its caption, laid out."""
    laid = [_laid(found, place, found["completed"]) for place in range(len(found["reading"]["groups"]))]
    return list(zip(verdict.captions(found), laid, strict=True))


@register.filter
def laid_out(reading: Fact) -> Sets:
    """Another reading's groups."""
    return [lay_group(group) for group in reading["groups"]]


def _laid(found: Fact, place: int, won: int | None) -> list[Placed]:
    return lay_group(
        found["reading"]["groups"][place], found["hand"]["winning_tile"] if place == won else None
    )


def lay_group(group: Fact, winning: str | None = None) -> list[Placed]:
    """A group as it lies, its winning tile marked."""
    if group["form"] == "kong" or not group["concealed"]:
        return list(lay_meld(group))
    tiles = [Placed(tile) for tile in group["tiles"]]
    if winning:
        last = len(tiles) - 1 - group["tiles"][::-1].index(winning)
        tiles[last] = Placed(winning, win=True)
    return tiles
