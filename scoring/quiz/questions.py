"""The questions that never end: a hand from a seed, what is asked of it, the engine's answer and what is graded.

Five of them make the set of a day, the same for everybody; others are of a hand that somebody enters. An answer is
graded 100 when it is right, 80 with one slip, 60 with two, else nothing: the four grades are those of the five puzzles
that a player wrote (000:12-219).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from scoring.engine import MCR, TILES, Explanation, Fan, Hand, Reason, Wait, explain, waits
from scoring.engine.notation import parse_record
from scoring.engine.problems import is_unfinished
from scoring.quiz.deals import Dice, dealt

SETS: Final = ("sets",)
MORE_SHAPES: Final = ("sets",) * 8 + ("pairs", "knitted_straight")
EVERY_SHAPE: Final = ("sets",) * 12 + ("pairs", "knitted_straight", "knitted_tiles", "orphans")

BY_HEART: Final = {
    Reason.EXCLUDED,
    Reason.OTHER_WAITS,
    Reason.COMPLETED_BY_DISCARD,
    Reason.NOT_DISCARDED,
    Reason.HONOURS,
}
"""What has to be known of single fans."""
PRINCIPLES: Final = {Reason.NON_SEPARATION, Reason.NON_IDENTICAL, Reason.HIGHEST, Reason.ACCOUNT_ONCE}
"""What has to be weighed."""


class Level(Enum):
    """How hard a puzzle is, by what has to be seen to solve it.

    About a hand (what is it worth, which fans):

    EASY    One reading, at most four fans, and nothing that looks claimable is refused, but for what another fan always
            includes. Four sets and a pair; it may be declared.
    MIDDLE  At least four fans, and something is refused that has to be known by heart: fans that the rules keep apart,
            a wait that is no lone one, a pung that a discard completed. Kongs and seven pairs occur; it may be
            declared.
    HARD    At least five fans, and the tiles can be read in more than one way or one of the principles 2 to 5 decides
            what counts. Every shape, flowers and rarer circumstances occur; it may be worth too little.

    About thirteen tiles (which tiles complete it, and which reach 8?):

    EASY    One or two tiles complete it, nine are offered.
    MIDDLE  Two or three complete it, some reach the minimum and some do not; eighteen are offered.
    HARD    Three or more complete it, some reach the minimum and some do not; all kinds of tiles are offered.
    """

    EASY = "easy"
    MIDDLE = "middle"
    HARD = "hard"

    @property
    def shapes(self) -> tuple[str, ...]:
        """`scoring.quiz.deals.SHAPES` that occur."""
        return {Level.EASY: SETS, Level.MIDDLE: MORE_SHAPES, Level.HARD: EVERY_SHAPE}[self]

    @property
    def fans_offered(self) -> int:
        return {Level.EASY: 8, Level.MIDDLE: 12, Level.HARD: 16}[self]

    @property
    def tiles_offered(self) -> int:
        return {Level.EASY: 9, Level.MIDDLE: 18, Level.HARD: 34}[self]


def suits(level: Level, judged: Explanation) -> bool:
    """Whether a judged hand is of this level."""
    if not judged.score.win:
        return False
    fans, reasons = len(judged.score.fans), {rejection.reason for rejection in judged.rejections}
    weighed, by_heart = bool(judged.others or reasons & PRINCIPLES), bool(reasons & BY_HEART)
    match level:
        case Level.EASY:
            return judged.score.meets_minimum and fans <= 4 and not (weighed or by_heart)
        case Level.MIDDLE:
            return judged.score.meets_minimum and fans >= 4 and by_heart and not weighed
        case Level.HARD:
            return fans >= 5 and weighed


def suits_waits(level: Level, reaching: Sequence[bool]) -> bool:
    """Whether thirteen tiles are of this level; `reaching`: of each tile that completes them, whether it reaches the
    minimum.
    """
    count, differ = len(reaching), len(set(reaching)) == 2
    match level:
        case Level.EASY:
            return 1 <= count <= 2
        case Level.MIDDLE:
            return 2 <= count <= 3 and differ
        case Level.HARD:
            return count >= 3 and differ


class Kind(Enum):
    """What is asked."""

    WORTH = "worth"
    """What is it worth?"""
    FANS = "fans"
    """Which fans does it count?"""
    WAITS = "waits"
    """Which tiles complete it, and which of them reach the minimum?"""


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """A whole hand as it was won, under MCR."""

    kind: Kind
    level: Level
    seed: str
    found: Explanation

    @property
    def hand(self) -> Hand:
        return self.found.score.hand

    @property
    def worth(self) -> int:
        """In points; flowers count only where the hand may be declared (MCR 39)."""
        return self.found.score.counted_points

    @property
    def fans(self) -> frozenset[Fan]:
        """What counts, flowers apart: of those there is nothing to find."""
        return frozenset(line.fan for line in self.found.score.fans) - {Fan.FLOWER_TILES}

    @property
    def offered(self) -> tuple[Fan, ...]:
        """Fans to choose among, in the order of the rule book: those that count, those that look as if they did, and
        others.
        """
        dice = Dice(f"offered {self.level.value} {self.seed}")
        looking = {rejection.fan for rejection in self.found.rejections} & set(MCR.points) - {
            Fan.FLOWER_TILES
        }
        shown = self.fans | set(dice.some(self.level.fans_offered - len(self.fans), _in_order(looking)))
        others = [fan for fan in OFTEN if fan not in shown and fan not in looking]
        shown |= set(dice.some(self.level.fans_offered - len(shown), others))
        return tuple(_in_order(shown))


@dataclass(frozen=True, slots=True)
class WaitsQuestion:
    """Thirteen tiles that wait, and how the fourteenth is to come, under MCR."""

    level: Level
    seed: str
    record: Mapping[str, Any]
    """The hand as JSON, without its winning tile."""
    self_drawn: bool
    found: tuple[Wait, ...]

    kind = Kind.WAITS

    @property
    def completing(self) -> frozenset[str]:
        return frozenset(wait.tile for wait in self.found)

    @property
    def reaching(self) -> frozenset[str]:
        """Those that may be declared, come as the question says."""
        return frozenset(wait.tile for wait in self.found if reaches(wait, self.self_drawn))

    @property
    def offered(self) -> tuple[str, ...]:
        """Tiles to choose among, in their order: those that complete it, those near the hand's own, and others."""
        many, dice = self.level.tiles_offered, Dice(f"offered {self.level.value} {self.seed}")
        near = {tile for held in self.record["concealed"] for tile in _near(held)} - self.completing
        shown = self.completing | set(dice.some(many - len(self.completing), sorted(near)))
        others = [tile for tile in TILES if tile not in shown]
        shown |= set(dice.some(max(0, many - len(shown)), others))
        return tuple(tile for tile in TILES if tile in shown)


