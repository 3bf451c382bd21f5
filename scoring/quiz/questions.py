"""Quiz questions from a seed: the hand, the question, the engine's answer and the grade.

Five of them make the daily set, the same for everybody; others are about a hand that somebody enters. An answer is
graded 100 when it is right, 80 with one slip, 60 with two, else 0, like the five puzzles by a player (000:12-219).
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
from scoring.quiz.deals import SeededRandom, random_hand

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
"""Reasons that require knowledge of single fans."""
PRINCIPLES: Final = {Reason.NON_SEPARATION, Reason.NON_IDENTICAL, Reason.HIGHEST, Reason.ACCOUNT_ONCE}
"""Reasons that require comparing fans."""


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


def matches_level(level: Level, explanation: Explanation) -> bool:
    """Return whether an explained hand is of this level."""
    if not explanation.score.win:
        return False
    fans, reasons = len(explanation.score.fans), {rejection.reason for rejection in explanation.rejections}
    weighed, by_heart = bool(explanation.others or reasons & PRINCIPLES), bool(reasons & BY_HEART)
    match level:
        case Level.EASY:
            return explanation.score.meets_minimum and fans <= 4 and not (weighed or by_heart)
        case Level.MIDDLE:
            return explanation.score.meets_minimum and fans >= 4 and by_heart and not weighed
        case Level.HARD:
            return fans >= 5 and weighed


def waits_match_level(level: Level, reaching: Sequence[bool]) -> bool:
    """Return whether waits are of this level; `reaching`: for each waited tile, whether it reaches the minimum."""
    count, differ = len(reaching), len(set(reaching)) == 2
    match level:
        case Level.EASY:
            return 1 <= count <= 2
        case Level.MIDDLE:
            return 2 <= count <= 3 and differ
        case Level.HARD:
            return count >= 3 and differ


class Kind(Enum):
    """What the question asks."""

    WORTH = "worth"
    """What is it worth?"""
    FANS = "fans"
    """Which fans does it count?"""
    WAITS = "waits"
    """Which tiles complete it, and which of them reach the minimum?"""


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """A question about a whole hand as it was won, under MCR."""

    kind: Kind
    level: Level
    seed: str
    explanation: Explanation

    @property
    def hand(self) -> Hand:
        return self.explanation.score.hand

    @property
    def worth(self) -> int:
        """The points; flowers count only where the hand may be declared (MCR 39)."""
        return self.explanation.score.counted_points

    @property
    def fans(self) -> frozenset[Fan]:
        """The counted fans apart from flowers, which are visible."""
        return frozenset(line.fan for line in self.explanation.score.fans) - {Fan.FLOWER_TILES}

    @property
    def offered(self) -> tuple[Fan, ...]:
        """Fans to choose among, in the order of the rule book: those that count, those that look as if they did, and
        others.
        """
        random = SeededRandom(f"offered {self.level.value} {self.seed}")
        plausible = {rejection.fan for rejection in self.explanation.rejections} & set(MCR.points) - {
            Fan.FLOWER_TILES
        }
        choices = self.fans | set(
            random.sample(self.level.fans_offered - len(self.fans), _by_number(plausible))
        )
        others = [fan for fan in COMMON_FANS if fan not in choices and fan not in plausible]
        choices |= set(random.sample(self.level.fans_offered - len(choices), others))
        return tuple(_by_number(choices))


@dataclass(frozen=True, slots=True)
class WaitsQuestion:
    """A question about thirteen tiles and how the fourteenth will come, under MCR."""

    level: Level
    seed: str
    record: Mapping[str, Any]
    """The hand as JSON, without its winning tile."""
    self_drawn: bool
    waits: tuple[Wait, ...]

    kind = Kind.WAITS

    @property
    def completing(self) -> frozenset[str]:
        return frozenset(wait.tile for wait in self.waits)

    @property
    def reaching(self) -> frozenset[str]:
        """The tiles that reach the minimum when they come as the question says."""
        return frozenset(wait.tile for wait in self.waits if reaches(wait, self.self_drawn))

    @property
    def offered(self) -> tuple[str, ...]:
        """Tiles to choose among, in their order: those that complete it, those near the hand's own, and others."""
        count, random = self.level.tiles_offered, SeededRandom(f"offered {self.level.value} {self.seed}")
        nearby = {tile for own_tile in self.record["concealed"] for tile in _near(own_tile)} - self.completing
        choices = self.completing | set(random.sample(count - len(self.completing), sorted(nearby)))
        others = [tile for tile in TILES if tile not in choices]
        choices |= set(random.sample(max(0, count - len(choices)), others))
        return tuple(tile for tile in TILES if tile in choices)


Question = HandQuestion | WaitsQuestion

COMMON_FANS: Final = tuple(fan for fan in MCR.points if fan.points <= 24 and fan is not Fan.FLOWER_TILES)
"""Fans to fill up the choices with."""


def reaches(wait: Wait, self_drawn: bool) -> bool:
    return (wait.self_drawn if self_drawn else wait.by_discard).meets_minimum


@lru_cache(maxsize=256)
def question(kind: Kind, level: Level, seed: str) -> Question:
    random = SeededRandom(f"{kind.value} {level.value} {seed}")
    return _waits(level, seed, random) if kind is Kind.WAITS else _hand(kind, level, seed, random)


