"""Who umpires which tables in which session: every table has an umpire, and the work is shared evenly.

Nobody umpires in a session that they play in, and so at no table of their own. Within a session the tables of an
umpire lie side by side, so that one walks little; from session to session the umpires move on, so that the same four
players do not always meet the same one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


@dataclass(frozen=True)
class Shift:
    """A session as the rota sees it: its tables by number, and which umpires play in it."""

    session: int
    tables: Sequence[int]
    playing: Collection[int] = frozenset()


def propose(shifts: Sequence[Shift], umpires: Sequence[int]) -> dict[tuple[int, int], int]:
    """Propose an umpire for each (session, table), but in sessions in which all of them play.

    Within a session nobody has two tables more than another who is free. Where a session's tables do not come out even,
    those with the fewest so far have one more: over all sessions nobody who is always free has two more than another
    such, whoever else plays in some.
    """
    rota: dict[tuple[int, int], int] = {}
    load = dict.fromkeys(umpires, 0)
    for turn, shift in enumerate(shifts):
        free = [umpire for umpire in load if umpire not in shift.playing]
        if not free:
            continue
        each, more = divmod(len(shift.tables), len(free))
        fewest = set(sorted(free, key=load.__getitem__)[:more])
        first = turn % len(free)
        moved_on = [*free[first:], *free[:first]]
        sizes = [each + (umpire in fewest) for umpire in moved_on]
        tables = sorted(shift.tables)
        for umpire, (start, end) in zip(moved_on, pairwise(accumulate(sizes, initial=0)), strict=True):
            rota |= {(shift.session, table): umpire for table in tables[start:end]}
            load[umpire] += end - start
    return rota
