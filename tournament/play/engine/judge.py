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
    apart_from,
    check_named,
    known_fans,
    payments,
    score,
)
from scoring.engine.problems import Problem
from tournament.base.engine.entries import DRAW, WIN, HandEntry
from tournament.base.engine.rules import HANDS_PER_SESSION, WINDS, Rules, seat_wind

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


def _completed(
    entry: HandEntry, start: str, hand_number: int, rules: Rules
) -> tuple[dict[str, Any], tuple[Problem, ...]]:
    """Complete the record with the winds and the way of winning that follow; what it says otherwise is a problem."""
    right = entry.worked_out(start, hand_number, rules.chart)
    given = dict(entry.tiles or {})
    problems = tuple(
        Problem(f"wrong_{key}", key, {"given": str(given[key]), "right": str(value)})
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
        return (Problem("not_a_winning_hand", "tiles"),)
    if not result.meets_minimum:
        params = {"points": result.points_without_flowers, "minimum": rules.scoring.minimum}
        return (Problem("below_minimum", "tiles", params),)
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
        problems.append(
            Problem("no_such_hand", "number", {"number": hand_number, "hands": HANDS_PER_SESSION})
        )
    if entry.outcome not in (WIN, DRAW):
        problems.append(Problem("unknown_outcome", "outcome", {"outcome": entry.outcome}))
    if entry.outcome == DRAW and _says_who_won(entry):
        problems.append(Problem("wash_out_with_winner", "outcome"))
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
        yield Problem("winner_missing", "winner")
    elif entry.winner not in present:
        yield Problem("not_at_this_table", "winner", {"player": entry.winner})
    if entry.discarder is not None and entry.discarder not in present:
        yield Problem("not_at_this_table", "discarder", {"player": entry.discarder})
    if entry.discarder is not None and entry.discarder == entry.winner:
        yield Problem("discarder_is_winner", "discarder", {"player": entry.discarder})
    yield from _not_here("claimants", entry.claimants, present)


def _not_here(field: str, players: Iterable[int], present: set[int]) -> Iterator[Problem]:
    for player in players:
        if player not in present:
            yield Problem("not_at_this_table", field, {"player": player})


def _nobody_there(entry: HandEntry) -> Iterator[Problem]:
    """Refuse who wins, discards or claims in an empty seat."""
    claimants = (("claimants", player) for player in entry.claimants)
    for where, player in (("winner", entry.winner), ("discarder", entry.discarder), *claimants):
        if player is not None and player in (entry.absent or ()):
            yield Problem("seat_empty", where, {"player": player})


def _nothing_to_count(entry: HandEntry) -> Iterator[Problem]:
    is_announced = entry.points is not None or entry.fans is not None
    if entry.tiles is None and not is_announced:
        yield Problem("tiles_missing", "tiles")
    if entry.override and not is_announced:
        yield Problem("nothing_to_override", "override")


def _wrong_claims(
    rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry, barred: Collection[int]
) -> Iterator[Problem]:
    """Check that of the claimants who may win, the winner is the one next in turn after the discarder."""
    if not entry.claimants:
        return
    if entry.discarder is None:
        yield Problem("claimants_without_discard", "claimants")
        return
    assert entry.winner is not None
    if entry.discarder in entry.claimants:
        yield Problem("discarder_claims", "claimants", {"player": entry.discarder})
        return
    winds = {player: seat_wind(start, hand_number, rules.chart) for start, player in seats.items()}
    able = [player for player in entry.claimants if player not in barred]
    nearest = nearest_in_turn(winds, entry.discarder, (entry.winner, *able))
    if nearest != entry.winner:
        yield Problem("nearer_claimant", "winner", {"player": nearest})


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
    short = Problem("announced_below_minimum", where, {"points": reached, "minimum": rulebook.minimum})
    return (*given.doubts, short)


def may_be_overridden(given: Declaration, rulebook: Rulebook) -> bool:
    """Whether an umpire may count an announcement all the same: it is clear, and comes to something."""
    return not given.problems and _reached(given, rulebook) > 0


def struck(entry: HandEntry, rulebook: Rulebook) -> dict[str, str]:
    """The fans (by key) that no hand has beside those that stand for it, each with one of these that bars it, or ""."""
    if entry.tiles is not None or entry.fans is None:
        return {}
    named = {fan: times for fan, times, _points in known_fans(entry.fans, rulebook).fans}
    apart = apart_from(named, rulebook, self_drawn=entry.discarder is None)
    return {fan.key: by.key if by else "" for fan, by in apart.items()}


def _reached(given: Declaration, rulebook: Rulebook) -> int:
    return rulebook.against_minimum(given.points, given.points_without_flowers)


def _by_fans(
    points: int | None, fans: Mapping[str, int], rulebook: Rulebook, self_drawn: bool, compared: bool
) -> Declaration:
    named = known_fans(fans, rulebook) if compared else check_named(fans, rulebook, self_drawn=self_drawn)
    problems = list(named.problems) if fans else [Problem("fans_missing", "fans")]
    if points is not None and points != named.points:
        problems.append(Problem("announced_sum", "points", {"points": points, "sum": named.points}))
    return Declaration(named.points, named.points_without_flowers, named.fans, tuple(problems), named.doubts)


def _out_of_range(points: int) -> tuple[Problem, ...]:
    if points <= MOST_POINTS:
        return ()
    return (Problem("announced_too_many", "points", {"points": points, "most": MOST_POINTS}),)
