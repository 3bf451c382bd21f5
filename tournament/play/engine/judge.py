"""A hand at a table, judged: is it legal there, what does it score, who pays whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from scoring.engine import (
    Fan,
    Hand,
    InvalidHand,
    NamedFan,
    Rulebook,
    Score,
    check_named,
    incompatible_fans,
    known_fans,
    payments,
    score,
)
from scoring.engine.problems import Problem, ProblemCode, problem_code
from tournament.base.engine.entries import DRAW, WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION, WINDS, Rules, seat_wind

WINNER_MISSING = problem_code("winner_missing", "Who won? Choose the winner.")
NOT_AT_THIS_TABLE = problem_code("not_at_this_table", "Player {player} does not sit at this table.")
DISCARDER_IS_WINNER = problem_code(
    "discarder_is_winner", "The winner cannot have discarded the winning tile.", also=("player",)
)
TILES_MISSING = problem_code("tiles_missing", "The winning hand’s tiles are missing.")
NOTHING_TO_OVERRIDE = problem_code(
    "nothing_to_override", "Nothing was announced, so there is nothing to count instead of the tiles."
)
CLAIMANTS_WITHOUT_DISCARD = problem_code(
    "claimants_without_discard", "A self-drawn tile cannot be claimed by others."
)
DISCARDER_CLAIMS = problem_code("discarder_claims", "Player {player} discarded the tile and cannot claim it.")
NEARER_CLAIMANT = problem_code(
    "nearer_claimant", "Player {player} claimed too and comes first in turn after the discarder."
)
FANS_MISSING = problem_code("fans_missing", "Which fans? Choose at least one.")
ANNOUNCED_SUM = problem_code("announced_sum", "These fans come to {sum} points, not {points}.")
ANNOUNCED_BELOW_MINIMUM = problem_code(
    "announced_below_minimum", "{points} points do not win: {minimum} are needed."
)
ANNOUNCED_TOO_MANY = problem_code(
    "announced_too_many", "No hand comes to {points} points. Check the figure.", also=("most",)
)
UNKNOWN_OUTCOME = problem_code(
    "unknown_outcome", "“{outcome}” is not an outcome: a hand is won or washed out."
)
WASH_OUT_WITH_WINNER = problem_code(
    "wash_out_with_winner", "A wash-out has no winner, no discarder and no tiles."
)
NO_SUCH_HAND = problem_code("no_such_hand", "There is no hand {number}: a session has hands 1 to {hands}.")
DEAD_HAND = problem_code(
    "dead_hand",
    "{name} has a dead hand in hand {hand} ({foul}) and may not win it.",
    also=("foul_en", "foul_zh_hans", "foul_zh_hant"),
)
EXCLUDED_DISQUALIFICATION = problem_code(
    "excluded_disqualification", "{name} is disqualified and wins no hand any more."
)
EXCLUDED_MAY_NOT_CONTINUE = problem_code(
    "excluded_may_not_continue", "{name} may not continue and wins no hand any more."
)
NOT_A_WINNING_HAND = problem_code("not_a_winning_hand", "These tiles are not a winning hand.")
BELOW_MINIMUM = problem_code(
    "below_minimum", "The hand has {points} points without flowers; {minimum} are needed to win."
)
SEAT_EMPTY = problem_code(
    "seat_empty",
    "The seat of player {player} is empty: nobody wins, discards or claims there. Name a stand-in, or note "
    "that the player is here.",
)

# --- Verdict ---


@dataclass(frozen=True)
class Verdict:
    """The judgement: all problems at once, or none and then the points and the payments by player number."""

    problems: tuple[Problem, ...] = ()
    score: Score | None = None
    """None without tiles: the engine has nothing to count."""
    tiles: dict[str, Any] | None = None
    """The record completed with what was worked out, as it is stored."""
    announced: Declaration | None = None
    overridden: bool = False
    """Whether the announcement counts against the tiles, below the minimum or although no hand counts its fans."""
    overridable: bool = False
    """Whether the problems are such as an umpire may override, saying why."""
    payments: dict[int, int] = field(default_factory=dict)
    points: int = 0
    """Flowers included."""
    points_without_flowers: int = 0

    @property
    def is_legal(self) -> bool:
        return not self.problems

    @property
    def agrees(self) -> bool:
        """Whether tiles and announcement say the same; so they do where only one of them is there."""
        return self.score is None or self.announced is None or self.announced.agrees_with(self.score)

    @property
    def fans(self) -> tuple[NamedFan, ...]:
        """The fans that count, dearest first; empty when only points were announced."""
        if self.score is None or self.overridden:
            return self.announced.fans if self.announced else ()
        return tuple(NamedFan(counted.fan, counted.count, counted.points) for counted in self.score.fans)


def judge(
    rules: Rules,
    seats: Mapping[str, int],
    hand_number: int,
    entry: HandEntry,
    barred: Mapping[int, Problem] | None = None,
) -> Verdict:
    """Judge `entry` as hand 1..16 of a table. `seats`: starting wind → player number. `barred`: who may not win it,
    and what to say when they do.

    A hand below the rulebook's minimum comes back with its score *and* the problem, so that both can be shown.
    """
    if problems := misplaced(rules, seats, hand_number, entry, barred or {}):
        return Verdict(problems)
    if entry.outcome == DRAW:
        return Verdict(payments=dict.fromkeys(seats.values(), 0))
    announced = _declared(rules, entry)
    if entry.tiles is None:
        assert announced is not None, "a win without tiles was announced"
        return _by_announcement(rules, seats, entry, Verdict(announced=announced))
    start = next(wind for wind, player in seats.items() if player == entry.winner)
    record, problems = _completed(entry, start, hand_number, rules)
    try:
        hand = Hand.from_json(record)
    except InvalidHand as invalid:
        return Verdict((*problems, *invalid.problems), tiles=record, announced=announced)
    counted = Verdict(problems, score(hand, rules.scoring), record, announced)
    if entry.override and not counted.agrees:
        return _by_announcement(rules, seats, entry, counted)
    return _by_tiles(rules, seats, entry, counted)


def _declared(rules: Rules, entry: HandEntry) -> Declaration | None:
    compared = entry.tiles is not None and not entry.override
    self_drawn = entry.discarder is None
    return declared(entry.points, entry.fans, rules.scoring, self_drawn=self_drawn, compared=compared)


WRONG: Final[Mapping[str, ProblemCode]] = {
    "seat_wind": problem_code(
        "wrong_seat_wind", "The winner’s seat wind in this hand is {right}, not {given}."
    ),
    "prevalent_wind": problem_code(
        "wrong_prevalent_wind", "The prevalent wind in this hand is {right}, not {given}."
    ),
    "self_drawn": problem_code(
        "wrong_self_drawn", "Self-drawn and a discarder contradict each other.", also=("given", "right")
    ),
}


def _completed(
    entry: HandEntry, start: str, hand_number: int, rules: Rules
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Complete the record with the winds and the way of winning that follow; what it says otherwise is a problem."""
    right = entry.worked_out(start, hand_number, rules.chart)
    given = dict(entry.tiles or {})
    problems = tuple(
        WRONG[key](key, given=str(given[key]), right=str(value))
        for key, value in right.items()
        if key in given and given[key] != value
    )
    return given | right, problems


