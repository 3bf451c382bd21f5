"""The certificate of a draw: what it achieves, next to what nobody could better."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from typing import Any, Final

from tournament.seating.engine.shapes import Sessions, meetings

_PROVED: Final = {(20, 6): 1}
"""Where counting would allow no repeat and a proof says otherwise: a 4-RGDD of type 2^10 does not exist
(exception list in Miller, Valkov, Abel 2026)."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a draw achieves.

    ``repeats`` counts every meeting of two players after their first; no draw of this size has fewer than
    ``repeats_minimum``, or, where team-mates never meet, no draw that keeps them apart. ``wind_spread`` is the
    most that one player's count of a starting wind exceeds that of another wind; ``table_most`` the most
    sessions that one player has at one table number. Meetings of team-mates, club-mates and compatriots count
    every time; the minimum for teams holds for this number of repeats.
    """

    repeats: int
    repeats_minimum: int
    most_meetings: int
    wind_spread: int
    table_most: int
    team_meetings: int = 0
    team_meetings_minimum: int = 0
    club_meetings: int = 0
    country_meetings: int = 0
    forbidden_meetings: int = 0

    @property
    def best_possible(self) -> bool:
        """Whether no draw could have fewer repeats."""
        return self.repeats == self.repeats_minimum

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "best_possible": self.best_possible}


def count_repeats(sessions: Sessions) -> int:
    """Every meeting of two players after their first."""
    met = [frozenset((one, other)) for _, one, other in meetings(sessions)]
    return len(met) - len(set(met))


def repeats_minimum(players: int, sessions: int, apart: int = 0) -> int:
    """A number of repeats that no draw of this size can go below, if ``apart`` pairs must never meet.

    By counting: so many meetings over so few pairs. Below 16 players also because a table of four cannot take
    its players from four different tables of another session; and where a proof is known.
    """
    tables = players // 4
    counted = 6 * tables * sessions - (comb(players, 2) - apart)
    known = _PROVED.get((players, sessions), 0)
    return max(0, counted, known, (sessions - 1) * tables * _forced_pairs(tables))


def _forced_pairs(tables: int) -> int:
    """Pairs that sat together before, at a table filled as evenly as can be from ``tables`` earlier
    tables.
    """
    each, more = divmod(4, tables)
    return more * comb(each + 1, 2) + (tables - more) * comb(each, 2)


def group_minimum(sizes: Sequence[int], players: int, sessions: int, repeats: int) -> int:
    """Meetings inside groups of these sizes that no draw with so many repeats can avoid.

    Either because a group is larger than the number of tables, or because there are not enough pairs of
    different groups to fill the seats.
    """
    tables = players // 4
    crowded = 0
    for size in sizes:
        each, more = divmod(size, tables)
        crowded += sessions * (more * comb(each + 1, 2) + (tables - more) * comb(each, 2))
    across = comb(players, 2) - sum(comb(size, 2) for size in sizes)
    return max(crowded, 6 * tables * sessions - repeats - across)


def measure(
    sessions: Sessions,
    *,
    teams: Mapping[int, str] | None = None,
    clubs: Mapping[int, str] | None = None,
    countries: Mapping[int, str] | None = None,
    forbidden: Collection[frozenset[int]] = (),
) -> Quality:
    """The certificate of sessions seated in the order E, S, W, N; groups are player → name."""
    met = Counter(frozenset((one, other)) for _, one, other in meetings(sessions))
    players = 4 * len(sessions[0]) if sessions else 0
    sizes = list(Counter(filter(None, (teams or {}).values())).values())
    repeats = sum(met.values()) - len(met)
    team_meetings = _together(met, teams)
    kept_apart = 0 if team_meetings else sum(comb(size, 2) for size in sizes)
    return Quality(
        repeats=repeats,
        repeats_minimum=repeats_minimum(players, len(sessions), kept_apart) if sessions else 0,
        most_meetings=max(met.values(), default=0),
        wind_spread=wind_spread(sessions),
        table_most=_table_most(sessions),
        team_meetings=team_meetings,
        team_meetings_minimum=group_minimum(sizes, players, len(sessions), repeats) if sizes else 0,
        club_meetings=_together(met, clubs),
        country_meetings=_together(met, countries),
        forbidden_meetings=sum(met[pair] for pair in forbidden),
    )


def _together(met: Counter[frozenset[int]], groups: Mapping[int, str] | None) -> int:
    """Meetings of two players whose groups have the same, not empty, name."""
    if not groups:
        return 0
    names = (({groups.get(player, "") for player in pair}, times) for pair, times in met.items())
    return sum(times for name, times in names if len(name) == 1 and name != {""})


def wind_spread(sessions: Sessions) -> int:
    """The most that anybody's count of a starting wind exceeds that of another wind."""
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for session in sessions:
        for table in session:
            for wind, player in enumerate(table):
                counts[player][wind] += 1
    return max((max(winds) - min(winds) for winds in counts.values()), default=0)


def _table_most(sessions: Sessions) -> int:
    numbered = (enumerate(session) for session in sessions)
    seats = Counter((player, number) for tables in numbered for number, table in tables for player in table)
    return max(seats.values(), default=0)
