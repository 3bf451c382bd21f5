"""Who umpires which tables in which session: every table has an umpire, and the work is shared evenly.

Nobody umpires in a session that they play in, and so at no table of their own. Within a session the tables of an
umpire lie side by side, so that one walks little; from session to session the umpires move on, so that the same four
players do not always meet the same one.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise


@dataclass(frozen=True)
class Shift:
    """A session as the rota sees it: its tables by number, and which umpires play in it."""

    session: int
    tables: Sequence[int]
    playing: Collection[int] = frozenset()


@dataclass(frozen=True)
class Rota:
    """`umpires`: (session, table) → umpire. `uncovered`: the tables of sessions in which every umpire plays."""

    umpires: Mapping[tuple[int, int], int]
    uncovered: Sequence[tuple[int, int]] = field(default=())

    def load(self, umpire: int) -> int:
        return list(self.umpires.values()).count(umpire)


def propose(shifts: Sequence[Shift], umpires: Sequence[int]) -> Rota:
    """A rota in which, within each session, nobody has two tables more than another who is free.

    Where a session's tables do not come out even, those with the fewest so far have one more: over all sessions nobody
    who is always free has two more than another such, whoever else plays in some.
    """
    rota: dict[tuple[int, int], int] = {}
    uncovered: list[tuple[int, int]] = []
    load = dict.fromkeys(umpires, 0)
    for turn, shift in enumerate(shifts):
        free = [umpire for umpire in load if umpire not in shift.playing]
        if not free:
            uncovered += [(shift.session, table) for table in shift.tables]
            continue
        each, more = divmod(len(shift.tables), len(free))
        fewest = set(sorted(free, key=load.__getitem__)[:more])
        moved = _moved_on(free, turn)
        sizes = [each + (umpire in fewest) for umpire in moved]
        tables = sorted(shift.tables)
        for umpire, (start, end) in zip(moved, pairwise(accumulate(sizes, initial=0)), strict=True):
            rota |= {(shift.session, table): umpire for table in tables[start:end]}
            load[umpire] += end - start
    return Rota(rota, tuple(uncovered))


def _moved_on(umpires: Sequence[int], turn: int) -> list[int]:
    at = turn % len(umpires)
    return [*umpires[at:], *umpires[:at]]