def _by_tiles(rules: Rules, seats: Mapping[str, int], entry: HandEntry, verdict: Verdict) -> Verdict:
    """Let the tiles count, whatever was announced."""
    assert verdict.score is not None
    problems = (*verdict.problems, *_shortfall(verdict.score, rules))
    if problems or (verdict.announced and verdict.announced.problems):
        return replace(
            verdict, problems=(*problems, *(verdict.announced.problems if verdict.announced else ()))
        )
    return _paid(rules, seats, entry, verdict, verdict.score.points, verdict.score.points_without_flowers)


def _shortfall(result: Score, rules: Rules) -> tuple[Problem, ...]:
    if not result.win:
        return (NOT_A_WINNING_HAND("tiles"),)
    if not result.meets_minimum:
        return (BELOW_MINIMUM("tiles", points=result.points_without_flowers, minimum=rules.scoring.minimum),)
    return ()


def _by_announcement(rules: Rules, seats: Mapping[str, int], entry: HandEntry, verdict: Verdict) -> Verdict:
    """Let the announcement count: there is nothing else, or the umpire overrides the tiles."""
    announced = verdict.announced
    assert announced is not None
    against = held_against(announced, rules.scoring)
    overridable = not verdict.problems and may_be_overridden(announced, rules.scoring)
    problems = (*verdict.problems, *announced.problems, *(() if entry.override and overridable else against))
    if problems:
        return replace(verdict, problems=problems, overridable=overridable)
    verdict = replace(verdict, overridden=verdict.score is not None or bool(against))
    return _paid(rules, seats, entry, verdict, announced.points, announced.points_without_flowers)


