"""Faults of who and when, found before any tile is looked at."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from scoring.engine.problems import Problem
from tournament.base.engine.entry import DRAW, WIN, HandEntry
from tournament.base.engine.rotation import HANDS_PER_SESSION, seat_wind
from tournament.base.engine.rules import Rules
from tournament.play.engine.turn import nearest_in_turn


def misplaced(
    rules: Rules,
    seats: Mapping[str, int],
    hand_number: int,
    entry: HandEntry,
    barred: Mapping[int, Problem],
) -> tuple[Problem, ...]:
    """Everything that is wrong with who won from whom, in which hand, and with what is there to count.

    `barred`: who may not win this hand, and what to say when they do.
    """
    found = []
    if not 1 <= hand_number <= HANDS_PER_SESSION:
        found.append(Problem("no_such_hand", "number", {"number": hand_number, "hands": HANDS_PER_SESSION}))
    if entry.outcome not in (WIN, DRAW):
        found.append(Problem("unknown_outcome", "outcome", {"outcome": entry.outcome}))
    if entry.outcome == DRAW and _says_who_won(entry):
        found.append(Problem("wash_out_with_winner", "outcome"))
    found += _not_here("absent", entry.absent or (), set(seats.values()))
    if entry.outcome == WIN:
        found += _wrong_people(set(seats.values()), entry)
        found += _nobody_there(entry)
        found += _nothing_to_count(entry)
        if not found:
            found += _wrong_claims(rules, seats, hand_number, entry, barred)
        found += [why for player, why in barred.items() if player == entry.winner]
    return tuple(found)


def _says_who_won(entry: HandEntry) -> bool:
    said = (entry.winner, entry.discarder, entry.tiles, entry.points, entry.fans)
    return bool(entry.claimants) or any(value is not None for value in said)


def _not_here(field: str, players: Iterable[int], present: set[int]) -> Iterator[Problem]:
    for player in players:
        if player not in present:
            yield Problem("not_at_this_table", field, {"player": player})


def _nobody_there(entry: HandEntry) -> Iterator[Problem]:
    """Nobody wins, discards or claims in an empty seat."""
    named = [("winner", entry.winner), ("discarder", entry.discarder)]
    for field, player in (*named, *(("claimants", player) for player in entry.claimants)):
        if player is not None and player in (entry.absent or ()):
            yield Problem("seat_empty", field, {"player": player})


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


def _nothing_to_count(entry: HandEntry) -> Iterator[Problem]:
    is_announced = entry.points is not None or entry.fans is not None
    if entry.tiles is None and not is_announced:
        yield Problem("tiles_missing", "tiles")
    if entry.override and not is_announced:
        yield Problem("nothing_to_override", "override")


def _wrong_claims(
    rules: Rules, seats: Mapping[str, int], hand_number: int, entry: HandEntry, barred: Collection[int]
) -> Iterator[Problem]:
    """Only one wins: of the claimants who may win, the one next in turn after the discarder."""
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
