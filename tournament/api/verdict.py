"""A judged hand as the desk shows it: fans with the tiles that make them, the sum, what each player pays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.engine import CountedFan, Fan, Form, Group, Reading, Score
from scoring.engine.rejections import Rejection, rejections
from scoring.texts import clause_text, fan_name, joined
from tournament.engine.judge import Verdict
from tournament.engine.outlook import Outlook
from tournament.words.reasons import reason
from tournament.words.tiles import Placed, lay_meld

Line = dict[str, Any]
_NOTHING_SHORT = {"title": "", "why": "", "note": ""}


def receipt(verdict: Verdict) -> dict[str, Any] | None:
    """The lines, the sum, what was not counted, and why it is not enough; None where there are no fans to list."""
    if verdict.score is not None:
        return _of_tiles(verdict.score)
    if verdict.announced is None or not verdict.announced.fans:
        return None
    lines = [
        {"name": fan_name(fan), "points": times * points, "count": times, "sets": []}
        for fan, times, points in verdict.announced.fans
    ]
    return {
        "lines": lines,
        "not_counted": [],
        "points": verdict.announced.points,
        "enough": True,
    } | _NOTHING_SHORT


def _of_tiles(score: Score) -> dict[str, Any] | None:
    if not score.win or score.reading is None:
        return None
    fans = [fan for fan in score.fans if score.meets_minimum or fan.fan is not Fan.FLOWER_TILES]
    return {
        "lines": [_line(fan, score.reading) for fan in fans],
        "not_counted": [_not_counted(rejection) for rejection in rejections(score)],
        "points": score.counted_points,
        "enough": score.meets_minimum,
    } | (_NOTHING_SHORT if score.meets_minimum else _shortfall(score))


def _shortfall(score: Score) -> dict[str, str]:
    flowers = score.hand.flowers
    return {
        "title": _short(score.points_without_flowers, score.rulebook.minimum),
        "why": _why_short(score),
        "note": _flowers_not_counted(flowers) if flowers else "",
    }


def payments(
    verdict: Verdict, before: Mapping[int, int], replaced: Mapping[str, int]
) -> list[dict[str, int]]:
    """[{"player", "change", "before", "after"}], the winner first, then who pays most.

    `before`: the scores now. `replaced`: the payments of the version that a correction takes the place of; their
    effect is in `before` already.
    """
    rows = [
        {
            "player": player,
            "change": change,
            "before": before[player],
            "after": before[player] + change - replaced.get(str(player), 0),
        }
        for player, change in verdict.payments.items()
    ]
    return sorted(rows, key=lambda row: (row["change"] <= 0, row["change"]))


def outlook_as_json(outlook: Outlook | None) -> dict[str, Any] | None:
    """{"points", "tiles", "enough", "text"}: "Mixed Straight 8, All Types 6"."""
    if outlook is None:
        return None
    names = [f"{fan_name(fan.fan)} {fan.total}" for fan in outlook.score.fans]
    return {
        "points": outlook.score.points,
        "tiles": outlook.tiles,
        "enough": outlook.score.meets_minimum,
        "text": joined(names),
    }


def _line(counted: CountedFan, reading: Reading) -> Line:
    line: Line = {"name": fan_name(counted.fan), "points": counted.total, "count": counted.count, "sets": []}
    if counted.fan is Fan.FLOWER_TILES:
        return line | {"sets": [[{"code": "f1"}]]}
    places = {place for group in counted.groups for place in group}
    groups = sorted((reading.groups[place] for place in places), key=lambda group: group.tiles[0])
    return line | {"sets": [_group(group) for group in groups]}


def _not_counted(rejection: Rejection) -> dict[str, str]:
    return {
        "name": fan_name(rejection.fan),
        "reason": reason(rejection),
        "clause": clause_text(rejection.clause),
    }


def _group(group: Group) -> list[dict[str, Any]]:
    if group.form is Form.KONG:
        return [_placed(placed) for placed in lay_meld({"tiles": group.tiles, "concealed": group.concealed})]
    return [{"code": tile} for tile in group.tiles]


def _placed(placed: Placed) -> dict[str, Any]:
    return {"code": placed.code, "side": placed.side}


def _short(points: int, minimum: int) -> str:
    return ngettext(
        "{points} point: {missing} short of {minimum}",
        "{points} points: {missing} short of {minimum}",
        points,
    ).format(points=points, missing=minimum - points, minimum=minimum)


def _why_short(score: Score) -> str:
    minimum = score.rulebook.minimum
    sentence = _("A hand needs {minimum} points before flowers.").format(minimum=minimum)
    if score.hand.flowers and score.points_without_flowers + score.hand.flowers >= minimum:
        sentence += " " + _("Flowers count only once the hand stands.")
    return sentence


def _flowers_not_counted(flowers: int) -> str:
    return ngettext("flower not counted", "flowers not counted", flowers)
