"""Analyse a hand completely, for the calculator page and the API."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from scoring.engine import (
    MCR,
    RULEBOOKS,
    CountedFan,
    Difference,
    Explanation,
    Fan,
    Hand,
    InvalidHand,
    Problem,
    Rejection,
    Rulebook,
    Score,
    Wait,
    check_partial,
    differences,
    explain,
    find_problems,
    payments,
    score,
    waits,
)
from scoring.engine.notation import parse_record
from scoring.engine.problems import WINNING_TILE_FLAGS, is_unfinished, tiles_missing

WINNER, DISCARDER = 0, 1
"""The seats in `Win.payments`; seats 2 and 3 are the others."""

Json = dict[str, Any]


class Announcement(NamedTuple):
    """What a player announced; None for what was not announced."""

    points: int | None = None
    """Flowers included."""
    fans: Mapping[Fan, int] | None = None
    """Times each."""


@dataclass(frozen=True, slots=True)
class Win:
    """A hand won by discard or self-drawn."""

    score: Score

    @property
    def payments(self) -> tuple[int, int, int, int] | None:
        """What the winner, the discarder (or a third loser) and the other two gain; None for no valid win."""
        if not self.score.meets_minimum:
            return None
        discarder = None if self.score.hand.self_drawn else DISCARDER
        return payments(self.score.points, WINNER, discarder, self.score.rulebook)

    def to_json(self) -> Json:
        """Return the score with the payments of winner, discarder and others.

        "discarder" is left out when self-drawn; nobody pays without a valid win.
        """
        gains = dict(zip(("winner", "discarder", "others"), self.payments or (), strict=False))
        self_drawn = self.score.hand.self_drawn
        if self_drawn:
            gains.pop("discarder", None)
        return self.score.summary() | {"self_drawn": self_drawn, "payments": gains}


@dataclass(frozen=True, slots=True)
class RulebookComparison:
    """The score under another rulebook, compared with the chosen one."""

    score: Score
    more: tuple[CountedFan, ...]
    """What only the other rulebook counts, or counts more often or for more points."""
    less: tuple[CountedFan, ...]
    """What it does not count, or less often or lower."""
    reasons: Mapping[Fan, Rejection]
    """Why the rulebook that lacks a claimable fan does not count it."""

    @property
    def differs(self) -> bool:
        return bool(self.more or self.less)

    def to_json(self) -> Json:
        return self.score.summary() | {
            "more": [line.to_json() for line in self.more],
            "less": [line.to_json() for line in self.less],
            "reasons": [reason.to_json() for reason in self.reasons.values()],
        }


@dataclass(frozen=True, slots=True)
class Analysis:
    """The score of a record of 14 tiles, or the waits of one of 13, or the problems of an invalid one."""

    record: Mapping[str, Any]
    rulebook: Rulebook
    problems: tuple[Problem, ...] = ()
    missing: int = 0
    """How many tiles are missing."""
    explanation: Explanation | None = None
    wins: tuple[Win, ...] = ()
    """As entered, then the other way of winning, where the circumstances allow it."""
    comparisons: tuple[RulebookComparison, ...] = ()
    """With every other rulebook."""
    differences: tuple[Difference, ...] | None = None
    """How the announcement differs; empty when it agrees, None when nothing was announced."""
    waits: tuple[Wait, ...] = ()

    def to_json(self) -> Json:
        """Return the analysis as plain data, in codes; for a whole hand it extends `Explanation.to_json`."""
        differences = self.differences
        answer: Json = {
            "rulebook": self.rulebook.key,
            "problems": [],
            "tiles_to_come": self.missing,
            "waits": [wait.to_json() for wait in self.waits],
        }
        if self.explanation is None:
            return answer
        return (
            answer
            | self.explanation.to_json()
            | {
                "hand": self.explanation.score.hand.to_json(),
                "ways": [win.to_json() for win in self.wins],
                "rulebooks": [comparison.to_json() for comparison in self.comparisons],
                "differences": None if differences is None else [slip.to_json() for slip in differences],
            }
        )


def analyse(record: object, rulebook: Rulebook = MCR, announcement: Announcement | None = None) -> Analysis:
    """Return the analysis of a JSON record (`Hand.from_json`); an incomplete one may lack its winning tile."""
    if not isinstance(record, Mapping):
        return Analysis({}, rulebook, problems=find_problems(record))
    if is_unfinished(record):
        return _unfinished(record, rulebook)
    if problems := find_problems(record):
        return Analysis(record, rulebook, problems)
    return _finished(Hand.from_json(record), record, rulebook, announcement or Announcement())


def analyse_text(text: str, rulebook: Rulebook = MCR, announcement: Announcement | None = None) -> Analysis:
    """Return the analysis of a hand in any of the notations."""
    try:
        return analyse(parse_record(text, partial=True), rulebook, announcement)
    except InvalidHand as refused:
        return Analysis({}, rulebook, refused.problems)


def _unfinished(record: Mapping[str, Any], rulebook: Rulebook) -> Analysis:
    problems, missing = check_partial(record), tiles_missing(record)
    completing: tuple[Wait, ...] = ()
    if missing == 1 and not problems:
        completing = waits(
            {key: value for key, value in record.items() if key not in WINNING_TILE_FLAGS}, rulebook
        )
    return Analysis(record, rulebook, problems, missing, waits=completing)


def _finished(
    hand: Hand, record: Mapping[str, Any], rulebook: Rulebook, announcement: Announcement
) -> Analysis:
    explanation = explain(hand, rulebook)
    slips = (
        None
        if announcement == Announcement()
        else differences(explanation, announcement.fans, announcement.points)
    )
    return Analysis(
        record,
        rulebook,
        explanation=explanation,
        wins=tuple(Win(result) for result in (explanation.score, _score_other_way(hand, rulebook)) if result),
        comparisons=tuple(_compare(hand, explanation, other) for other in RULEBOOKS if other != rulebook),
        differences=slips,
    )


def _score_other_way(hand: Hand, rulebook: Rulebook) -> Score | None:
    """Return the score of the same tile self-drawn instead of discarded, or vice versa; None when it cannot win."""
    changed = hand.to_json() | {
        "self_drawn": not hand.self_drawn,
        "replacement": False,
        "robbing_kong": False,
    }
    other = score(Hand.from_json(changed), rulebook)
    return other if other.win else None


def _compare(hand: Hand, explanation: Explanation, rulebook: Rulebook) -> RulebookComparison:
    other = score(hand, rulebook)
    more, less = _additional_fans(other, explanation.score), _additional_fans(explanation.score, other)
    reasons: dict[Fan, Rejection] = {}
    if more or less:
        reasons = _reasons(less, explain(hand, rulebook)) | _reasons(more, explanation)
    return RulebookComparison(other, more, less, reasons)


def _additional_fans(first: Score, second: Score) -> tuple[CountedFan, ...]:
    """Return the fans that the first score counts beyond the second."""
    counted = {line.fan: line for line in second.fans}
    lines = []
    for line in first.fans:
        same = counted.get(line.fan)
        if same is None or line.points > same.points:
            lines.append(line)
        elif line.count > same.count:
            lines.append(replace(line, count=line.count - same.count))
    return tuple(lines)


def _reasons(fans: tuple[CountedFan, ...], explanation: Explanation) -> dict[Fan, Rejection]:
    missing = {line.fan for line in fans}
    return {rejection.fan: rejection for rejection in explanation.rejections if rejection.fan in missing}
