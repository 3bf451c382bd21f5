"""Standings of players, teams and nations, the table points they count, and finals: RULES §8."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.base.engine.finals import Carry, Cut
from tournament.base.engine.rules import STANDARD_SCALE, places, table_points, two_decimals
from tournament.ranking.engine.finals import (
    FinalStage,
    apply_cuts,
    finalists,
    split_into_groups,
    tied_at_cutoff,
)
from tournament.ranking.engine.standings import (
    Carried,
    PenaltyPoints,
    PlayerRow,
    SeatResult,
    Standings,
    TableResult,
    group_standings,
    standings,
)
from tournament.seating.engine.draw import final_sessions
from tournament.seating.engine.plans import as_sessions, count_repeats


def test_equal_scores_share_the_sum_of_their_places() -> None:
    half, third, quarter = Fraction(1, 2), Fraction(7, 3), Fraction(7, 4)
    cases: dict[tuple[int, ...], tuple[Fraction | int, ...]] = {
        (10, -20, 30, -20): (2, half, 4, half),
        (40, 10, -10, -40): (4, 2, 1, 0),
        (30, 30, -10, -50): (3, 3, 1, 0),
        (20, 20, 20, -60): (third, third, third, 0),
        (0, 0, 0, 0): (quarter, quarter, quarter, quarter),
        (60, 0, 0, -60): (4, 3 * half, 3 * half, 0),
        (60, -20, -20, -20): (4, 1, 1, 1),
    }
    assert {scores: table_points(scores) for scores in cases} == cases


@given(
    st.lists(st.integers(-900, 900), min_size=4, max_size=4),
    st.lists(st.booleans(), min_size=4, max_size=4).filter(any),
)
def test_four_share_seven_points_and_without_a_place_nothing(scores: list[int], placed: list[bool]) -> None:
    points = table_points(scores)
    assert sum(points) == 7
    by_score = [share for _, share in sorted(zip(scores, points, strict=True))]
    assert by_score == sorted(by_score)
    points = table_points(scores, placed=placed)
    taken = [(score, share) for score, share, has in zip(scores, points, placed, strict=True) if has]
    assert sum(points) == sum(STANDARD_SCALE[: len(taken)])
    assert all(share == 0 for share, has in zip(points, placed, strict=True) if not has)
    assert [share for _, share in sorted(taken)] == sorted(share for _, share in taken)
    assert [place is not None for place in places(scores, placed)] == placed


def test_the_scale_belongs_to_the_rulebook_and_equal_scores_have_the_same_place() -> None:
    assert table_points([3, 1, 1, -5], scale=(3, 2, 1, 0)) == (3, Fraction(3, 2), Fraction(3, 2), 0)
    assert places([5, 9, 5, 1]) == (2, 1, 2, 4)
    with pytest.raises(ValueError, match="4 places, 3 scores"):
        table_points([1, 2, 3])


def test_points_are_printed_with_two_decimals_half_up() -> None:
    points = [Fraction(*ratio) for ratio in ((23, 2), (7, 3), (14, 3), (3, 8), (16, 1), (-3, 2), (-1, 1000))]
    assert [two_decimals(share) for share in points] == [
        *("11.50", "2.33", "4.67", "0.38", "16.00", "-1.50", "0.00")
    ]
    assert two_decimals(16) == "16.00"


def table(session: int, points: dict[int, int], number: int = 1, final: bool = True) -> TableResult:
    seats = tuple(SeatResult(player, score) for player, score in points.items())
    return TableResult(session, number, seats, final)


def players(*numbers: int) -> list[PlayerRow]:
    return [PlayerRow(number) for number in numbers]


def four(*tables: TableResult, **more: Any) -> Standings:
    """The standings of players 1 to 4."""
    return standings(players(1, 2, 3, 4), tables, **more)


def ranks(result: Standings) -> list[tuple[int | None, int]]:
    return [(row.rank, row.number) for row in result.rows]


def test_table_points_rank_before_game_points_and_equals_share_a_rank() -> None:
    result = four(table(1, {1: 200, 2: 10, 3: -100, 4: -110}), table(2, {2: 9, 3: 0, 4: -4, 1: -5}))
    assert ranks(result) == [(1, 2), (2, 1), (3, 3), (4, 4)]
    assert result.find(2).table_points == 6
    assert result.find(1).game_points == 195
    assert [row.decided_by for row in result.rows] == ["table_points"] * 3 + [None]
    result = four(table(1, {1: 30, 2: 20, 3: 0, 4: -50}), table(2, {2: 90, 1: 10, 4: -20, 3: -80}))
    assert ranks(result)[:2] == [(1, 2), (2, 1)]
    assert result.rows[0].decided_by == "game_points"
    result = standings(players(4, 3, 2, 1), [table(1, {1: 50, 2: 0, 3: 0, 4: -50})])
    assert ranks(result) == [(1, 1), (2, 2), (2, 3), (4, 4)]
    assert [row.shared for row in result.rows] == [False, True, True, False]
    assert [row.decided_by for row in result.rows] == ["table_points", None, "table_points", None]


def test_further_criteria_decide_in_the_order_of_the_rulebook(subtests: pytest.Subtests) -> None:
    for criterion, better in {
        "hands_won": SeatResult(1, 0, hands_won=3),
        "wins_by_discard": SeatResult(1, 0, wins_by_discard=1),
        "deal_ins": SeatResult(1, 0, deal_ins=1),
    }.items():
        seats = (better, SeatResult(2, 0, hands_won=2, deal_ins=2), SeatResult(3, -20), SeatResult(4, 20))
        criteria = ("table_points", "game_points", criterion, "shared_place")
        result = four(TableResult(1, 1, seats), criteria=criteria)
        with subtests.test(criterion):
            assert ranks(result)[1:3] == [(2, 1), (3, 2)]
            assert result.rows[1].decided_by == criterion


def test_the_best_session_is_the_one_with_most_game_points() -> None:
    result = four(
        table(1, {1: 60, 2: 50, 3: -50, 4: -60}),
        table(2, {2: 30, 1: 20, 3: -20, 4: -30}),
        criteria=("table_points", "game_points", "best_session"),
    )
    assert ranks(result)[:2] == [(1, 1), (2, 2)]
    assert result.rows[0].decided_by == "best_session"


@pytest.mark.parametrize(
    "order", [("table_points", "table_points"), ("shared_place", "game_points"), ("luck",), ("shared_place",)]
)
def test_invalid_criteria_are_refused(order: tuple[str, ...]) -> None:
    with pytest.raises((ValueError, KeyError)):
        standings(players(1), [], criteria=order)


def test_a_withdrawn_player_keeps_the_place_and_a_disqualified_one_is_last_without_a_rank() -> None:
    played = [table(1, {1: 50, 2: 0, 3: -20, 4: -30})]
    result = standings([PlayerRow(1, withdrawn=True), *players(2, 3, 4)], played)
    assert ranks(result)[0] == (1, 1)
    assert result.rows[0].withdrawn
    result = standings([PlayerRow(1, ranked=False), *players(2, 3, 4)], played)
    assert ranks(result) == [(1, 2), (2, 3), (3, 4), (None, 1)]
    assert result.rows[2].decided_by is None


def test_penalties_come_off_the_totals_or_off_table_points_and_give_the_others_nothing() -> None:
    result = four(
        table(1, {1: 50, 2: 0, 3: -20, 4: -30}),
        penalties={1: PenaltyPoints(game_points=60, table_points=Fraction(5, 2))},
    )
    assert result.find(1).table_points == Fraction(3, 2)
    assert result.find(1).game_points == -10
    assert result.find(1).sessions[0].table_points == 4
    seats = (SeatResult(1, 50, table_point_penalty=1), *(SeatResult(n, -n) for n in (2, 3, 4)))
    result = four(TableResult(1, 1, seats))
    assert [result.find(number).table_points for number in (1, 2, 3, 4)] == [3, 2, 1, 0]


def test_a_stand_in_takes_no_place_and_a_forfeited_session_counts_nothing() -> None:
    seats = (SeatResult(1, 50, hands_won=3, placed=False, owed=-40), *(SeatResult(n, -n) for n in (2, 3, 4)))
    result = four(TableResult(1, 1, seats))
    assert [result.find(number).table_points for number in (1, 2, 3, 4)] == [0, 4, 2, 1]
    assert (result.find(1).game_points, result.find(1).totals.hands_won) == (-40, 0)
    assert result.find(1).sessions[0].place is None
    seats = (SeatResult(1, 50, forfeited=True), *(SeatResult(n, -n) for n in (2, 3, 4)))
    result = four(TableResult(1, 1, seats))
    assert [result.find(number).table_points for number in (1, 2, 3, 4)] == [0, 2, 1, 0]
    assert result.find(1).game_points == 0


def test_a_stand_in_with_a_place_gives_the_absent_player_nothing() -> None:
    """MERS Tournament Regulations, section 4: the substitute may win the table."""
    seats = (SeatResult(1, 50, hands_won=3, owed=-20), *(SeatResult(n, -n) for n in (2, 3, 4)))
    result = four(TableResult(1, 1, seats))
    assert [result.find(number).table_points for number in (1, 2, 3, 4)] == [0, 2, 1, 0]
    assert [result.find(number).sessions[0].place for number in (1, 2)] == [None, 2]
    assert (result.find(1).game_points, result.find(1).totals.hands_won) == (-20, 0)


def test_a_disqualified_player_who_is_ranked_is_last_with_nothing() -> None:
    """MERS Tournament Regulations, section 4; the players before have fewer points than 0."""
    rows = [PlayerRow(1, unranked_because="disqualification"), *players(2, 3, 4), PlayerRow(5, ranked=False)]
    penalty = {4: PenaltyPoints(game_points=90, table_points=1)}
    result = standings(rows, [table(1, {1: 50, 2: 0, 3: -20, 4: -30})], penalties=penalty)
    assert ranks(result) == [(1, 2), (2, 3), (3, 4), (4, 1), (None, 5)]
    assert result.rows[2].decided_by is None
    last = result.find(1)
    assert (last.table_points, last.game_points, last.sessions[0].table_points) == (0, 0, 4)
    with pytest.raises(ValueError, match="a final of 4"):
        finalists(result, FinalStage(4, 4))


def test_points_carried_count_and_a_result_that_may_still_change_is_marked() -> None:
    rows = [PlayerRow(1, carried=(Carried(1, Fraction(7, 2), 100),)), PlayerRow(2)]
    assert standings(rows, []).find(1).totals.game_points == 100
    assert standings(rows, []).find(1).table_points == Fraction(7, 2)
    result = four(table(2, {1: 5, 2: 1, 3: -1, 4: -5}, final=False), table(1, {1: 5, 2: 1, 3: -1, 4: -5}))
    assert [score.provisional for score in result.find(3).sessions] == [False, True]
    assert [score.session for score in result.find(3).sessions] == [1, 2]
    assert result.find(3).provisional


scores = st.lists(st.integers(-40, 40), min_size=8, max_size=8)


@given(st.lists(scores, min_size=1, max_size=4))
def test_standings_do_not_depend_on_the_order_of_anything(sessions: list[list[int]]) -> None:
    results = [
        table(session, {base + seat + 1: points[base + seat] for seat in range(4)}, number)
        for session, points in enumerate(sessions, start=1)
        for number, base in enumerate((0, 4), start=1)
    ]
    rows = players(*range(1, 9))
    result = standings(rows, results)
    assert result == standings(rows[::-1], results[::-1])
    assert sum(row.table_points for row in result.rows) == 7 * len(results)
    keys = [(row.table_points, row.game_points) for row in result.rows]
    assert keys == sorted(keys, reverse=True)
    for row in result.rows:
        assert row.rank == 1 + sum(key > (row.table_points, row.game_points) for key in keys)


def ranked(*carried: tuple[int, int], out: frozenset[int] = frozenset()) -> Standings:
    """Players 1, 2, … with these table and game points."""
    players = [
        PlayerRow(number, carried=(Carried(0, Fraction(tp), points),), ranked=number not in out)
        for number, (tp, points) in enumerate(carried, start=1)
    ]
    return standings(players, [])


def test_a_team_is_the_sum_of_its_four_and_a_nation_its_best_three() -> None:
    rows = ranked((11, 50), (9, 20), (7, 10), (7, 5), (12, 90)).rows
    team, other = group_standings(rows, dict.fromkeys(range(1, 5), "Bamboo") | {5: "Dots"}, 4)
    assert (team.name, team.table_points, team.game_points) == ("Bamboo", 34, 85)
    assert (other.rank, other.table_points) == (2, 12)
    rows = ranked((4, 0), (4, 0), (4, 0), (4, 0), (7, 0), (5, 0)).rows
    first, second = group_standings(rows, {**dict.fromkeys(range(1, 5), "FRA"), 5: "LVA", 6: "LVA"}, 3)
    assert (first.name, second.name) == ("FRA", "LVA")
    assert (first.table_points, second.table_points) == (12, 12)
    assert first.left_out == 1
    assert [(line.rank, line.shared) for line in (first, second)] == [(1, True), (1, True)]


def test_unranked_members_count_nothing_and_an_empty_team_is_none() -> None:
    rows = ranked((10, 0), (2, 0), out=frozenset({1})).rows
    (team,) = group_standings(rows, {1: "Bamboo", 2: "Bamboo"}, 4)
    assert team.table_points == 2
    assert team.member_numbers == (2, 1)
    assert team.counted_numbers == (2,)
    assert group_standings(ranked((10, 0), (2, 0)).rows, {1: ""}, 4) == ()


@given(
    st.lists(
        st.tuples(st.integers(0, 20), st.integers(-300, 300), st.sampled_from(["", "A", "B", "C"])),
        max_size=12,
    ),
    st.integers(1, 4),
)
def test_no_choice_of_members_would_have_given_more(people: list[tuple[int, int, str]], counts: int) -> None:
    group_of = {number: group for number, (_, _, group) in enumerate(people, start=1)}
    lines = group_standings(ranked(*((tp, points) for tp, points, _ in people)).rows, group_of, counts)
    best = {}
    for name in {group for _, _, group in people} - {""}:
        own = [(tp, points) for tp, points, group in people if group == name]
        best[name] = max(
            (sum(tp for tp, _ in some), sum(points for _, points in some))
            for some in combinations(own, min(counts, len(own)))
        )
    assert {line.name: (line.table_points, line.game_points) for line in lines} == best
    for line in lines:
        assert line.rank == 1 + sum(other > best[line.name] for other in best.values())
        assert line.shared == (list(best.values()).count(best[line.name]) > 1)
        assert isinstance(line.table_points, Fraction)


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
    assert tied_at_cutoff(shared, TOP_4) == (4, 5)
    assert finalists(shared, TOP_4) == (1, 2, 3, 4)
    assert finalists(shared, TOP_4, first={5}) == (1, 2, 3, 5)
    assert finalists(shared, TOP_4, first={6}) == (1, 2, 3, 4)
    assert tied_at_cutoff(ranking(50, 40, 20, 20, 10), TOP_4) == ()
    with pytest.raises(ValueError, match="needs as many"):
        finalists(ranking(1, 2, 3), TOP_4)


def test_groups_are_consecutive_places_and_come_out_even(subtests: pytest.Subtests) -> None:
    assert split_into_groups(range(1, 17), FinalStage(16, 4))[1] == (5, 6, 7, 8)
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
    return ranked(apply_cuts([PlayerRow(number) for number in range(1, 9)], cuts, ranked), 99)


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


def test_players_outside_the_final_rank_below_it_with_all_points() -> None:
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
    now = ranked(apply_cuts(rows, [Cut(1, (going,), carry)], ranked), 9)

    so_far = {n: points - fines.get(n, 0) for n, points in zip(numbers, chain(*tables), strict=True)}
    carry_over = {Carry.FULL: lambda p: p, Carry.HALF: lambda p: p // 2, Carry.NOTHING: lambda p: 0}[carry]
    by_hand = {n: carry_over(so_far[n]) + sum(r[at] for r in rounds) for at, n in enumerate(going)}
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
