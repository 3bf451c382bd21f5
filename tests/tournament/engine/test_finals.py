"""Finals: RULES §8, cut to the top 16/8/4 with points carried in full, halved or dropped."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.finals import Carry, Cut, FinalStage, after_cuts, finalists, groups, straddling
from tournament.engine.results import Carried, PenaltyPoints, PlayerRow, SeatResult, TableResult
from tournament.engine.seating.finals import final_sessions
from tournament.engine.seating.plans import as_sessions
from tournament.engine.seating.quality import count_repeats
from tournament.engine.standings import Standings, standings

TOP_4 = FinalStage(4, 4)


def ranking(*points: int, withdrawn: int = 0) -> Standings:
    """Players 1, 2, … with these game points, the best first; ``withdrawn`` is the number of one who left."""
    return standings(
        [
            PlayerRow(number, number == withdrawn, carried=(Carried(0, Fraction(3), score),))
            for number, score in enumerate(points, start=1)
        ],
        [],
    )


def test_the_best_go_on_and_a_shared_last_place_is_the_organisers_to_decide() -> None:
    assert finalists(ranking(50, 40, 30, 20, 10, withdrawn=2), TOP_4) == (1, 3, 4, 5)
    shared = ranking(50, 40, 30, 20, 20, 10)
    assert straddling(shared, TOP_4) == (4, 5)
    assert finalists(shared, TOP_4) == (1, 2, 3, 4)
    assert finalists(shared, TOP_4, first={5}) == (1, 2, 3, 5)
    assert finalists(shared, TOP_4, first={6}) == (1, 2, 3, 4)
    assert straddling(ranking(50, 40, 20, 20, 10), TOP_4) == ()
    with pytest.raises(ValueError, match="needs as many"):
        finalists(ranking(1, 2, 3), TOP_4)


def test_groups_are_consecutive_places_and_come_out_even(subtests: pytest.Subtests) -> None:
    assert groups(range(1, 17), FinalStage(16, 4))[1] == (5, 6, 7, 8)
    for top, size in ((16, 6), (12, 8), (0, 4), (4, 0)):
        with subtests.test(top=top, size=size), pytest.raises(ValueError, match="do not make"):
            FinalStage(top, size)


def played(session: int, *tables: Sequence[tuple[int, int]]) -> list[TableResult]:
    """Tables of (player, game points)."""
    return [
        TableResult(session, number, tuple(SeatResult(*seat) for seat in seats))
        for number, seats in enumerate(tables, 1)
    ]


EVENT = [
    *played(1, [(1, 31), (2, 10), (3, -11), (4, -30)], [(5, 21), (6, 9), (7, -9), (8, -21)]),
    *played(2, [(1, -40), (5, -20), (2, 20), (6, 40)]),
]
"""Players 1, 5, 2, 6 go on after session 1."""


def final(carry: Carry, results: Sequence[TableResult] = EVENT, *more: Cut) -> Standings:
    def ranked(rows: Sequence[PlayerRow], last: int) -> Standings:
        return standings(rows, [table for table in results if table.session <= last])

    cuts = (Cut(1, ((1, 5, 2, 6),), carry), *more)
    return ranked(after_cuts([PlayerRow(number) for number in range(1, 9)], cuts, ranked), 99)


def test_points_are_carried_in_full_halved_or_dropped(subtests: pytest.Subtests) -> None:
    for carry, order, first in (
        (Carry.FULL, [6, 5, 2, 1], (6, 49)),
        (Carry.HALF, [6, 2, 5, 1], (5, 44)),
        (Carry.NOTHING, [6, 2, 5, 1], (4, 40)),
    ):
        now = final(carry)
        with subtests.test(carry=carry):
            assert [row.number for row in now.rows if row.tier == (0,)] == order
            assert (now.rows[0].table_points, now.rows[0].game_points) == first


def test_whoever_is_not_in_the_final_ranks_below_it_with_all_points() -> None:
    now = final(Carry.NOTHING)
    assert [(row.number, row.rank) for row in now.rows[4:]] == [(7, 5), (3, 6), (8, 7), (4, 8)]
    assert now.find(7).game_points == -9
    assert now.rows[3].decided_by is None
    assert final(Carry.HALF).find(1).game_points == 15 - 40


def test_groups_rank_one_after_the_other_and_a_second_final_carries_the_first() -> None:
    later = [*EVENT, *played(3, [(6, -50), (2, -10), (5, 10), (1, 50)])]
    now = final(Carry.NOTHING, later, Cut(2, ((6, 2), (5, 1)), Carry.HALF))
    assert [row.number for row in now.rows[:4]] == [2, 6, 1, 5]
    assert now.find(1).game_points == -40 // 2 + 50
    assert now.find(1).table_points == 0 + 4
    assert now.find(6).table_points == 2 + 0


POINTS = st.lists(st.integers(-200, 200), min_size=4, max_size=4)


@given(
    st.lists(POINTS, min_size=2, max_size=4),
    st.lists(POINTS, min_size=1, max_size=3),
    st.sampled_from(Carry),
    st.dictionaries(st.integers(1, 16), st.integers(-30, 30), max_size=4),
)
def test_the_final_ranks_as_added_up_by_hand(
    tables: list[list[int]], rounds: list[list[int]], carry: Carry, fines: dict[int, int]
) -> None:
    """Against a ranking by points alone, added up player by player."""
    numbers = list(range(1, 4 * len(tables) + 1))
    fined = {player: PenaltyPoints(game_points=fine) for player, fine in fines.items()}
    first = played(
        1, *(list(zip(numbers[4 * at :], points, strict=False)) for at, points in enumerate(tables))
    )

    def ranked(rows: Sequence[PlayerRow], last: int) -> Standings:
        counted = [table for table in results if table.session <= last]
        return standings(rows, counted, penalties=fined, criteria=["game_points"])

    results = first
    rows = [PlayerRow(number) for number in numbers]
    going = finalists(ranked(rows, 1), TOP_4)
    for session, points in enumerate(rounds, 2):
        results = [*results, *played(session, list(zip(going, points, strict=True)))]
    now = ranked(after_cuts(rows, [Cut(1, (going,), carry)], ranked), 9)

    so_far = {n: points - fines.get(n, 0) for n, points in zip(numbers, chain(*tables), strict=True)}
    kept = {Carry.FULL: lambda p: p, Carry.HALF: lambda p: p // 2, Carry.NOTHING: lambda p: 0}[carry]
    by_hand = {n: kept(so_far[n]) + sum(r[at] for r in rounds) for at, n in enumerate(going)}
    others = {n: points for n, points in so_far.items() if n not in by_hand}
    assert min(so_far[n] for n in going) >= max(others.values())
    expected = [
        (place[n], n, points)
        for part, above in ((by_hand, 0), (others, 4))
        for place in [{n: above + 1 + sum(q > p for q in part.values()) for n, p in part.items()}]
        for n, points in part.items()
    ]
    assert [(row.rank, row.number, row.game_points) for row in now.rows] == sorted(expected)


@pytest.mark.parametrize(("size", "sessions"), [(4, 3), (8, 2), (16, 5)])
def test_each_group_plays_by_itself_at_its_tables(size: int, sessions: int) -> None:
    members = [list(range(1, size + 1)), list(range(size + 1, 2 * size + 1))]
    plan = final_sessions(members, sessions, seed="lotto", played=())
    for session in plan:
        half = len(session) // 2
        assert sorted(n for table in session[:half] for n in table.values()) == members[0]
        assert sorted(n for table in session[half:] for n in table.values()) == members[1]
    if size == 16:
        assert count_repeats(as_sessions(plan)) == 0
    if size == 4:
        assert len({session[0]["E"] for session in plan}) == sessions
