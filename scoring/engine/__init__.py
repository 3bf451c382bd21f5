"""Mahjong Competition Rules scoring: from tiles to fans, points, payments and the reasons why.

    >>> from scoring.engine import parse, payments, score
    >>> hand = parse("123m 456p 678s 55m 23s +1s self-drawn")
    >>> [counted.fan.en for counted in score(hand).fans]
    ['Fully Concealed Hand', 'All Chows', 'Mixed Double Chow']

Pure Python, no clock, no I/O. What a person can mend is an `InvalidHand` that carries every `Problem` at
once.
"""

from scoring.engine.exclusions import Exclusion
from scoring.engine.explain import Difference, Explanation, OtherReading, Slip, differences, explain
from scoring.engine.fans import FANS, Fan, find_fan
from scoring.engine.hand import Hand, Meld
from scoring.engine.named import (
    NamedFan,
    NamedFans,
    barred_by,
    check_named,
    find_exactly,
    find_within,
    incompatible_fans,
    known_fans,
    most_times,
)
from scoring.engine.notation import parse, to_text
from scoring.engine.problems import InvalidHand, Problem, check_partial, find_problems
from scoring.engine.reading import Form, Group, Reading, Shape
from scoring.engine.rejections import Reason, Rejection
from scoring.engine.rulebooks import BOTZONE, GUIDE, MCR, MWT, RULEBOOKS, Rulebook, find_rulebook
from scoring.engine.score import CountedFan, Score, payments, score
from scoring.engine.tiles import DRAGONS, SUITS, TILES, WINDS
from scoring.engine.waits import Improvement, Step, Wait, waits

__all__ = [
    "BOTZONE",
    "DRAGONS",
    "FANS",
    "GUIDE",
    "MCR",
    "MWT",
    "RULEBOOKS",
    "SUITS",
    "TILES",
    "WINDS",
    "CountedFan",
    "Difference",
    "Exclusion",
    "Explanation",
    "Fan",
    "Form",
    "Group",
    "Hand",
    "Improvement",
    "InvalidHand",
    "Meld",
    "NamedFan",
    "NamedFans",
    "OtherReading",
    "Problem",
    "Reading",
    "Reason",
    "Rejection",
    "Rulebook",
    "Score",
    "Shape",
    "Slip",
    "Step",
    "Wait",
    "barred_by",
    "check_named",
    "check_partial",
    "differences",
    "explain",
    "find_exactly",
    "find_fan",
    "find_problems",
    "find_rulebook",
    "find_within",
    "incompatible_fans",
    "known_fans",
    "most_times",
    "parse",
    "payments",
    "score",
    "to_text",
    "waits",
]
