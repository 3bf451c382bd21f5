"""Everything there is to say about a hand that somebody asks about: the calculator page and the API share it."""

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
"""The seats that `Way.payments` puts them in; seats 2 and 3 are the others."""

Json = dict[str, Any]


class Claimed(NamedTuple):
    """What a player said the hand is worth; what was not said is None."""

    points: int | None = None
    """With flowers."""
    fans: Mapping[Fan, int] | None = None
    """How often each."""


@dataclass(frozen=True, slots=True)
class Way:
    """The same tiles won by discard or self-drawn."""

    score: Score

    @property
    def payments(self) -> tuple[int, int, int, int] | None:
        """What the winner, the discarder (or a third loser) and the other two gain; None for no valid win."""
        if not self.score.meets_minimum:
            return None
        discarder = None if self.score.hand.self_drawn else DISCARDER
        return payments(self.score.points, WINNER, discarder, self.score.rulebook)

    def to_json(self) -> Json:
        """What winner, discarder and each of the others gain; "discarder" only where there is one, and nobody without
        a valid win.
        """
        gains = dict(zip(("winner", "discarder", "others"), self.payments or (), strict=False))
        self_drawn = self.score.hand.self_drawn
        if self_drawn:
            gains.pop("discarder", None)
        return self.score.summary() | {"self_drawn": self_drawn, "payments": gains}


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The hand under another rulebook, held against the one that was asked for."""

    score: Score
    more: tuple[CountedFan, ...]
    """What only the other rulebook counts, or counts more often or for more points."""
    less: tuple[CountedFan, ...]
    """What it does not count, or less often or lower."""
    reasons: Mapping[Fan, Rejection]
    """Why the one of the two that lacks a fan does not count it, where it looked claimable."""

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
class Answer:
    """What a record of 14 tiles is worth, or what one of 13 waits for; or what is wrong with it."""

    record: Mapping[str, Any]
    rulebook: Rulebook
    problems: tuple[Problem, ...] = ()
    missing: int = 0
    """Tiles that are still to come."""
    explanation: Explanation | None = None
    ways: tuple[Way, ...] = ()
    """As the hand was won, then the other way, where the circumstances allow it."""
    elsewhere: tuple[Elsewhere, ...] = ()
    """Every other rulebook."""
    differences: tuple[Difference, ...] | None = None
    """How an announcement differs; empty when it agrees, None when nothing was announced."""
    waits: tuple[Wait, ...] = ()

    def to_json(self) -> Json:
        """The answer as plain data, in codes; of a whole hand all that `Explanation.to_json` says, and more."""
        slips = self.differences
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
                "ways": [way.to_json() for way in self.ways],
                "rulebooks": [other.to_json() for other in self.elsewhere],
                "differences": None if slips is None else [slip.to_json() for slip in slips],
            }
        )


def consult(record: object, rulebook: Rulebook = MCR, claimed: Claimed | None = None) -> Answer:
    """The answer to a JSON record (`Hand.from_json`), which may lack its winning tile while tiles are missing."""
    if not isinstance(record, Mapping):
        return Answer({}, rulebook, problems=find_problems(record))
    if is_unfinished(record):
        return _unfinished(record, rulebook)
    if problems := find_problems(record):
        return Answer(record, rulebook, problems)
    return _finished(Hand.from_json(record), record, rulebook, claimed or Claimed())


def consult_text(text: str, rulebook: Rulebook = MCR, claimed: Claimed | None = None) -> Answer:
    """The answer to a hand in any of the notations."""
    try:
        return consult(parse_record(text, partial=True), rulebook, claimed)
    except InvalidHand as refused:
        return Answer({}, rulebook, refused.problems)


def _unfinished(record: Mapping[str, Any], rulebook: Rulebook) -> Answer:
    problems, missing = check_partial(record), tiles_missing(record)
    completing: tuple[Wait, ...] = ()
    if missing == 1 and not problems:
        completing = waits(
            {key: value for key, value in record.items() if key not in WINNING_TILE_FLAGS}, rulebook
        )
    return Answer(record, rulebook, problems, missing, waits=completing)


def _finished(hand: Hand, record: Mapping[str, Any], rulebook: Rulebook, claimed: Claimed) -> Answer:
    explanation = explain(hand, rulebook)
    slips = None if claimed == Claimed() else differences(explanation, claimed.fans, claimed.points)
    return Answer(
        record,
        rulebook,
        explanation=explanation,
        ways=tuple(Way(worth) for worth in (explanation.score, _other_way(hand, rulebook)) if worth),
        elsewhere=tuple(_elsewhere(hand, explanation, other) for other in RULEBOOKS if other != rulebook),
        differences=slips,
    )


def _other_way(hand: Hand, rulebook: Rulebook) -> Score | None:
    """The score if the same tile had come the other way, without a circumstance that fits only this one."""
    changed = hand.to_json() | {
        "self_drawn": not hand.self_drawn,
        "replacement": False,
        "robbing_kong": False,
    }
    worth = score(Hand.from_json(changed), rulebook)
    return worth if worth.win else None


def _elsewhere(hand: Hand, here: Explanation, rulebook: Rulebook) -> Elsewhere:
    there = score(hand, rulebook)
    more, less = _beyond(there, here.score), _beyond(here.score, there)
    reasons: dict[Fan, Rejection] = {}
    if more or less:
        reasons = _reasons(less, explain(hand, rulebook)) | _reasons(more, here)
    return Elsewhere(there, more, less, reasons)


def _beyond(one: Score, other: Score) -> tuple[CountedFan, ...]:
    """The fans that one score counts beyond the other, as often as it does."""
    counted = {line.fan: line for line in other.fans}
    lines = []
    for line in one.fans:
        same = counted.get(line.fan)
        if same is None or line.points > same.points:
            lines.append(line)
        elif line.count > same.count:
            lines.append(replace(line, count=line.count - same.count))
    return tuple(lines)


def _reasons(fans: tuple[CountedFan, ...], explanation: Explanation) -> dict[Fan, Rejection]:
    lacking = {line.fan for line in fans}
    return {rejection.fan: rejection for rejection in explanation.rejections if rejection.fan in lacking}
