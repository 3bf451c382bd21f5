"""Texts of the book's pages: an evening of the classical game, the quiz, one hand in five systems."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.book.data import find_citation
from scoring.book.terms import cites_text
from scoring.calculator import Analysis, Win
from scoring.classical import Score as ClassicalScore
from scoring.classical import Sort
from scoring.classical.analysis import Analysis as ClassicalAnalysis
from scoring.classical.evening import PLACES, Evening, SettledHand
from scoring.classical.score import Payment
from scoring.engine import Form, Score
from scoring.engine.fans import FanType, type_of
from scoring.quiz.questions import HandQuestion, Kind, Level, Question
from scoring.texts import CLASSICAL_GAME, by_sort, joined, row_name, rulebook_name, sum_text, with_names
from tournament.play.texts.verdict import join_fans
from tournament.web.texts.words import NAMES, ROUNDS

# --- An evening of the classical game ---


Json = dict[str, Any]
POSITIONS = ("south-side", "right", "north", "left")
"""CSS positions of the places; play passes to the right."""


def unreadable(place: int) -> str:
    """Return why a stored evening cannot be opened. `place`: the number of the invalid hand, or 0."""
    if place:
        return _(
            "This session of classical mahjong cannot be read: something is wrong with hand {number}."
        ).format(number=place)
    return _("This session of classical mahjong cannot be read.")


def headline(evening: Evening) -> str:
    """Return the heading of the next hand: Hand 3 · East round."""
    number = _("Hand {number}").format(number=len(evening.entries) + 1)
    return f"{number} · {ROUNDS[evening.turn.prevalent]}"


def next_sentence(evening: Evening) -> str:
    """Return the sentence that says who deals next, and why."""
    name = evening.names[evening.turn.dealer]
    if not evening.settled_hands:
        return _("{name} is East and deals.").format(name=name)
    last = evening.settled_hands[-1]
    if last.entry.winner is None:
        return _("A wash-out is not scored: {name} stays East and deals again.").format(name=name)
    if last.entry.winner == last.turn.dealer:
        return _("East won: {name} stays East and deals again.").format(name=name)
    return _("East lost: {name}, who was South, is East now and deals.").format(name=name)


def seats(evening: Evening) -> list[Json]:
    """Return the four seats for the table picture."""
    last = evening.settled_hands[-1] if evening.settled_hands else None
    return [
        {
            "position": POSITIONS[place],
            "wind": evening.turn.wind(place),
            "name": evening.names[place],
            "score": evening.totals[place],
            "change": last.changes[place] if last and last.hand_scores else None,
        }
        for place in PLACES
    ]


def sheet(evening: Evening) -> list[Json]:
    """Return the rows of the score sheet, one for each hand."""
    return [_evening_row(number, played) for number, played in enumerate(evening.settled_hands, start=1)]


def _evening_row(number: int, played: SettledHand) -> Json:
    points = played.hand_scores.points if played.hand_scores else (None,) * len(PLACES)
    cells = [
        {
            "points": points[place],
            "change": played.changes[place],
            "total": played.totals[place],
            "wins": played.entry.winner == place,
            "east": played.turn.dealer == place,
        }
        for place in PLACES
    ]
    return {
        "number": number,
        "prevalent": played.turn.prevalent,
        "cells": cells,
        "scored": bool(played.hand_scores),
    }


def last_hand(evening: Evening) -> Json | None:
    """Return payments and scores of the last settled hand, or None."""
    played = evening.settled_hands[-1] if evening.settled_hands else None
    if played is None or played.hand_scores is None or played.settlement is None:
        return None
    return {
        "number": len(evening.settled_hands),
        "payments": [_payment(evening, played, payment) for payment in played.settlement.payments],
        "hands": [_counted(evening, played, place) for place in PLACES if played.hand_scores.scores[place]],
    }


def _payment(evening: Evening, played: SettledHand, payment: Payment) -> Json:
    named = {played.turn.wind(place): evening.names[place] for place in PLACES}
    once = payment.points // payment.factor
    return {
        "text": _("{payer} pays {payee}").format(payer=named[payment.payer], payee=named[payment.payee]),
        "points": payment.points,
        "note": f"{payment.factor} × {once}" if payment.factor > 1 else "",
    }


def _counted(evening: Evening, played: SettledHand, place: int) -> Json:
    score = played.hand_scores.scores[place] if played.hand_scores else None
    assert score
    data = with_names(score.to_json())
    wind = NAMES[played.turn.wind(place)]
    heading = f"{evening.names[place]} · {wind}"
    return {"heading": heading, "result": data, "groups": by_sort(data), "sum_text": sum_text(data)}


# --- The quiz ---


Record = Mapping[str, Any]

KINDS: dict[Kind, Promise] = {
    Kind.WORTH: gettext_lazy("What is it worth?"),
    Kind.FANS: gettext_lazy("Which fans does it count?"),
    Kind.WAITS: gettext_lazy("Which tiles complete it, and which reach 8?"),
}
LEVELS: dict[Level, Promise] = {
    Level.EASY: gettext_lazy("Easy"),
    Level.MIDDLE: gettext_lazy("Medium"),
    Level.HARD: gettext_lazy("Hard"),
}
LEVEL_DESCRIPTIONS: dict[Level, Promise] = {
    Level.EASY: gettext_lazy(
        "One arrangement, at most four fans, nothing excluded; one or two winning tiles."
    ),
    Level.MIDDLE: gettext_lazy(
        "At least four fans, and an exclusion that one has to know; some waits do not reach the minimum."
    ),
    Level.HARD: gettext_lazy(
        "Several readings, or the principles of counting decide; every form, flowers, hands below 8; three tiles or "
        "more complete it."
    ),
}
"""The difficulty of each level (`scoring.quiz.questions`)."""
GRADES: dict[int, Promise] = {
    100: gettext_lazy("Right."),
    80: gettext_lazy("Nearly: one slip."),
    60: gettext_lazy("Not quite: two slips."),
    0: gettext_lazy("Not this time."),
}
DISCARD_GRADES: dict[int, Promise] = {
    100: gettext_lazy("Best"),
    80: gettext_lazy("Better"),
    60: gettext_lazy("Good"),
    0: gettext_lazy("Not good"),
}
"""The grades as the source names them."""


def record_of(question: Question) -> dict[str, Any]:
    """Return the record to show for a question; a waiting hand has no winning tile."""
    if isinstance(question, HandQuestion):
        return question.hand.to_json()
    return {**question.record, "self_drawn": question.self_drawn}


def win_texts(record: Record) -> list[str]:
    """Return how a hand was won, in parts: "seat West, South round", "self-drawn", "2 flowers"."""
    return list(_win_texts(record))


def _win_texts(record: Record) -> Iterator[str]:
    wind, wind_round = NAMES[record["seat_wind"]], ROUNDS[record["prevalent_wind"]]
    yield _("seat {wind}, {round}").format(wind=wind, round=wind_round)
    yield _tile_came(record)
    if record.get("last_tile_of_wall"):
        yield _("Last tile of wall")
    if record.get("replacement"):
        yield _("After a kong")
    if flowers := record.get("flowers"):
        yield ngettext("{count} flower", "{count} flowers", flowers).format(count=flowers)


def _tile_came(record: Record) -> str:
    """Return how the winning tile came, or how a missing one will come."""
    if record.get("winning_tile"):
        return _("self-drawn") if record["self_drawn"] else _("won from a discard")
    return (
        _("the missing tile is drawn") if record["self_drawn"] else _("the missing tile comes from a discard")
    )


# --- The same hand in five systems ---


class Reason(NamedTuple):
    """A reason why the systems differ, with its source."""

    text: str
    source: str


def rows(mcr: Analysis, classical: ClassicalAnalysis) -> list[Json]:
    """Return {"key", "name", "points", "made_of", "gain"} for each system; `gain` is the winner's, None for nothing."""
    assert mcr.explanation
    scores = [mcr.explanation.score, *(other.score for other in mcr.comparisons)]
    return [*map(_system_row, scores), _classical_row(classical)]


