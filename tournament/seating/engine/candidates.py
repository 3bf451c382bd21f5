"""Designs to try for a draw, the most promising first, each with blocks of labels that never meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice

from tournament.seating.engine.columns import column_sessions
from tournament.seating.engine.designs import with_few_repeats, without_repeats
from tournament.seating.engine.shapes import Sessions, meetings


@dataclass(frozen=True, slots=True)
class Candidate:
    """Sessions over labels, and a partition of the labels into blocks inside which nobody meets."""

    sessions: Sessions
    blocks: tuple[tuple[int, ...], ...]


def candidates(players: int, sessions: int) -> Iterator[Candidate]:
    """Designs with as few repeats as are known for this size.

    The tables of a session that is left out never meet: blocks of four. The columns of the column design are
    blocks of a quarter of the players. Other designs are searched for blocks.
    """
    with_spare = without_repeats(players, sessions + 1)
    if len(with_spare) > sessions:
        yield Candidate(with_spare[:sessions], with_spare[sessions])
    across = column_sessions(players, sessions)
    if len(across) == sessions:
        yield Candidate(across, _columns(players))
    design = with_few_repeats(players, sessions)
    yield Candidate(design, _strangers(design, players))


def costlier_candidates(players: int, sessions: int) -> Iterator[Candidate]:
    """Designs that keep blocks apart at the price of repeats: some sessions are played over again."""
    known = without_repeats(players, sessions)
    if len(known) > 1:
        yield Candidate(tuple(islice(cycle(known[:-1]), sessions)), known[-1])
    across = column_sessions(players, sessions)
    yield Candidate(tuple(islice(cycle(across), sessions)), _columns(players))


def _columns(players: int) -> tuple[tuple[int, ...], ...]:
    length = players // 4
    return tuple(tuple(range(start, start + length)) for start in range(0, players, length))


def _strangers(sessions: Sessions, players: int) -> tuple[tuple[int, ...], ...]:
    """Blocks of labels that never meet, found by taking the first stranger to the whole block each time."""
    strangers = [set(range(players)) - {label} for label in range(players)]
    for _, one, other in meetings(sessions):
        strangers[one].discard(other)
        strangers[other].discard(one)
    blocks = []
    left = set(range(players))
    while left:
        block = [min(left, key=lambda label: (len(strangers[label] & left), label))]
        common = strangers[block[0]] & left
        while common:
            block.append(min(common))
            common &= strangers[block[-1]]
        blocks.append(tuple(block))
        left -= set(block)
    return tuple(blocks)
