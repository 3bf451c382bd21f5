"""A hand's score as the calculator shows it: each fan with its tiles, each reason as a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from scoring.calculator import Elsewhere, Way
from scoring.engine import (
    CountedFan,
    Explanation,
    Fan,
    Improvement,
    OtherReading,
    Reading,
    Rejection,
    Score,
)
from scoring.texts import clause_text, fan_name, form_name, improvement_sentence, joined, joined_parts
from tournament.views.public.reading import WAITS, laid, numbers, won_in
from tournament.words.reasons import reason
from tournament.words.tiles import Placed, tile_name

Part = dict[str, Any]
MOST_OTHERS = 4
"""Other readings worth looking at."""
MOST_SHOWN = 1
"""Of a fan that was not counted, times shown with their tiles: one says it all."""


# --- fans -----------------------------------------------------------------------------------------------------------
def counted(score: Score) -> list[Part]:
    """The fans that count: [{"name", "other", "made_of", "clause", "times", "sets", "points"}]."""
    if score.reading is None:
        return []
    won = won_in(score)
    return [
        _named(line.fan)
        | {
            "made_of": _made_of(line.groups, score.reading) if line.fan is not Fan.FLOWER_TILES else "",
            "clause": clause_text(line.fan.clause),
            "times": line.count,
            "sets": _tiles(line, score, won),
            "points": line.total,
        }
        for line in score.fans
        if score.meets_minimum
        or line.fan is not Fan.FLOWER_TILES  # MCR 39: they count only once the hand stands
    ]


def rejected(explanation: Explanation) -> list[Part]:
    """The fans that looked claimable: as `counted`, with "reason" and the "tiles" it speaks of."""
    score = explanation.score
    return [_rejected(rejection, score) for rejection in explanation.rejections]


def _rejected(rejection: Rejection, score: Score) -> Part:
    found = score.reading
    groups = rejection.groups if found else ()
    return _named(rejection.fan) | {
        "reason": reason(rejection),
        "clause": clause_text(rejection.clause),
        "times": rejection.count,
        "sets": [[laid(found.groups[place]) for place in places] for places in groups[:MOST_SHOWN] if found],
        "points": rejection.count * score.rulebook.points.get(rejection.fan, rejection.fan.points),
    }


def _named(fan: Fan) -> Part:
    """The name in the reader's language, and the one beside it."""
    in_chinese = (get_language() or "").startswith("zh")
    other, language = (fan.en, "en") if in_chinese else (fan.zh_hans, "zh-Hans")
    return {"key": fan.key, "name": fan_name(fan), "other": other, "other_language": language}


def _tiles(line: CountedFan, score: Score, won: int | None) -> list[list[list[Placed]]]:
    """For each time counted, the groups that make the fan."""
    assert score.reading is not None
    if line.fan is Fan.FLOWER_TILES:
        return [[[Placed("f1")]]]
    groups = score.reading.groups
    waits = line.fan in WAITS
    return [
        [laid(groups[place], score.hand if waits and place == won else None) for place in places]
        for places in line.groups
    ]


def _made_of(groups: Sequence[Sequence[int]], found: Reading) -> str:
    """ "sets 1, 2, 3", "set 4, pair", "whole hand"."""
    places = sorted({place for places in groups for place in places})
    if not places:
        return _("whole hand")
    called = numbers(found)
    sets = [str(called[place]) for place in places if called[place] is not None]
    words = [ngettext("set {sets}", "sets {sets}", len(sets)).format(sets=joined(sets))] if sets else []
    words += [form_name(found.groups[place].form) for place in places if called[place] is None]
    return joined_parts(words)


# --- what else it could have been -----------------------------------------------------------------------------------
def other_readings(others: Iterable[OtherReading]) -> list[Part]:
    """The best of the readings that were not chosen: [{"points", "groups", "fans"}]."""
    return [
        {
            "points": other.points_without_flowers,
            "groups": [laid(group) for group in other.reading.groups],
            "fans": fan_list(line for line in other.fans if line.fan is not Fan.FLOWER_TILES),
        }
        for other in list(others)[:MOST_OTHERS]
    ]


def fan_list(fans: Iterable[CountedFan]) -> str:
    """ "Mixed Straight 8, All Types 6"."""
    return joined(f"{fan_name(line.fan)} {line.total}" for line in fans)


def short(explanation: Explanation) -> Part | None:
    """Why the hand may not be declared: {"title", "why"}; None when it may."""
    score, minimum = explanation.score, explanation.score.rulebook.minimum
    if not score.win:
        why = _("The tiles make neither four sets and a pair nor one of the special hands.")
        return {"title": _("These tiles are not a winning hand"), "why": why}
    if score.meets_minimum:
        return None
    points = score.points_without_flowers
    title = ngettext(
        "{points} point: {missing} short of {minimum}",
        "{points} points: {missing} short of {minimum}",
        points,
    ).format(points=points, missing=explanation.missing, minimum=minimum)
    why = _("A hand needs {minimum} points before flowers.").format(minimum=minimum)
    if score.hand.flowers and score.points >= minimum:
        why += " " + _("Flowers count only once the hand stands.")
    return {"title": title, "why": why}


def improvements(explanation: Explanation) -> list[Part]:
    """The nearest hands that may be declared: [{"tile", "sentence"}]."""
    return [{"tile": step.tile, "sentence": _improvement(step)} for step in explanation.improvements]


def _improvement(step: Improvement) -> str:
    tile, instead_of = (tile_name(code) if code else "" for code in (step.tile, step.instead_of))
    return improvement_sentence(replace(step, tile=tile, instead_of=instead_of))


# --- who pays, and what others say ----------------------------------------------------------------------------------
def ways(found: Iterable[Way]) -> list[Part]:
    """How the hand is paid, as it was won and the other way: [{"title", "points", "fans", "pays"}]."""
    return [
        {
            "title": _("Self-drawn") if way.score.hand.self_drawn else _("Won from a discard"),
            "points": way.score.points,
            "short": not way.score.meets_minimum,
            "pays": _pays(way),
        }
        for way in found
    ]


def _pays(way: Way) -> list[Part]:
    if way.payments is None:
        return []
    points, extra = way.score.points, way.score.rulebook.extra
    full = f"{points} + {extra}"
    if way.score.hand.self_drawn:
        notes = [f"3 × ({full})", full, full, full]
        names = [_("Winner"), *[_("Other")] * 3]
    else:
        notes = [f"{points + extra} + {extra} + {extra}", full, str(extra), str(extra)]
        names = [_("Winner"), _("Discarder"), *[_("Other")] * 2]
    rows = zip(names, way.payments, notes, strict=True)
    return [{"name": name, "change": change, "note": note} for name, change, note in rows]


def difference_lines(other: Elsewhere, here: str, there: str) -> list[Part]:
    """What another rulebook counts otherwise: [{"sign", "name", "points", "by", "reason", "clause"}].

    `here` and `there` are the names of the two; `by` is the one whose reason it is.
    """
    more = [_difference_line("+", line, here, other) for line in other.more]
    return more + [_difference_line("−", line, there, other) for line in other.less]


def _difference_line(sign: str, line: CountedFan, by: str, other: Elsewhere) -> Part:
    because = other.reasons.get(line.fan)
    return {
        "sign": sign,
        "name": fan_name(line.fan),
        "points": line.total,
        "by": by,
        "reason": reason(because) if because else "",
        "clause": clause_text(because.clause) if because else "",
    }
