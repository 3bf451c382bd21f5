"""The umpires' rota: who umpires which tables in which session.

Every table has an umpire and the tables are shared evenly. Nobody umpires in a session in which they play. Within a
session the tables of an umpire are adjacent; from session to session the umpires rotate, so that the same players do
not always have the same umpire.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


@dataclass(frozen=True)
class Shift:
    """A session of the rota: its table numbers, and the umpires who play in it."""

    session: int
    tables: Sequence[int]
    playing: Collection[int] = frozenset()


def propose_rota(shifts: Sequence[Shift], umpires: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return an umpire for each (session, table); none for sessions in which all umpires play.

    Within a session the numbers of tables of two free umpires differ by at most one. If they cannot be equal, the
    umpires with the fewest tables so far get one more; so the totals of two umpires who never play also differ by at
    most one.
    """
    rota: dict[tuple[int, int], int] = {}
    load = dict.fromkeys(umpires, 0)
    for index, shift in enumerate(shifts):
        free = [umpire for umpire in load if umpire not in shift.playing]
        if not free:
            continue
        share, rest = divmod(len(shift.tables), len(free))
        least_loaded = set(sorted(free, key=load.__getitem__)[:rest])
        first = index % len(free)
        rotated = [*free[first:], *free[:first]]
        sizes = [share + (umpire in least_loaded) for umpire in rotated]
        tables = sorted(shift.tables)
        for umpire, (start, end) in zip(rotated, pairwise(accumulate(sizes, initial=0)), strict=True):
            rota |= {(shift.session, table): umpire for table in tables[start:end]}
            load[umpire] += end - start
    return rota
