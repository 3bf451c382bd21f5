"""The same hand in five systems: what each makes of it, and why they part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from scoring.book.sources import cite
from scoring.book.texts import cites_text
from scoring.calculator import Answer, Way
from scoring.classical import Score as ClassicalScore
from scoring.classical import Sort
from scoring.classical.answers import Answer as ClassicalAnswer
from scoring.engine import Form, Score
from scoring.engine.fan_types import FanType, type_of
from scoring.texts import joined, rulebook_name
from scoring.texts.classical import row_name, sum_text
from scoring.texts.names import GAME
from tournament.play.texts.verdict import fan_list

Json = dict[str, Any]


class Why(NamedTuple):
    """A reason why the systems part, and where it is written."""

    text: str
    source: str


def rows(mcr: Answer, classical: ClassicalAnswer) -> list[Json]:
    """A row a system: {"key", "name", "points", "made_of", "gain"}; `gain` is what the winner receives, None for
    nothing.
    """
    assert mcr.explanation
    scores = [mcr.explanation.score, *(other.score for other in mcr.elsewhere)]
    return [*map(_row, scores), _classical_row(classical)]


def _row(score: Score) -> Json:
    found = score.worth()
    payments = Way(score).payments
    made_of = fan_list(line.to_json() for line in score.fans) if score.win else _("not a winning hand")
    return {
        "key": score.rulebook.key,
        "name": rulebook_name(score.rulebook),
        "points": found["counted_points"],
        "made_of": made_of,
        "gain": payments[0] if payments else None,
    }


def _classical_row(answer: ClassicalAnswer) -> Json:
    score, settlement = answer.score, answer.settlement
    row: Json = {
        "key": "classical",
        "name": str(GAME),
        "points": 0,
        "made_of": _("not a winning hand"),
        "gain": None,
    }
    if score is None or settlement is None or answer.winner is None:
        return row
    names = joined(row_name(line.row) for line in score.lines)
    gain = settlement.changes[answer.winner.hand.seat_wind]
    return row | {"points": score.points, "made_of": f"{names}: {sum_text(score.to_json())}", "gain": gain}


def reasons(mcr: Answer, classical: ClassicalAnswer) -> list[Why]:
    """Why the competition rules and the classical game part over this hand."""
    assert mcr.explanation
    score, other = mcr.explanation.score, classical.score
    if other is None or not score.win:
        return []
    if not other.win:
        text = _("Only four sets and a pair, and the thirteen odd majors, win in the classical game.")
        return [_why(text, "001:29")]
    return [*_of_sets(score, other), *_of_figures(score, other), *_of_payment(score)]


def _of_sets(score: Score, other: ClassicalScore) -> Iterator[Why]:
    """What the one counts and the other does not."""
    if other.reading and other.reading.places(Form.CHOW):
        text = _("A chow has no value in the classical game, nor has what chows make together.")
        if fans := _fans(score, FanType.CHOWS, FanType.KNITTED):
            text += " " + _("The competition rules count it here: {fans}.").format(fans=fans)
        yield _why(text, "001:81")
    if names := joined(row_name(line.row) for line in other.of_sort(Sort.POINTS)):
        text = _(
            "Each of these sets, pairs and flowers has points of its own in the classical game: {names}."
        )
        yield _why(text.format(names=names), "001:83-92")


def _of_figures(score: Score, other: ClassicalScore) -> Iterator[Why]:
    """How the figures come about."""
    if other.factor > 1:
        text = _("Fans are added up. In the classical game some of this multiplies: {sum}.")
        yield _why(text.format(sum=sum_text(other.to_json())), "001:93-109")
    if other.of_sort(Sort.LIMIT) or other.points < other.in_full:
        text = _(
            "The classical game holds the hand to its limit of {limit} points, and there is none for fans."
        )
        yield _why(text.format(limit=other.rules.limit), "001:110")
    if not score.meets_minimum:
        text = _(
            "With less than {minimum} points the competition rules do not let it win; the classical game does."
        )
        yield _why(text.format(minimum=score.rulebook.minimum), "MCR 39")


def _of_payment(score: Score) -> Iterator[Why]:
    text = _(
        "In the classical game everybody’s hand is paid, East double, and whoever discarded pays no more."
    )
    yield _why(text, "001:75", "000:1095")
    if score.meets_minimum and not score.hand.self_drawn:
        text = _(
            "By the competition rules the winner alone is paid, and the discarder pays the points of the hand."
        )
        yield _why(text, "000:666-670")


def _fans(score: Score, *types: FanType) -> str:
    return fan_list(line.to_json() for line in score.fans if type_of(line.fan) in types)


def _why(text: str, *sources: str) -> Why:
    return Why(text, cites_text(map(cite, sources)))
