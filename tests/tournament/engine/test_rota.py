"""The rota of the umpires: every table covered, the work even, nobody umpires while playing."""

from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.rota import Rota, Shift, propose

UMPIRES = st.integers(1, 8).map(lambda n: list(range(1, n + 1)))


@st.composite
def events(draw: st.DrawFn) -> tuple[list[Shift], list[int]]:
    """Up to six sessions of up to 40 tables; umpires may play in some of them."""
    umpires = draw(UMPIRES)
    tables = st.lists(st.integers(1, 60), min_size=1, max_size=40, unique=True)
    playing = st.frozensets(st.sampled_from(umpires))
    shifts = [
        Shift(session, draw(tables), draw(playing)) for session in range(1, draw(st.integers(1, 6)) + 1)
    ]
    return shifts, umpires


@given(events())
def test_every_table_has_an_umpire_unless_all_of_them_play(event: tuple[list[Shift], list[int]]) -> None:
    shifts, umpires = event
    rota = propose(shifts, umpires)
    tables = {(shift.session, table) for shift in shifts for table in shift.tables}
    alone = {shift.session for shift in shifts if set(umpires) <= set(shift.playing)}
    assert set(rota.umpires) | set(rota.uncovered) == tables
    assert {session for session, _ in rota.uncovered} == alone
    assert not set(rota.umpires) & set(rota.uncovered)


@given(events())
def test_nobody_umpires_in_a_session_they_play_in(event: tuple[list[Shift], list[int]]) -> None:
    shifts, umpires = event
    rota = propose(shifts, umpires)
    assert [
        shift.session
        for shift in shifts
        if {one for (session, _), one in rota.umpires.items() if session == shift.session}
        & set(shift.playing)
    ] == []


@given(events())
def test_in_a_session_the_loads_of_who_is_free_differ_by_at_most_one(
    event: tuple[list[Shift], list[int]],
) -> None:
    shifts, umpires = event
    rota = propose(shifts, umpires)
    for shift in shifts:
        free = [umpire for umpire in umpires if umpire not in shift.playing]
        assert spread(Counter(loads(rota, shift.session, free))) <= 1


@given(events())
def test_over_the_event_the_loads_of_who_never_plays_differ_by_at_most_one(
    event: tuple[list[Shift], list[int]],
) -> None:
    shifts, umpires = event
    rota = propose(shifts, umpires)
    free = [umpire for umpire in umpires if not any(umpire in shift.playing for shift in shifts)]
    assert spread({umpire: rota.load(umpire) for umpire in free}) <= 1


@given(events())
def test_an_umpires_tables_lie_side_by_side(event: tuple[list[Shift], list[int]]) -> None:
    shifts, umpires = event
    rota = propose(shifts, umpires)
    for shift in shifts:
        walked = [rota.umpires.get((shift.session, table)) for table in sorted(shift.tables)]
        changes = sum(one != other for one, other in pairwise(walked))
        assert changes == len(set(walked)) - 1


def test_from_session_to_session_the_umpires_move_on() -> None:
    rota = propose([Shift(1, range(1, 5)), Shift(2, range(1, 5))], [7, 8])
    assert [rota.umpires[session, 1] for session in (1, 2)] == [7, 8]


def loads(rota: Rota, session: int, umpires: list[int]) -> dict[int, int]:
    found = Counter(umpire for (number, _), umpire in rota.umpires.items() if number == session)
    return {umpire: found[umpire] for umpire in umpires}


def spread(loads: dict[int, int]) -> int:
    return max(loads.values(), default=0) - min(loads.values(), default=0)