Question = HandQuestion | WaitsQuestion

OFTEN: Final = tuple(fan for fan in MCR.points if fan.points <= 24 and fan is not Fan.FLOWER_TILES)
"""Fans that fill up the choice."""


def reaches(wait: Wait, self_drawn: bool) -> bool:
    return (wait.self_drawn if self_drawn else wait.by_discard).meets_minimum


@lru_cache(maxsize=256)
def question(kind: Kind, level: Level, seed: str) -> Question:
    """The one puzzle of this kind, level and seed."""
    dice = Dice(f"{kind.value} {level.value} {seed}")
    return _waits(level, seed, dice) if kind is Kind.WAITS else _hand(kind, level, seed, dice)


def _hand(kind: Kind, level: Level, seed: str, dice: Dice) -> HandQuestion:
    while True:
        judged = explain(dealt(dice, level.shapes, rare=level is Level.HARD))
        if suits(level, judged):
            return HandQuestion(kind, level, seed, judged)


def _waits(level: Level, seed: str, dice: Dice) -> WaitsQuestion:
    while True:
        hand = dealt(dice, level.shapes)
        record = waiting(hand)
        completing = waits(record)
        if suits_waits(level, [reaches(wait, hand.self_drawn) for wait in completing]):
            return WaitsQuestion(level, seed, record, hand.self_drawn, completing)


def waiting(hand: Hand) -> dict[str, Any]:
    """The record of a hand before its winning tile came."""
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    concealed = sorted(rest, key=TILES.index)
    melds = [meld.to_json() for meld in hand.melds]
    winds = {"seat_wind": hand.seat_wind, "prevalent_wind": hand.prevalent_wind}
    return {"concealed": concealed, "melds": melds} | winds


def _in_order(some: frozenset[Fan] | set[Fan]) -> list[Fan]:
    return sorted(some, key=lambda fan: fan.number)


