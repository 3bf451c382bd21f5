"""Teams and nations: the best members' results added up (RULES §8)."""

from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from tournament.engine.group_standings import group_standings
from tournament.engine.results import Carried, PlayerRow
from tournament.engine.standings import Standings, standings


def ranked(*carried: tuple[int, int], out: frozenset[int] = frozenset()) -> Standings:
    """Players 1, 2, … with these table and game points."""
    players = [
        PlayerRow(number, carried=(Carried(0, Fraction(tp), points),), ranked=number not in out)
        for number, (tp, points) in enumerate(carried, start=1)
    ]
    return standings(players, [])


def test_a_team_is_the_sum_of_its_four() -> None:
    rows = ranked((11, 50), (9, 20), (7, 10), (7, 5), (12, 90)).rows
    team, other = group_standings(rows, dict.fromkeys(range(1, 5), "Bamboo") | {5: "Dots"}, 4)
    assert (team.name, team.table_points, team.game_points) == ("Bamboo", 34, 85)
    assert (other.rank, other.table_points) == (2, 12)


def test_a_nation_is_its_best_three_and_lacking_players_count_nothing() -> None:
    rows = ranked((4, 0), (4, 0), (4, 0), (4, 0), (7, 0), (5, 0)).rows
    first, second = group_standings(rows, {**dict.fromkeys(range(1, 5), "FRA"), 5: "LVA", 6: "LVA"}, 3)
    assert (first.name, second.name) == ("FRA", "LVA")
    assert (first.table_points, second.table_points) == (12, 12)
    assert first.left_out == 1
    assert [(line.rank, line.shared) for line in (first, second)] == [(1, True), (1, True)]


def test_who_is_not_ranked_counts_nothing_for_the_team() -> None:
    rows = ranked((10, 0), (2, 0), out=frozenset({1})).rows
    (team,) = group_standings(rows, {1: "Bamboo", 2: "Bamboo"}, 4)
    assert team.table_points == 2
    assert team.member_numbers == (2, 1)
    assert team.counted_numbers == (2,)


def test_players_without_a_team_are_in_none() -> None:
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