def _hand(kind: Kind, level: Level, seed: str, random: SeededRandom) -> HandQuestion:
    while True:
        explanation = explain(random_hand(random, level.shapes, rare=level is Level.HARD))
        if matches_level(level, explanation):
            return HandQuestion(kind, level, seed, explanation)


def _waits(level: Level, seed: str, random: SeededRandom) -> WaitsQuestion:
    while True:
        hand = random_hand(random, level.shapes)
        record = record_before_win(hand)
        completing = waits(record)
        if waits_match_level(level, [reaches(wait, hand.self_drawn) for wait in completing]):
            return WaitsQuestion(level, seed, record, hand.self_drawn, completing)


def record_before_win(hand: Hand) -> dict[str, Any]:
    """Return the record of a hand before its winning tile came."""
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    concealed = sorted(rest, key=TILES.index)
    melds = [meld.to_json() for meld in hand.melds]
    winds = {"seat_wind": hand.seat_wind, "prevalent_wind": hand.prevalent_wind}
    return {"concealed": concealed, "melds": melds} | winds


def _by_number(fans: frozenset[Fan] | set[Fan]) -> list[Fan]:
    return sorted(fans, key=lambda fan: fan.number)


def _near(tile: str) -> list[str]:
    """Return a tile and its neighbours in the suit, one and two steps away."""
    if len(tile) == 1:
        return [tile]
    number, suit = int(tile[0]), tile[1]
    return [f"{near}{suit}" for near in range(max(1, number - 2), min(9, number + 2) + 1)]


WAIT_FIELDS = ("concealed", "melds", "seat_wind", "prevalent_wind", "self_drawn")
"""The fields of a waiting hand; circumstances of the winning tile are not known yet."""


def parse_question_record(text: str) -> dict[str, Any]:
    """Return the record of a hand of 14 tiles or of 13. Raises InvalidHand."""
    record = parse_record(text, partial=True)
    if is_unfinished(record):
        record = {name: record[name] for name in WAIT_FIELDS}
        waits(record)
        return record
    return Hand.from_json(record).to_json()


def has_answer(question: Question) -> bool:
    """Return whether there is an answer to find: a winning hand, or a tile that completes one."""
    return bool(question.waits) if isinstance(question, WaitsQuestion) else question.explanation.score.win


def question_from_record(record: Mapping[str, Any], seed: str) -> Question:
    """Return the question about a record: its waits or its points."""
    if is_unfinished(record):
        self_drawn = bool(record["self_drawn"])
        rest = {name: value for name, value in record.items() if name != "self_drawn"}
        return WaitsQuestion(Level.HARD, seed, rest, self_drawn, waits(record))
    return HandQuestion(Kind.WORTH, Level.HARD, seed, explain(Hand.from_json(record)))


BEST: Final = 100
LADDER: Final = (BEST, 80, 60)
NO_POINTS: Final = 0
GRADES: Final = (*LADDER, NO_POINTS)


def grade(slips: int) -> int:
    """Return the grade of an answer with this many slips."""
    return LADDER[slips] if slips < len(LADDER) else NO_POINTS


def grade_worth(question: HandQuestion, points: int) -> int:
    """Return the grade of a number of points; each point off is a slip."""
    return grade(abs(points - question.worth))


def grade_fans(question: HandQuestion, named: Iterable[Fan]) -> int:
    """Return the grade of the named fans; each fan missed or wrongly named is a slip."""
    return grade(len(set(named) ^ question.fans))


def grade_waits(question: WaitsQuestion, completing: Collection[str], reaching: Collection[str]) -> int:
    """Return the grade of the named tiles; each tile missed or wrongly named is a slip."""
    named = set(completing) | set(reaching)
    wrong = (named ^ question.completing) | (set(reaching) ^ question.reaching)
    return grade(len(wrong))


LEVELS: Final = (Level.EASY, Level.EASY, Level.MIDDLE, Level.MIDDLE, Level.HARD)
"""From the first puzzle of a day to the last."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The first daily set."""
SIGNS: Final = dict(zip(GRADES, "●◐○×", strict=True))


class Puzzle(NamedTuple):
    """The key of a question."""

    kind: Kind
    level: Level
    seed: str

    @property
    def question(self) -> Question:
        return question(self.kind, self.level, self.seed)


def daily(day: date) -> tuple[Puzzle, ...]:
    """Return the set of a day: every kind at least once, never the same twice in a row."""
    random = SeededRandom(f"daily {day.isoformat()}")
    kinds = random.shuffled(list(Kind))
    while len(kinds) < len(LEVELS):
        kinds.append(random.choice([kind for kind in Kind if kind is not kinds[-1]]))
    return tuple(
        Puzzle(kind, level, f"{day.isoformat()}-{number}")
        for number, (kind, level) in enumerate(zip(kinds, LEVELS, strict=True), 1)
    )


def hall_puzzle(seed: str) -> Puzzle:
    """Return a puzzle of medium level for the hall screens, about points or waits."""
    random = SeededRandom(f"hall {seed}")
    return Puzzle(random.choice((Kind.WORTH, Kind.WAITS)), Level.MIDDLE, seed)


def result_text(day: date, grades: Sequence[int], address: str) -> str:
    """Return a day's grades as a text to share.

    Hule 2026-05-02 · 440/500
    ●●◐○●
    https://…
    """
    signs = "".join(SIGNS[grade] for grade in grades)
    return f"Hule {day.isoformat()} · {sum(grades)}/{BEST * len(LEVELS)}\n{signs}\n{address}"