def _system_row(score: Score) -> Json:
    worth = score.summary()
    payments = Win(score).payments
    made_of = join_fans(line.to_json() for line in score.fans) if score.win else _("not a winning hand")
    return {
        "key": score.rulebook.key,
        "name": rulebook_name(score.rulebook),
        "points": worth["counted_points"],
        "made_of": made_of,
        "gain": payments[0] if payments else None,
    }


def _classical_row(answer: ClassicalAnalysis) -> Json:
    score, settlement = answer.score, answer.settlement
    row: Json = {
        "key": "classical",
        "name": str(CLASSICAL_GAME),
        "points": 0,
        "made_of": _("not a winning hand"),
        "gain": None,
    }
    if score is None or settlement is None or answer.winner is None:
        return row
    names = joined(row_name(line.row) for line in score.lines)
    gain = settlement.changes[answer.winner.hand.seat_wind]
    return row | {"points": score.points, "made_of": f"{names}: {sum_text(score.to_json())}", "gain": gain}


def reasons(mcr: Analysis, classical: ClassicalAnalysis) -> list[Reason]:
    """Return why the competition rules and the classical game differ for this hand."""
    assert mcr.explanation
    score, other = mcr.explanation.score, classical.score
    if other is None or not score.win:
        return []
    if not other.win:
        text = _("Only four sets and a pair, and the thirteen odd majors, win in the classical game.")
        return [_reason(text, "001:29")]
    return [*_of_sets(score, other), *_of_figures(score, other), *_of_payment(score)]


