"""Judging a hand at a table: whether it is legal there, what it scores, who pays whom."""

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
    check_partial,
    incompatible_fans,
    known_fans,
    payments,
    score,
)
from scoring.engine.problems import WINNING_TILE_NOT_HELD, Problem, ProblemCode, problem_code
from tournament.base.engine.entries import DRAW, PENDING, WIN, HandEntry
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
ANNOUNCED_SUM = problem_code(
    "announced_sum",
    "These fans come to {sum} point, not {points}.",
    "These fans come to {sum} points, not {points}.",
    by="sum",
)
ANNOUNCED_BELOW_MINIMUM = problem_code(
    "announced_below_minimum",
    "{points} point does not win: {minimum} are needed.",
    "{points} points do not win: {minimum} are needed.",
    by="points",
)
ANNOUNCED_TOO_MANY = problem_code(
    "announced_too_many", "No hand comes to {points} points. Check the figure.", also=("maximum",)
)
UNKNOWN_OUTCOME = problem_code(
    "unknown_outcome", "“{outcome}” is not an outcome: a hand is won, washed out or to be ruled on."
)
WASH_OUT_WITH_WINNER = problem_code(
    "wash_out_with_winner", "A wash-out has no winner, no discarder and no tiles."
)
DISPUTE_MISSING = problem_code("dispute_missing", "Write down what each side claims.")
DISPUTE_AND_RESULT = problem_code(
    "dispute_and_result",
    "Only a hand that is to be ruled on has claims written down; it has no winner, no discarder and no points.",
)
NO_SUCH_HAND = problem_code("no_such_hand", "There is no hand {number}: a session has hands 1 to {hands}.")
DEAD_HAND = problem_code(
    "dead_hand",
    "{name} may not win hand {hand}: dead hand for {foul}.",
    also=("foul_en", "foul_zh_hans", "foul_zh_hant"),
)
EXCLUDED_DISQUALIFICATION = problem_code(
    "excluded_disqualification", "{name} is disqualified and can no longer win a hand."
)
EXCLUDED_MAY_NOT_CONTINUE = problem_code(
    "excluded_may_not_continue", "{name} may not continue and can no longer win a hand."
)
NOT_A_WINNING_HAND = problem_code("not_a_winning_hand", "These tiles are not a winning hand.")
BELOW_MINIMUM = problem_code(
    "below_minimum",
    "The hand has {points} point without flowers; {minimum} are needed to win.",
    "The hand has {points} points without flowers; {minimum} are needed to win.",
    by="points",
)
SEAT_EMPTY = problem_code(
    "seat_empty",
    "The seat of player {player} is empty: it cannot win, discard or claim. Name a stand-in, or record that "
    "the player is here.",
)

# --- Verdict ---


@dataclass(frozen=True)
class Verdict:
    """The judgement of a hand: every problem at once; without problems its points, and payments by player number."""

    problems: tuple[Problem, ...] = ()
    score: Score | None = None
    """None without tiles."""
    tiles: dict[str, Any] | None = None
    """The stored record: the entry completed with the winds and `self_drawn`."""
    announced: Declaration | None = None
    overridden: bool = False
    """Whether an umpire let the announcement count against the tiles, below the minimum, or with impossible fans."""
    overridable: bool = False
    """Whether an umpire may override the problems with a reason."""
    payments: dict[int, int] = field(default_factory=dict)
    points: int = 0
    """Flowers included."""
    points_without_flowers: int = 0

    @property
    def is_legal(self) -> bool:
        return not self.problems

    @property
    def agrees(self) -> bool:
        """Whether tiles and announcement come to the same; True where one of them is missing."""
        return self.score is None or self.announced is None or self.announced.agrees_with(self.score)

    @property
    def fans(self) -> tuple[NamedFan, ...]:
        """The fans that count, most points first; empty when only points were announced."""
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
    """Judge `entry` as hand 1..16 of a table.

    `seats`: starting wind → player number. `barred`: player who may not win the hand → the problem if they did.
    A hand below the rulebook's minimum comes back with its score *and* the problem, so that both can be shown.
    """
    if problems := find_entry_problems(rules, seats, hand_number, entry, barred or {}):
        return Verdict(problems)
    if entry.outcome in (DRAW, PENDING):
        tiles = None if entry.tiles is None else _known_tiles(entry.tiles)
        return Verdict(tiles=tiles, payments=dict.fromkeys(seats.values(), 0))
    announced = evaluate_declaration(entry, rules.scoring)
    if entry.tiles is None:
        assert announced is not None, "a win without tiles was announced"
        return _count_declaration(rules, seats, entry, Verdict(announced=announced))
    start = next(wind for wind, player in seats.items() if player == entry.winner)
    record, problems = _complete_record(entry, start, hand_number, rules)
    try:
        hand = Hand.from_json(record)
    except InvalidHand as invalid:
        return Verdict((*problems, *invalid.problems), tiles=record, announced=announced)
    counted = Verdict(problems, score(hand, rules.scoring), record, announced)
    if entry.override and not counted.agrees:
        return _count_declaration(rules, seats, entry, counted)
    return _count_tiles(rules, seats, entry, counted)


