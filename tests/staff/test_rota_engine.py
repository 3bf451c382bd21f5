"""The rota of the umpires: every table covered, the work even, nobody umpires while playing."""

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournament.staff.engine import Rota, Shift, propose

UMPIRES = st.integers(1, 8).map(lambda n: list(range(1, n + 1)))


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Shift], list[int], Rota]:
    """Up to six sessions of up to 40 tables; umpires may play in some of them."""
    umpires = draw(UMPIRES)
    tables = st.lists(st.integers(1, 60), min_size=1, max_size=40, unique=True)
    playing = st.frozensets(st.sampled_from(umpires))
    sessions = range(1, draw(st.integers(1, 6)) + 1)
    shifts = [Shift(session, draw(tables), draw(playing)) for session in sessions]
    return shifts, umpires, propose(shifts, umpires)


@given(events())
def test_tables_are_umpired_evenly_by_who_does_not_play(event: tuple[list[Shift], list[int], Rota]) -> None:
    """And the tables of one umpire lie side by side."""
    shifts, umpires, rota = event
    tables = {(shift.session, table) for shift in shifts for table in shift.tables}
    alone = {shift.session for shift in shifts if set(umpires) <= set(shift.playing)}
    assert set(rota.umpires) | set(rota.uncovered) == tables
    assert {session for session, _ in rota.uncovered} == alone
    assert not set(rota.umpires) & set(rota.uncovered)
    playing = {shift.session: shift.playing for shift in shifts}
    assert not any(umpire in playing[session] for (session, _), umpire in rota.umpires.items())
    for shift in shifts:
        walked = [rota.umpires.get((shift.session, table)) for table in sorted(shift.tables)]
        changes = sum(before != after for before, after in pairwise(walked))
        assert changes == len(set(walked)) - 1
    for shift in shifts:
        loads = Counter(umpire for (session, _), umpire in rota.umpires.items() if session == shift.session)
        assert spread(loads[umpire] for umpire in umpires if umpire not in shift.playing) <= 1
    players = {umpire for shift in shifts for umpire in shift.playing}
    assert spread(rota.load(umpire) for umpire in umpires if umpire not in players) <= 1


def spread(loads: Iterable[int]) -> int:
    numbers = list(loads) or [0]
    return max(numbers) - min(numbers)


def test_from_session_to_session_the_umpires_move_on() -> None:
    rota = propose([Shift(1, range(1, 5)), Shift(2, range(1, 5))], [7, 8])
    assert [rota.umpires[session, 1] for session in (1, 2)] == [7, 8]