def _of_sets(score: Score, other: ClassicalScore) -> Iterator[Reason]:
    """Yield reasons about what only one of them counts."""
    if other.reading and other.reading.places(Form.CHOW):
        text = _("A chow has no value in the classical game, nor has what chows make together.")
        if fans := _fans(score, FanType.CHOWS, FanType.KNITTED):
            text += " " + _("The competition rules count it here: {fans}.").format(fans=fans)
        yield _reason(text, "001:81")
    if names := joined(row_name(line.row) for line in other.of_sort(Sort.POINTS)):
        text = _(
            "Each of these sets, pairs and flowers has points of its own in the classical game: {names}."
        )
        yield _reason(text.format(names=names), "001:83-92")


def _of_figures(score: Score, other: ClassicalScore) -> Iterator[Reason]:
    """Yield reasons about how points are calculated."""
    if other.factor > 1:
        text = _("Fans are added up. In the classical game some of this multiplies: {sum}.")
        yield _reason(text.format(sum=sum_text(other.to_json())), "001:93-109")
    if other.of_sort(Sort.LIMIT) or other.points < other.in_full:
        text = _("The classical game caps the hand at {limit} points; fans have no cap.")
        yield _reason(text.format(limit=other.rules.limit), "001:110")
    if not score.meets_minimum:
        text = _(
            "With less than {minimum} points the competition rules do not let it win; the classical game does."
        )
        yield _reason(text.format(minimum=score.rulebook.minimum), "MCR 39")


def _of_payment(score: Score) -> Iterator[Reason]:
    text = _(
        "In the classical game everybody’s hand is paid, East double, and whoever discarded pays no more."
    )
    yield _reason(text, "001:75", "000:1095")
    if score.meets_minimum and not score.hand.self_drawn:
        text = _(
            "By the competition rules the winner alone is paid, and the discarder pays the points of the hand."
        )
        yield _reason(text, "000:666-670")


def _fans(score: Score, *types: FanType) -> str:
    return join_fans(line.to_json() for line in score.fans if type_of(line.fan) in types)


def _reason(text: str, *sources: str) -> Reason:
    return Reason(text, cites_text(map(find_citation, sources)))