def _paid(
    rules: Rules,
    seats: Mapping[str, int],
    entry: HandEntry,
    verdict: Verdict,
    points: int,
    without_flowers: int,
) -> Verdict:
    """Complete the verdict with the points and who pays whom."""
    assert entry.winner is not None
    players = [seats[wind] for wind in WINDS]
    discarder = None if entry.discarder is None else players.index(entry.discarder)
    changes = payments(points, players.index(entry.winner), discarder, rules.scoring)
    paid = dict(zip(players, changes, strict=True))
    return replace(verdict, payments=paid, points=points, points_without_flowers=without_flowers)


# --- People and claims ---


def misplaced(
    rules: Rules,
    seats: Mapping[str, int],
    hand_number: int,
    entry: HandEntry,
    barred: Mapping[int, Problem],
) -> tuple[Problem, ...]:
    """List, before any tile is read, all that is wrong with who won from whom, in which hand, and what is to count.

    `barred`: who may not win this hand, and what to say when they do.
    """
    problems = []
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        problems.append(NO_SUCH_HAND("number", number=hand_number, hands=HANDS_PER_SESSION))
    if entry.outcome not in (WIN, DRAW):
        problems.append(UNKNOWN_OUTCOME("outcome", outcome=entry.outcome))
    if entry.outcome == DRAW and _says_who_won(entry):
        problems.append(WASH_OUT_WITH_WINNER("outcome"))
    problems += _not_here("absent", entry.absent or (), set(seats.values()))
    if entry.outcome == WIN:
        problems += _wrong_people(set(seats.values()), entry)
        problems += _nobody_there(entry)
        problems += _nothing_to_count(entry)
        if not problems:
            problems += _wrong_claims(rules, seats, hand_number, entry, barred)
        problems += [why for player, why in barred.items() if player == entry.winner]
    return tuple(problems)


def _says_who_won(entry: HandEntry) -> bool:
    facts = (entry.winner, entry.discarder, entry.tiles, entry.points, entry.fans)
    return bool(entry.claimants) or any(fact is not None for fact in facts)


def _wrong_people(present: set[int], entry: HandEntry) -> Iterator[Problem]:
    if entry.winner is None:
        yield WINNER_MISSING("winner")
    elif entry.winner not in present:
        yield NOT_AT_THIS_TABLE("winner", player=entry.winner)
    if entry.discarder is not None and entry.discarder not in present:
        yield NOT_AT_THIS_TABLE("discarder", player=entry.discarder)
    if entry.discarder is not None and entry.discarder == entry.winner:
        yield DISCARDER_IS_WINNER("discarder", player=entry.discarder)
    yield from _not_here("claimants", entry.claimants, present)


def _not_here(field: str, players: Iterable[int], present: set[int]) -> Iterator[Problem]:
    for player in players:
        if player not in present:
            yield NOT_AT_THIS_TABLE(field, player=player)


def _nobody_there(entry: HandEntry) -> Iterator[Problem]:
    """Refuse who wins, discards or claims in an empty seat."""
    claimants = (("claimants", player) for player in entry.claimants)
    for where, player in (("winner", entry.winner), ("discarder", entry.discarder), *claimants):
        if player is not None and player in (entry.absent or ()):
            yield SEAT_EMPTY(where, player=player)


def _nothing_to_count(entry: HandEntry) -> Iterator[Problem]:
    is_announced = entry.points is not None or entry.fans is not None
    if entry.tiles is None and not is_announced:
        yield TILES_MISSING("tiles")
    if entry.override and not is_announced:
        yield NOTHING_TO_OVERRIDE("override")


def _wrong_claims(
    rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry, barred: Collection[int]
) -> Iterator[Problem]:
    """Check that of the claimants who may win, the winner is the one next in turn after the discarder."""
    if not entry.claimants:
        return
    if entry.discarder is None:
        yield CLAIMANTS_WITHOUT_DISCARD("claimants")
        return
    assert entry.winner is not None
    if entry.discarder in entry.claimants:
        yield DISCARDER_CLAIMS("claimants", player=entry.discarder)
        return
    winds = {player: seat_wind(start, hand_number, rules.chart) for start, player in seats.items()}
    able = [player for player in entry.claimants if player not in barred]
    nearest = nearest_in_turn(winds, entry.discarder, (entry.winner, *able))
    if nearest != entry.winner:
        yield NEARER_CLAIMANT("winner", player=nearest)


_TURN: Final = {wind: place for place, wind in enumerate(WINDS)}


