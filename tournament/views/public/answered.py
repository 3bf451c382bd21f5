"""The calculator's answer in the order the page tells it: points, reading, fans, payments, other rulebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.calculator import Answer, Elsewhere
from scoring.engine import Difference, Explanation, Hand, Rulebook, Score, Wait, to_text
from scoring.texts import joined, rulebook_name
from tournament.engine.outlook import outlook
from tournament.views.public import explained
from tournament.views.public.reading import reading
from tournament.words.reasons import difference
from tournament.words.tiles import tile_name
from tournament.words.winds import NAMES, ROUNDS

Part = dict[str, Any]


def answered(answer: Answer | None) -> Part:
    """What the templates show; {"title"} alone while there is nothing to say."""
    if answer is None or answer.problems:
        return {"title": _("Calculator")}
    if answer.explanation is not None:
        return _whole(answer, answer.explanation)
    if answer.missing == 1:
        return _waiting(answer)
    return {"title": _("Calculator"), "outlook": _outlook(answer)}


# --- tiles are missing ----------------------------------------------------------------------------------------------
def _outlook(answer: Answer) -> Part | None:
    """The dearest hand there can be with the last two tiles; None with more to come."""
    given = {"melds": [], "self_drawn": False, "seat_wind": "E", "prevalent_wind": "E"} | dict(answer.record)
    ahead = outlook(given, answer.rulebook)
    if ahead is None:
        return None
    return {
        "points": ahead.score.points,
        "tiles": ahead.tiles,
        "enough": ahead.score.meets_minimum,
        "fans": explained.fan_list(ahead.score.fans),
    }


def _waiting(answer: Answer) -> Part:
    count = len(answer.waits)
    title = ngettext("Waiting for {count} tile", "Waiting for {count} tiles", count).format(count=count)
    return {
        "title": title if count else _("Waiting for nothing"),
        "waiting": True,
        "waits": [_wait(wait, answer.rulebook) for wait in answer.waits],
        "minimum": answer.rulebook.minimum,
    }


def _wait(wait: Wait, rulebook: Rulebook) -> Part:
    return {
        "tile": wait.tile,
        "name": tile_name(wait.tile),
        "left": wait.left,
        "enough": wait.reaches_minimum,
        "ways": [_way_to_win(score, rulebook) for score in (wait.self_drawn, wait.by_discard)],
    }


def _way_to_win(score: Score, rulebook: Rulebook) -> Part:
    points = score.counted_points
    return {"points": points, "enough": score.meets_minimum, "link": link_to(score.hand, rulebook)}


def link_to(hand: Hand, rulebook: Rulebook) -> str:
    """The query that opens the calculator on a hand."""
    return f"?{urlencode({'hand': to_text(hand), 'rulebook': rulebook.key})}"


# --- the hand is whole ----------------------------------------------------------------------------------------------
def _whole(answer: Answer, explanation: Explanation) -> Part:
    score = explanation.score
    return {
        "title": _title(score),
        "under": _under(score),
        "short": explained.short(explanation),
        "reading": reading(score),
        "readings": 1 + len(explanation.others),
        "counted": explained.counted(score),
        "sum": {"label": _sum_label(score), "points": score.counted_points},
        "rejected": explained.rejected(explanation),
        "others": explained.other_readings(explanation.others),
        "improvements": explained.improvements(explanation),
        "ways": explained.ways(answer.ways),
        "same_elsewhere": _same(answer.elsewhere, score),
        "elsewhere": [
            _elsewhere(other, rulebook_name(answer.rulebook)) for other in answer.elsewhere if other.differs
        ],
        "claim": _claim(answer.differences, score),
    }


def _title(score: Score) -> str:
    if not score.win:
        return _("Not a winning hand")
    points = score.counted_points
    return ngettext("{points} point", "{points} points", points).format(points=points)


def _under(score: Score) -> str:
    """Rulebook MCR · seat West, South round · won from a discard"""
    hand = score.hand
    book = _("Rulebook {name}").format(name=rulebook_name(score.rulebook))
    winds = _("seat {wind}, {round}").format(wind=NAMES[hand.seat_wind], round=ROUNDS[hand.prevalent_wind])
    way = _("self-drawn") if hand.self_drawn else _("won from a discard")
    return " · ".join((book, winds, way))


def _sum_label(score: Score) -> str:
    flowers = score.hand.flowers
    if not flowers:
        return _("Sum, no flowers")
    if not score.meets_minimum:
        return _("Sum, flowers not counted")
    return ngettext("Sum with {count} flower", "Sum with {count} flowers", flowers).format(count=flowers)


def _same(others: Sequence[Elsewhere], here: Score) -> Part | None:
    """The rulebooks that say the same, in one line."""
    names = [rulebook_name(other.score.rulebook) for other in others if not other.differs]
    return {"names": joined(names), "points": here.counted_points} if names else None


def _elsewhere(other: Elsewhere, here: str) -> Part:
    name = rulebook_name(other.score.rulebook)
    return {
        "name": name,
        "points": other.score.counted_points,
        "short": not other.score.meets_minimum,
        "link": link_to(other.score.hand, other.score.rulebook),
        "lines": explained.difference_lines(other, here, name),
    }


def _claim(differences: tuple[Difference, ...] | None, score: Score) -> Part | None:
    """What was announced, held against the score: agreed, or the first difference and the others."""
    if differences is None:
        return None
    if not differences:
        points = ngettext("{points} point", "{points} points", score.points).format(points=score.points)
        return {"agrees": True, "title": _("The announcement is right"), "first": points, "more": []}
    first, *more = [difference(one) for one in differences]
    return {"agrees": False, "title": _("The announcement is not right"), "first": first, "more": more}