def _known_tiles(tiles: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a pending hand, in which anything may be missing, with its lists of tiles."""
    known = {name: value for name, value in tiles.items() if value is not None}
    return {"concealed": [], "melds": []} | known


CONTRADICTIONS: Final[Mapping[str, ProblemCode]] = {
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


def _complete_record(
    entry: HandEntry, start: str, hand_number: int, rules: Rules
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Complete the record with winds and `self_drawn`, derived from the table; contradictions are problems."""
    derived = entry.derived_fields(start, hand_number, rules.chart)
    record = dict(entry.tiles or {})
    problems = tuple(
        CONTRADICTIONS[key](key, given=str(record[key]), right=str(value))
        for key, value in derived.items()
        if key in record and record[key] != value
    )
    return record | derived, problems


def _count_tiles(rules: Rules, seats: Mapping[str, int], entry: HandEntry, verdict: Verdict) -> Verdict:
    """Count the tiles, whatever was announced."""
    assert verdict.score is not None
    problems = (*verdict.problems, *_shortfall(verdict.score, rules))
    if problems or (verdict.announced and verdict.announced.problems):
        return replace(
            verdict, problems=(*problems, *(verdict.announced.problems if verdict.announced else ()))
        )
    return _pay(rules, seats, entry, verdict, verdict.score.points, verdict.score.points_without_flowers)


def _shortfall(result: Score, rules: Rules) -> tuple[Problem, ...]:
    if not result.win:
        return (NOT_A_WINNING_HAND("tiles"),)
    if not result.meets_minimum:
        return (BELOW_MINIMUM("tiles", points=result.points_without_flowers, minimum=rules.scoring.minimum),)
    return ()


def _count_declaration(rules: Rules, seats: Mapping[str, int], entry: HandEntry, verdict: Verdict) -> Verdict:
    """Count the announcement: there are no tiles, or the umpire overrides them."""
    announced = verdict.announced
    assert announced is not None
    objections = find_objections(announced, rules.scoring)
    overridable = not verdict.problems and is_overridable(announced, rules.scoring)
    problems = (
        *verdict.problems,
        *announced.problems,
        *(() if entry.override and overridable else objections),
    )
    if problems:
        return replace(verdict, problems=problems, overridable=overridable)
    verdict = replace(verdict, overridden=verdict.score is not None or bool(objections))
    return _pay(rules, seats, entry, verdict, announced.points, announced.points_without_flowers)


def _pay(
    rules: Rules,
    seats: Mapping[str, int],
    entry: HandEntry,
    verdict: Verdict,
    points: int,
    without_flowers: int,
) -> Verdict:
    """Return the verdict with its points and payments."""
    assert entry.winner is not None
    players = [seats[wind] for wind in WINDS]
    discarder = None if entry.discarder is None else players.index(entry.discarder)
    changes = payments(points, players.index(entry.winner), discarder, rules.scoring)
    paid = dict(zip(players, changes, strict=True))
    return replace(verdict, payments=paid, points=points, points_without_flowers=without_flowers)


# --- People and claims ---


def find_entry_problems(
    rules: Rules,
    seats: Mapping[str, int],
    hand_number: int,
    entry: HandEntry,
    barred: Mapping[int, Problem],
) -> tuple[Problem, ...]:
    """List what is wrong with players, hand number and what is to count, before any tile is read.

    `barred`: player who may not win the hand → the problem if they did.
    """
    problems = []
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        problems.append(NO_SUCH_HAND("number", number=hand_number, hands=HANDS_PER_SESSION))
    if entry.outcome not in (WIN, DRAW, PENDING):
        problems.append(UNKNOWN_OUTCOME("outcome", outcome=entry.outcome))
    if entry.outcome == DRAW and _has_win_facts(entry):
        problems.append(WASH_OUT_WITH_WINNER("outcome"))
    problems += _dispute_problems(entry, set(seats.values()))
    problems += _unseated_problems("absent", entry.absent or (), set(seats.values()))
    if entry.outcome == WIN:
        problems += _player_problems(set(seats.values()), entry)
        problems += _empty_seat_problems(entry)
        problems += _value_problems(entry)
        if not problems:
            problems += _claim_problems(rules, seats, hand_number, entry, barred)
        problems += [problem for player, problem in barred.items() if player == entry.winner]
    return tuple(problems)


def _has_win_facts(entry: HandEntry) -> bool:
    facts = (entry.winner, entry.discarder, entry.tiles, entry.points, entry.fans)
    return bool(entry.claimants) or any(fact is not None for fact in facts)


def _dispute_problems(entry: HandEntry, present: set[int]) -> Iterator[Problem]:
    """Check what only a pending hand has. Its tiles need not be complete, nor win."""
    if entry.outcome != PENDING:
        if entry.dispute:
            yield DISPUTE_AND_RESULT("outcome")
        return
    if any(fact is not None for fact in (entry.winner, entry.discarder, entry.points, entry.fans)):
        yield DISPUTE_AND_RESULT("outcome")
    if not entry.dispute.strip():
        yield DISPUTE_MISSING("dispute")
    if entry.tiles is not None:
        yield from check_partial(entry.tiles) or _winning_tile_problems(entry.tiles)
    yield from _unseated_problems("claimants", entry.claimants, present)


def _winning_tile_problems(tiles: Mapping[str, Any]) -> Iterator[Problem]:
    winning = tiles.get("winning_tile")
    if winning is not None and winning not in (tiles.get("concealed") or ()):
        yield WINNING_TILE_NOT_HELD("winning_tile", tile=winning)


def _player_problems(present: set[int], entry: HandEntry) -> Iterator[Problem]:
    if entry.winner is None:
        yield WINNER_MISSING("winner")
    elif entry.winner not in present:
        yield NOT_AT_THIS_TABLE("winner", player=entry.winner)
    if entry.discarder is not None and entry.discarder not in present:
        yield NOT_AT_THIS_TABLE("discarder", player=entry.discarder)
    if entry.discarder is not None and entry.discarder == entry.winner:
        yield DISCARDER_IS_WINNER("discarder", player=entry.discarder)
    yield from _unseated_problems("claimants", entry.claimants, present)


def _unseated_problems(where: str, players: Iterable[int], present: set[int]) -> Iterator[Problem]:
    for player in players:
        if player not in present:
            yield NOT_AT_THIS_TABLE(where, player=player)


def _empty_seat_problems(entry: HandEntry) -> Iterator[Problem]:
    claimants = (("claimants", player) for player in entry.claimants)
    for where, player in (("winner", entry.winner), ("discarder", entry.discarder), *claimants):
        if player is not None and player in (entry.absent or ()):
            yield SEAT_EMPTY(where, player=player)


def _value_problems(entry: HandEntry) -> Iterator[Problem]:
    is_announced = entry.points is not None or entry.fans is not None
    if entry.tiles is None and not is_announced:
        yield TILES_MISSING("tiles")
    if entry.override and not is_announced:
        yield NOTHING_TO_OVERRIDE("override")


def _claim_problems(
    rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry, barred: Collection[int]
) -> Iterator[Problem]:
    """Check that the winner is the first in turn after the discarder of the claimants who may win."""
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
    eligible = [player for player in entry.claimants if player not in barred]
    nearest = nearest_in_turn(winds, entry.discarder, (entry.winner, *eligible))
    if nearest != entry.winner:
        yield NEARER_CLAIMANT("winner", player=nearest)


_TURN: Final = {wind: place for place, wind in enumerate(WINDS)}


def nearest_in_turn(winds: Mapping[int, str], discarder: int, claimants: Iterable[int]) -> int:
    """Return the claimant who comes first in turn after the discarder. `winds`: player → seat wind in this hand."""
    start = _TURN[winds[discarder]]
    return min(claimants, key=lambda player: (_TURN[winds[player]] - start) % len(WINDS))


# --- Announcements ---


MAX_POINTS: Final = 400
"""Announced points above this are a typing mistake: no hand scores as many."""


@dataclass(frozen=True)
class Declaration:
    """An evaluated announcement. How many bare points are flowers is unknown: all count for the minimum."""

    points: int
    points_without_flowers: int
    fans: tuple[NamedFan, ...] = ()
    """Most points first; empty when only points were announced."""
    problems: tuple[Problem, ...] = ()
    doubts: tuple[Problem, ...] = ()
    """Why no hand counts exactly these fans."""

    def agrees_with(self, score: Score) -> bool:
        """Whether the tiles come to exactly this."""
        if not score.meets_minimum or self.points != score.points:
            return False
        named = Counter({named.fan: named.times for named in self.fans})
        return not named or named == Counter({counted.fan: counted.count for counted in score.fans})

    def compare_lines(self, score: Score) -> list[tuple[Fan, int | None, int]]:
        """List (fan, points as named, points as counted), most points first; None where no fans were named."""
        worth = score.rulebook.points
        named = {line.fan: line.times for line in self.fans}
        counted = {line.fan: line.count for line in score.fans}
        return [
            (fan, named.get(fan, 0) * worth[fan] if named else None, counted.get(fan, 0) * worth[fan])
            for fan in sorted({*named, *counted}, key=lambda fan: (-worth[fan], fan.number))
        ]


def evaluate_declaration(entry: HandEntry, rulebook: Rulebook) -> Declaration | None:
    """Evaluate the announced points and fans; None when nothing was announced.

    One that is only compared with the tiles may be wrong; one that counts may not.
    """
    if entry.fans is not None:
        return _evaluate_fans(entry, entry.fans, rulebook)
    if entry.points is None:
        return None
    too_many = ANNOUNCED_TOO_MANY("points", points=entry.points, maximum=MAX_POINTS)
    return Declaration(entry.points, entry.points, problems=(too_many,) if entry.points > MAX_POINTS else ())


def _evaluate_fans(entry: HandEntry, fans: Mapping[str, int], rulebook: Rulebook) -> Declaration:
    if entry.tiles is not None and not entry.override:
        checked = known_fans(fans, rulebook)
    else:
        checked = check_named(fans, rulebook, self_drawn=entry.discarder is None)
    problems = list(checked.problems) if fans else [FANS_MISSING("fans")]
    if entry.points is not None and entry.points != checked.points:
        problems.append(ANNOUNCED_SUM("points", points=entry.points, sum=checked.points))
    return Declaration(
        checked.points, checked.points_without_flowers, checked.fans, tuple(problems), checked.doubts
    )


def find_objections(declaration: Declaration, rulebook: Rulebook) -> tuple[Problem, ...]:
    """List what an umpire has to override for an announcement to count: doubts, and too few points."""
    points = _qualifying_points(declaration, rulebook)
    if points >= rulebook.minimum:
        return declaration.doubts
    where = "fans" if declaration.fans else "points"
    short = ANNOUNCED_BELOW_MINIMUM(where, points=points, minimum=rulebook.minimum)
    return (*declaration.doubts, short)


def is_overridable(declaration: Declaration, rulebook: Rulebook) -> bool:
    """Whether an umpire may count an announcement despite objections: it has no problems and some points."""
    return not declaration.problems and _qualifying_points(declaration, rulebook) > 0


def find_conflicting_fans(entry: HandEntry, rulebook: Rulebook) -> dict[str, str]:
    """Map announced fans that exclude each other, by key, to one that excludes them; "" where it takes several."""
    if entry.tiles is not None or entry.fans is None:
        return {}
    named = {fan: times for fan, times, _points in known_fans(entry.fans, rulebook).fans}
    apart = incompatible_fans(named, rulebook, self_drawn=entry.discarder is None)
    return {fan.key: by.key if by else "" for fan, by in apart.items()}


def _qualifying_points(declaration: Declaration, rulebook: Rulebook) -> int:
    return rulebook.against_minimum(declaration.points, declaration.points_without_flowers)