def nearest_in_turn(winds: Mapping[int, str], discarder: int, claimants: Iterable[int]) -> int:
    """Find the one of the claimants who comes first after the discarder: only one wins.

    `winds`: player → seat wind in this hand.
    """
    start = _TURN[winds[discarder]]
    return min(claimants, key=lambda player: (_TURN[winds[player]] - start) % len(WINDS))


# --- Announcements ---


MOST_POINTS: Final = 400
"""Declaration points above this are a slip of the finger: no hand comes to so many."""


@dataclass(frozen=True)
class Declaration:
    """What an announcement comes to. Nobody can tell how many of bare points are flowers: all count for the minimum."""

    points: int
    points_without_flowers: int
    fans: tuple[NamedFan, ...] = ()
    """Dearest first; empty when only points were announced."""
    problems: tuple[Problem, ...] = ()
    doubts: tuple[Problem, ...] = ()
    """Why no hand counts exactly these fans."""

    def agrees_with(self, score: Score) -> bool:
        """Whether the tiles come to exactly this."""
        if not score.meets_minimum or self.points != score.points:
            return False
        named = Counter({named.fan: named.times for named in self.fans})
        return not named or named == Counter({counted.fan: counted.count for counted in score.fans})

    def beside(self, score: Score) -> list[tuple[Fan, int | None, int]]:
        """(fan, points as named, points as counted), dearest first; None where no fans were named."""
        worth = score.rulebook.points
        named = {line.fan: line.times for line in self.fans}
        counted = {line.fan: line.count for line in score.fans}
        return [
            (fan, named.get(fan, 0) * worth[fan] if named else None, counted.get(fan, 0) * worth[fan])
            for fan in sorted({*named, *counted}, key=lambda fan: (-worth[fan], fan.number))
        ]


def declared(
    points: int | None,
    fans: Mapping[str, int] | None,
    rulebook: Rulebook,
    *,
    self_drawn: bool,
    compared: bool,
) -> Declaration | None:
    """Work out what the points and the fans (key → times) come to; None when nothing was announced.

    An announcement that is only `compared` with tiles may be as wrong as it was; one that counts may not.
    """
    if fans is not None:
        return _by_fans(points, fans, rulebook, self_drawn, compared)
    if points is None:
        return None
    return Declaration(points, points, problems=_out_of_range(points))


def held_against(given: Declaration, rulebook: Rulebook) -> tuple[Problem, ...]:
    """List what speaks against an announcement alone, unless the umpire overrides it: doubts, and too few points."""
    reached = _reached(given, rulebook)
    if reached >= rulebook.minimum:
        return given.doubts
    where = "fans" if given.fans else "points"
    short = ANNOUNCED_BELOW_MINIMUM(where, points=reached, minimum=rulebook.minimum)
    return (*given.doubts, short)


def may_be_overridden(given: Declaration, rulebook: Rulebook) -> bool:
    """Whether an umpire may count an announcement all the same: it is clear, and comes to something."""
    return not given.problems and _reached(given, rulebook) > 0


def struck(entry: HandEntry, rulebook: Rulebook) -> dict[str, str]:
    """The fans (by key) that no hand has beside those that stand for it, each with one of these that bars it, or ""."""
    if entry.tiles is not None or entry.fans is None:
        return {}
    named = {fan: times for fan, times, _points in known_fans(entry.fans, rulebook).fans}
    apart = incompatible_fans(named, rulebook, self_drawn=entry.discarder is None)
    return {fan.key: by.key if by else "" for fan, by in apart.items()}


def _reached(given: Declaration, rulebook: Rulebook) -> int:
    return rulebook.against_minimum(given.points, given.points_without_flowers)


def _by_fans(
    points: int | None, fans: Mapping[str, int], rulebook: Rulebook, self_drawn: bool, compared: bool
) -> Declaration:
    named = known_fans(fans, rulebook) if compared else check_named(fans, rulebook, self_drawn=self_drawn)
    problems = list(named.problems) if fans else [FANS_MISSING("fans")]
    if points is not None and points != named.points:
        problems.append(ANNOUNCED_SUM("points", points=points, sum=named.points))
    return Declaration(named.points, named.points_without_flowers, named.fans, tuple(problems), named.doubts)


def _out_of_range(points: int) -> tuple[Problem, ...]:
    if points <= MOST_POINTS:
        return ()
    return (ANNOUNCED_TOO_MANY("points", points=points, most=MOST_POINTS),)