def _near(tile: str) -> list[str]:
    """A tile and its neighbours of the suit, one and two steps away."""
    if len(tile) == 1:
        return [tile]
    number, suit = int(tile[0]), tile[1]
    return [f"{near}{suit}" for near in range(max(1, number - 2), min(9, number + 2) + 1)]


LONGEST = 300
"""Characters of a text."""
OF_THIRTEEN = ("concealed", "melds", "seat_wind", "prevalent_wind", "self_drawn")
"""What counts of a hand that waits; circumstances of the winning tile are not there yet."""


def record_in(text: str) -> dict[str, Any]:
    """The record of a hand of 14 tiles or of 13; `InvalidHand` with what is wrong."""
    record = parse_record(text, partial=True)
    if is_unfinished(record):
        record = {name: record[name] for name in OF_THIRTEEN}
        waits(record)
        return record
    return Hand.from_json(record).to_json()


def has_answer(question: Question) -> bool:
    """Whether there is something to find: a winning hand, or a tile that completes one."""
    return bool(question.found) if isinstance(question, WaitsQuestion) else question.found.score.win


def question_of(record: Mapping[str, Any], seed: str) -> Question:
    """What is asked of such a record."""
    if is_unfinished(record):
        self_drawn = bool(record["self_drawn"])
        rest = {name: value for name, value in record.items() if name != "self_drawn"}
        return WaitsQuestion(Level.HARD, seed, rest, self_drawn, waits(record))
    return HandQuestion(Kind.WORTH, Level.HARD, seed, explain(Hand.from_json(record)))


BEST: Final = 100
LADDER: Final = (BEST, 80, 60)
NOTHING: Final = 0
GRADES: Final = (*LADDER, NOTHING)


def grade(slips: int) -> int:
    """The grade of an answer with so many slips."""
    return LADDER[slips] if slips < len(LADDER) else NOTHING


def grade_worth(question: HandQuestion, points: int) -> int:
    """Each point too many or too few is a slip."""
    return grade(abs(points - question.worth))


def grade_fans(question: HandQuestion, named: Iterable[Fan]) -> int:
    """Each fan that was left out, or does not count, is a slip."""
    return grade(len(set(named) ^ question.fans))


def grade_waits(question: WaitsQuestion, completing: Collection[str], reaching: Collection[str]) -> int:
    """Each tile of which either was said wrongly is a slip; a tile that reaches the minimum completes the hand."""
    named = set(completing) | set(reaching)
    wrong = (named ^ question.completing) | (set(reaching) ^ question.reaching)
    return grade(len(wrong))


LEVELS: Final = (Level.EASY, Level.EASY, Level.MIDDLE, Level.MIDDLE, Level.HARD)
"""From the first puzzle of a day to the last."""
FIRST_DAY: Final = date(2026, 1, 1)
"""There is no set before."""
SIGNS: Final = dict(zip(GRADES, "●◐○×", strict=True))


class Puzzle(NamedTuple):
    """Where a question is found."""

    kind: Kind
    level: Level
    seed: str

    @property
    def question(self) -> Question:
        return question(self.kind, self.level, self.seed)


def daily(day: date) -> tuple[Puzzle, ...]:
    """The set of a day: every kind at least once, and never one twice in a row."""
    dice = Dice(f"daily {day.isoformat()}")
    kinds = dice.mixed(list(Kind))
    while len(kinds) < len(LEVELS):
        kinds.append(dice.pick([kind for kind in Kind if kind is not kinds[-1]]))
    return tuple(
        Puzzle(kind, level, f"{day.isoformat()}-{number}")
        for number, (kind, level) in enumerate(zip(kinds, LEVELS, strict=True), 1)
    )


def shown_to_all(seed: str) -> Puzzle:
    """One for a whole hall, neither easy nor hard: what a hand is worth, or what completes it."""
    dice = Dice(f"hall {seed}")
    return Puzzle(dice.pick((Kind.WORTH, Kind.WAITS)), Level.MIDDLE, seed)


def result_text(day: date, grades: Sequence[int], address: str) -> str:
    """A day's grades to be passed on::

    Hule 2026-05-02 · 440/500
    ●●◐○●
    https://…
    """
    signs = "".join(SIGNS[grade] for grade in grades)
    return f"Hule {day.isoformat()} · {sum(grades)}/{BEST * len(LEVELS)}\n{signs}\n{address}"
