"""Tags and filters that show a judged hand, from its JSON (`scoring.calculator.Answer.to_json`)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.translation import get_language

from scoring.book.terms import fan_link
from scoring.engine import Fan, find_fan, find_rulebook
from scoring.engine.fans import FanType, type_of
from scoring.engine.score import WAITS
from scoring.texts import clause_text, fan_name, scoring_name, tile_name
from tournament.play.display import fans_counted, fans_named
from tournament.play.texts import verdict
from tournament.web.texts.words import Placed, lay_meld

register = template.Library()
register.filter("clause_text", clause_text)
register.filter("conditions", verdict.conditions)
register.filter("shortfall", verdict.shortfall)
register.filter("sum_label", verdict.sum_label)
register.filter("counting_lines", verdict.counting_lines)
register.filter("fan_link", fan_link)
register.filter("join_fans", verdict.join_fans)
register.filter("fan_name", fan_name)
register.filter("fans_counted", fans_counted)
register.filter("fans_named", fans_named)
register.filter("payments", verdict.payments)
register.filter("points_text", verdict.points_text)
register.filter("scoring_name", scoring_name)
register.filter("tile_name", tile_name)
register.simple_tag(verdict.sets_text, name="sets_text")

Fact = Mapping[str, Any]
Sets = list[list[Placed]]
KEYS_OF_WAITS = {fan.key for fan in WAITS}


@register.inclusion_tag("components/fan.html")
def fan(line: Fact) -> dict[str, Any]:
    """Show a fan's name with a link, how often it counts, and its name in the other language."""
    counted = find_fan(line["key"])
    return fan_names(counted) | {"times": line["count"], "url": fan_link(counted)}


@register.inclusion_tag("components/fan.html")
def fan_names(fan: Fan) -> dict[str, Any]:
    """Show a fan's name, and its name in the other language."""
    in_chinese = (get_language() or "").startswith("zh")
    other, language = (fan.en, "en") if in_chinese else (fan.zh_hans, "zh-Hans")
    return {"name": fan_name(fan), "other": other, "language": language}


@register.inclusion_tag("components/fan.html")
def fan_alone(fan_or_key: Fan | str) -> dict[str, Any]:
    """Show a fan's name with a link."""
    fan = find_fan(fan_or_key) if isinstance(fan_or_key, str) else fan_or_key
    return {"name": fan_name(fan), "url": fan_link(fan), "plain": True}


@register.filter
def fan_called(key: str) -> str:
    """Return the name of a fan by its key."""
    return fan_name(find_fan(key))


@register.filter
def without_flowers(lines: list[Fact]) -> list[Fact]:
    return [line for line in lines if line["key"] != Fan.FLOWER_TILES.key]


@register.filter
def link(score: Fact) -> str:
    """Return the query that opens the calculator on a hand (`Score.worth`)."""
    return f"?{urlencode({'hand': score['notation'], 'rulebook': score['rulebook']})}"


@register.filter
def total(line: Fact) -> int:
    """Return the points of a fan, times included."""
    return int(line["points"] * line["count"])


@register.filter
def worth(rejection: Fact, rulebook: str) -> int:
    """Return the points that a rejected fan would have."""
    fan = find_fan(rejection["key"])
    return int(rejection["count"] * find_rulebook(rulebook).points.get(fan, fan.points))


@register.simple_tag
def sets_of(score: Fact, line: Fact, maximum: int | None = None) -> list[Sets]:
    """Lay out the sets of a fan for each time it counts; a wait shows the winning tile."""
    if line["key"] == Fan.FLOWER_TILES.key:
        return [[[Placed("f1")]]]
    if not score["reading"]:
        return []
    won = score["completed"] if line["key"] in KEYS_OF_WAITS else None
    return [[_lay_place(score, place, won) for place in places] for places in line["groups"][:maximum]]


@register.simple_tag
def pattern(score: Fact, key: str) -> Sets:
    """Lay out the sets that make a fan, or the whole hand; for a wait with the winning tile."""
    line = next(line for line in score["fans"] if line["key"] == key)
    if sets := sets_of(score, line, maximum=1):
        return sets[0]
    if type_of(find_fan(key)) is FanType.WAITS:
        return [tiles for _, tiles in captioned(score)]
    return laid_out(score["reading"])


@register.filter
def captioned(score: Fact) -> list[tuple[str, list[Placed]]]:
    """Lay out the groups of the reading, each with its caption."""
    laid = [_lay_place(score, place, score["completed"]) for place in range(len(score["reading"]["groups"]))]
    return list(zip(verdict.captions(score), laid, strict=True))


@register.filter
def laid_out(reading: Fact) -> Sets:
    """Lay out the groups of another reading."""
    return [lay_group(group) for group in reading["groups"]]


def _lay_place(score: Fact, place: int, won: int | None) -> list[Placed]:
    return lay_group(
        score["reading"]["groups"][place], score["hand"]["winning_tile"] if place == won else None
    )


def lay_group(group: Fact, winning: str | None = None) -> list[Placed]:
    """Lay out a group as it lies, its winning tile marked."""
    if group["form"] == "kong" or not group["concealed"]:
        return list(lay_meld(group))
    tiles = [Placed(tile) for tile in group["tiles"]]
    if winning:
        last = len(tiles) - 1 - group["tiles"][::-1].index(winning)
        tiles[last] = Placed(winning, win=True)
    return tiles
