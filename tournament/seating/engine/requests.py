"""What can be wrong with a request for a draw: everything at once, each with the nearest possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from scoring.engine.problems import Problem
from tournament.seating.engine.designs import without_repeats
from tournament.seating.engine.wishes import Wishes, grouped

LEAST_PLAYERS: Final = 8
SEATS: Final = 4


def size_problems(players: Sequence[int], sessions: int) -> Iterator[Problem]:
    """Numbers that cannot be seated at full tables."""
    count = len(players)
    substitutes = -count % SEATS
    if count + substitutes < LEAST_PLAYERS:
        yield Problem("too_few_players", "players", {"players": count, "least": LEAST_PLAYERS})
    elif substitutes:
        yield Problem("substitutes_needed", "players", {"players": count, "substitutes": substitutes})
    for player, times in Counter(players).items():
        if times > 1:
            yield Problem("player_twice", "players", {"player": player})
    if sessions < 1:
        yield Problem("sessions_not_positive", "sessions", {"sessions": sessions})


def wish_problems(
    players: Sequence[int], wishes: Wishes, forbidden: Collection[tuple[int, int]], stay: Mapping[int, int]
) -> Iterator[Problem]:
    """Wishes about people or tables that there are not, or that no draw could meet."""
    known = set(players)
    tables = len(players) // SEATS
    named = {
        "teams": wishes.teams,
        "clubs": wishes.clubs,
        "countries": wishes.countries,
        "forbidden": [player for pair in forbidden for player in pair],
        "stay": stay,
    }
    for where, people in named.items():
        for player in sorted(set(people) - known):
            yield Problem("player_unknown", where, {"player": player})
    for one, other in forbidden:
        if one == other:
            yield Problem("pair_of_one", "forbidden", {"player": one})
    for team, members in grouped(wishes.teams).items():
        if len(members) > tables:
            yield Problem("team_too_large", "teams", {"team": team, "size": len(members), "tables": tables})
    yield from _stay_problems(stay, tables)


def _stay_problems(stay: Mapping[int, int], tables: int) -> Iterator[Problem]:
    for table, people in Counter(stay.values()).items():
        if not 1 <= table <= tables:
            yield Problem("table_unknown", "stay", {"table": table, "tables": tables})
        if people > 1:
            yield Problem("table_shared", "stay", {"table": table, "players": people})


def repeats_problem(players: int, sessions: int) -> Problem:
    """Said when no repeats are wanted and some are left."""
    most = len(without_repeats(players, sessions))
    if most == sessions:
        return Problem("repeats_or_wishes", "teams", {"sessions": sessions})
    return Problem("repeats_unavoidable", "sessions", {"sessions": sessions, "most": most})
