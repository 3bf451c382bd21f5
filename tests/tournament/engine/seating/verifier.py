"""Judges a draw from its seats alone, knowing nothing of how it was made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tournament.engine.seating import Draw

Tables = Sequence[Sequence[int]]


def seats(draw: Draw) -> list[list[list[int]]]:
    """Session → table → players in the order E, S, W, N."""
    return [[[table[wind] for wind in "ESWN"] for table in session] for session in draw.sessions]


def check_seated(draw: Draw) -> None:
    """Everybody sits exactly once in every session, four to a table."""
    for session in seats(draw):
        assert sorted(player for table in session for player in table) == sorted(draw.players)
        assert all(len(table) == 4 for table in session)


def pairs(draw: Draw) -> Iterator[tuple[int, int]]:
    for session in seats(draw):
        for table in session:
            yield from combinations(sorted(table), 2)


def repeats(draw: Draw) -> int:
    """Meetings after the first one of each pair."""
    return sum(times - 1 for times in Counter(pairs(draw)).values())


def winds(draw: Draw, first: int = 0, last: int | None = None) -> dict[int, list[int]]:
    """Player → how often that player starts E, S, W, N in sessions ``first`` to ``last``."""
    found = {player: [0, 0, 0, 0] for player in draw.players}
    for session in seats(draw)[first:last]:
        for table in session:
            for wind, player in enumerate(table):
                found[player][wind] += 1
    return found


def wind_spread(draw: Draw) -> int:
    return max(max(counts) - min(counts) for counts in winds(draw).values())


def together(draw: Draw, groups: dict[int, str]) -> int:
    """Meetings of two members of one group."""
    return sum(groups[one] == groups[other] != "" for one, other in pairs(draw))
