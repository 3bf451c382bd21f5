"""The draw of an event, checked by independent code, its parts, and its stored inputs."""

import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, islice
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.sampling import sample
from tournament.seating.engine.designs import (
    Group,
    column_sessions,
    difference_triples,
    repeat_free_design,
)
from tournament.seating.engine.draw import Draw, DrawInputs, draw
from tournament.seating.engine.next_session import find_labellings
from tournament.seating.engine.numbers import assign_table_numbers, assign_winds
from tournament.seating.engine.plans import (
    SeatingError,
    SeededRandom,
    Sessions,
    as_table,
    count_repeats,
    find_seat_changes,
    fingerprint,
    group_minimum,
    measure,
    repeated_pairs,
    repeats_minimum,
)
from tournament.seating.engine.search import Cooling, SeatSearch


def seats(draw: Draw) -> list[list[list[int]]]:
    """Return session → table → players in the order E, S, W, N."""
    return [[[table[wind] for wind in "ESWN"] for table in session] for session in draw.sessions]


def check_seated(draw: Draw) -> None:
    """Assert that everybody sits exactly once in every session, four to a table."""
    for session in seats(draw):
        assert sorted(player for table in session for player in table) == sorted(draw.players)
        assert all(len(table) == 4 for table in session)


def pairs(draw: Draw) -> Iterator[tuple[int, int]]:
    for session in seats(draw):
        for table in session:
            yield from combinations(sorted(table), 2)


def repeats(draw: Draw) -> int:
    """Count the meetings after the first one of each pair."""
    return sum(times - 1 for times in Counter(pairs(draw)).values())


def winds(draw: Draw, first: int = 0, last: int | None = None) -> dict[int, list[int]]:
    """Return player → number of starts at E, S, W, N in sessions ``first`` to ``last``."""
    counts = {player: [0, 0, 0, 0] for player in draw.players}
    for session in seats(draw)[first:last]:
        for table in session:
            for wind, player in enumerate(table):
                counts[player][wind] += 1
    return counts


def wind_spread(draw: Draw) -> int:
    return max(max(counts) - min(counts) for counts in winds(draw).values())


def group_meetings(draw: Draw, groups: dict[int, str]) -> int:
    """Count the meetings of two members of a group."""
    return sum(groups[a] == groups[b] != "" for a, b in pairs(draw))


def codes(error: SeatingError) -> list[str]:
    return [problem.code for problem in error.problems]


LONGEST = (
    *((16, 5), (20, 5), (24, 7), (28, 9), (32, 10), (36, 11), (40, 13), (44, 14), (48, 15), (52, 17)),
    *((56, 18), (60, 19), (64, 21), (68, 21), (72, 23), (76, 25), (80, 26), (84, 27), (88, 29), (92, 28)),
    *((96, 30), (100, 32), (104, 31), (108, 27), (112, 37), (116, 37), (120, 29), (124, 41), (128, 42)),
)
FEWEST = (
    *((8, 2, 4), (8, 4, 20), (8, 7, 56), (12, 2, 3), (12, 5, 24), (12, 11, 132), (16, 8, 72)),
    *((20, 7, 20), (20, 12, 170), (24, 9, 48), (24, 10, 84), (24, 12, 156)),
    *((28, 10, 42), (32, 11, 32), (32, 12, 80), (40, 14, 60)),
)
TWELVE = [*range(64, 1001, 72), 132, 136, 140, 504, 1000]


@pytest.mark.thorough
def test_nobody_meets_twice_for_as_many_sessions_as_are_known(subtests: pytest.Subtests) -> None:
    for players, sessions in sample(LONGEST, 4, always=[LONGEST[0]]):
        drawn = draw(range(1, players + 1), sessions, seed="Hangzhou")
        with subtests.test(players=players, sessions=sessions):
            check_seated(drawn)
            assert repeats(drawn) == 0
            assert wind_spread(drawn) <= 1


@pytest.mark.thorough
def test_twelve_sessions_without_a_repeat_from_64_to_1000_players(subtests: pytest.Subtests) -> None:
    for players in sample(TWELVE, 3, always=[64, 132]):
        drawn = draw(range(1, players + 1), 12, seed="Paris")
        with subtests.test(players=players):
            check_seated(drawn)
            assert repeats(drawn) == 0
            assert wind_spread(drawn) == 0


@pytest.mark.thorough
@settings(max_examples=25, deadline=None)
@given(st.integers(2, 40), st.integers(1, 14), st.text(max_size=8))
def test_any_size_is_seated_and_its_certificate_is_true(tables: int, sessions: int, seed: str) -> None:
    drawn = draw(range(101, 101 + 4 * tables), sessions, seed=seed)
    check_seated(drawn)
    assert len(drawn.sessions) == sessions
    assert drawn.quality.repeats == repeats(drawn) >= drawn.quality.repeats_minimum
    assert drawn.quality.wind_spread == wind_spread(drawn) <= 1


def test_every_wind_comes_once_in_each_block_of_four_sessions() -> None:
    drawn = draw(range(1, 41), 10, seed="winds")
    for first in (0, 4):
        assert all(counts == [1, 1, 1, 1] for counts in winds(drawn, first, first + 4).values())
    assert all(max(counts) == 1 for counts in winds(drawn, 8).values())
    drawn = draw([7, 300, 12, 55, 9, 1000, 3, 81], 2, seed="x")
    check_seated(drawn)


def test_a_seed_always_gives_the_same_seats() -> None:
    """The seed is published: the seats that follow from it may never change."""
    assert seats(draw(range(1, 9), 1, seed="published")) == [[[8, 2, 4, 1], [5, 7, 3, 6]]]
    drawn = [draw(range(1, 25), 6, seed=seed) for seed in ("one", "one", "two")]
    assert drawn[0] == drawn[1]
    assert drawn[0].sessions != drawn[2].sessions


def test_team_mates_never_meet(subtests: pytest.Subtests) -> None:
    sizes = ((16, 4, 4), (24, 7, 3), (40, 12, 4), (48, 8, 6), (100, 12, 25), (200, 12, 4))
    for players, sessions, size in sample(sizes, 4):
        teams = {number: f"Team {(number - 1) // size}" for number in range(1, players + 1)}
        drawn = draw(range(1, players + 1), sessions, seed="teams", teams=teams)
        with subtests.test(players=players, sessions=sessions, size=size):
            assert group_meetings(drawn, teams) == drawn.quality.team_meetings == 0
            assert repeats(drawn) == 0


def test_either_team_mates_or_repeats_come_first() -> None:
    """16 players in 4 teams of 4: 96 pairs of opponents, and 5 sessions make 120 meetings."""
    teams = {number: f"Team {(number - 1) // 4}" for number in range(1, 17)}
    drawn = draw(range(1, 17), 5, seed="teams", teams=teams)
    assert group_meetings(drawn, teams) == 0
    assert repeats(drawn) == drawn.quality.repeats_minimum == 24
    drawn = draw(range(1, 17), 5, seed="teams", teams=teams, teams_first=False)
    assert repeats(drawn) == 0
    assert group_meetings(drawn, teams) == drawn.quality.team_meetings_minimum == 24


def test_past_the_bound_there_are_as_few_repeats_as_counting_allows(subtests: pytest.Subtests) -> None:
    for players, sessions, fewest in sample(FEWEST, 5, always=[FEWEST[0]]):
        drawn = draw(range(1, players + 1), sessions, seed="many")
        with subtests.test(players=players, sessions=sessions):
            assert repeats(drawn) == drawn.quality.repeats_minimum == fewest
            assert drawn.quality.best_possible


def test_twenty_players_in_six_sessions_repeat_at_least_once_and_here_six_times() -> None:
    quality = draw(range(1, 21), 6, seed="twenty").quality
    assert (quality.repeats, quality.repeats_minimum, quality.best_possible) == (6, 1, False)


def test_forbidden_pairs_never_meet() -> None:
    pairs = [(1, 2), (1, 3), (10, 20)]
    drawn = draw(range(1, 33), 8, seed="apart", forbidden=pairs)
    names = [{number: "x" if number in pair else "" for number in drawn.players} for pair in pairs]
    assert [group_meetings(drawn, name) for name in names] == [0, 0, 0]
    assert repeats(drawn) == drawn.quality.forbidden_meetings == 0


def test_compatriots_meet_less_than_by_chance_and_late_if_they_must() -> None:
    countries = {number: "ABCDE"[number % 5] for number in range(1, 41)}
    drawn = draw(range(1, 41), 8, seed="countries", countries=countries)
    plain = draw(range(1, 41), 8, seed="countries")
    assert drawn.quality.country_meetings == group_meetings(drawn, countries)
    assert group_meetings(drawn, countries) < group_meetings(plain, countries) / 2
    assert repeats(drawn) == 0
    countries = {number: "FRA" if number <= 20 else "" for number in range(1, 41)}
    drawn = draw(range(1, 41), 8, seed="countries", countries=countries)
    by_session = [
        sum(comb(sum(countries[player] == "FRA" for player in table), 2) for table in session)
        for session in seats(drawn)
    ]
    assert by_session == sorted(by_session)


def test_club_mates_meet_less_than_by_chance_and_less_than_compatriots_of_as_many() -> None:
    groups = {number: "ABCDE"[number % 5] for number in range(1, 41)}
    others = {number: "FGHIJ"[(number - 1) // 8] for number in range(1, 41)}
    drawn = draw(range(1, 41), 8, seed="clubs", clubs=groups, countries=others)
    plain = draw(range(1, 41), 8, seed="clubs")
    assert drawn.quality.club_meetings == group_meetings(drawn, groups)
    assert group_meetings(drawn, groups) < 0.6 * group_meetings(plain, groups)
    assert drawn.quality.club_meetings < drawn.quality.country_meetings
    assert repeats(drawn) == 0


def test_a_player_keeps_the_table_asked_for_and_nobody_else_sees_one_twice() -> None:
    drawn = draw(range(1, 33), 8, seed="stay", stay={5: 1, 17: 8})
    for session in seats(drawn):
        assert 5 in session[0]
        assert 17 in session[7]
    assert repeats(drawn) == 0
    assert draw(range(1, 101), 10, seed="tables").quality.table_most == 1


@pytest.mark.thorough
def test_players_who_keep_different_tables_do_not_meet_whatever_it_costs() -> None:
    drawn = draw(range(1, 17), 5, seed="stay", stay={5: 1, 9: 4})
    assert all(5 in session[0] and 9 in session[3] for session in seats(drawn))
    assert repeats(drawn) > 0


@pytest.mark.parametrize(
    ("count", "code", "params"),
    [
        (30, "substitutes_needed", {"players": 30, "substitutes": 2}),
        (4, "too_few_players", {"players": 4, "minimum": 8}),
        (0, "too_few_players", {"players": 0, "minimum": 8}),
    ],
)
def test_numbers_that_do_not_fill_tables(count: int, code: str, params: dict[str, int]) -> None:
    with pytest.raises(SeatingError) as caught:
        draw(range(1, count + 1), 4, seed="")
    assert [(problem.code, dict(problem.params)) for problem in caught.value.problems] == [(code, params)]


def test_every_problem_of_a_draw_is_reported_at_once() -> None:
    with pytest.raises(SeatingError) as caught:
        draw(
            [1, 1, *range(2, 13)],
            0,
            seed="",
            teams={**dict.fromkeys(range(1, 6), "Five"), 99: "Five"},
            forbidden=[(3, 3)],
            stay={4: 9, 5: 1, 6: 1},
        )
    assert codes(caught.value) == [
        *["substitutes_needed", "player_twice", "sessions_not_positive", "player_unknown", "pair_of_one"],
        *["team_too_large", "table_unknown", "table_shared"],
    ]


def test_an_impossible_draw_is_refused_with_the_most_sessions_possible() -> None:
    with pytest.raises(SeatingError) as caught:
        draw(range(1, 25), 8, seed="", no_repeats=True)
    problem = caught.value.problems[0]
    assert (problem.code, problem.params) == ("repeats_unavoidable", {"sessions": 8, "maximum": 7})
    with pytest.raises(SeatingError) as caught:
        draw(range(1, 17), 5, seed="stay", stay={5: 1, 9: 4}, teams_first=False)
    assert codes(caught.value) == ["stay_impossible"]


def test_the_json_form_has_tables_by_starting_wind() -> None:
    data = json.loads(json.dumps(draw(range(1, 17), 5, seed="json").to_json()))
    assert list(data["sessions"][0]["tables"][0]) == ["E", "S", "W", "N"]
    assert data["players"] == 16
    assert data["seed"] == "json"
    assert data["quality"]["repeats"] == data["quality"]["repeats_minimum"] == 0


CONSTRAINED = DrawInputs(
    tuple(range(1, 17)),
    2,
    "3 · 17",
    teams={number: f"team {number % 4}" for number in range(1, 17)},
    countries={2: "FRA", 3: "FRA"},
    forbidden=((1, 2), (1, 3)),
    stay={5: 2},
    teams_first=True,
)
PLAIN = DrawInputs(tuple(range(1, 9)), 2, "old")


def test_inputs_read_back_give_the_same_draw_and_meet_their_constraints() -> None:
    """A database may return the keys of an object in another order."""
    written = json.loads(json.dumps(CONSTRAINED.to_json()))
    written["teams"] = dict(reversed(written["teams"].items()))
    restored = DrawInputs.from_json(written)
    assert restored == CONSTRAINED
    drawn = CONSTRAINED.draw()
    assert restored.draw() == drawn
    tables = [{frozenset(table.values()) for table in session} for session in drawn.sessions]
    assert not any({1, 2} <= table or {1, 3} <= table for session in tables for table in session)
    assert all(5 in session[1].values() for session in drawn.sessions)


def test_inputs_from_before_there_were_clubs_are_read_and_plain_ones_need_no_file() -> None:
    data = PLAIN.to_json()
    del data["clubs"]
    assert DrawInputs.from_json(data) == PLAIN
    others = DrawInputs(tuple(range(2, 10)), 2, "old")
    assert [inputs.is_plain for inputs in (PLAIN, others, CONSTRAINED)] == [True, False, False]


@pytest.mark.parametrize("data", [{}, {"players": 3}, {**CONSTRAINED.to_json(), "forbidden": [[1]]}])
def test_malformed_inputs_are_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        DrawInputs.from_json(data)


def test_seat_changes_list_every_difference() -> None:
    before = [[{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]]
    after = [[{"E": 5, "S": 2, "W": 3, "N": 4}, {"E": 1, "S": 6, "W": 7, "N": 9}]]
    rows = [
        (change.session, change.player, change.before, change.after)
        for change in find_seat_changes(before, after)
    ]
    assert rows == [
        (1, 1, (1, "E"), (2, "E")),
        (1, 5, (2, "E"), (1, "E")),
        (1, 8, (2, "N"), None),
        (1, 9, None, (2, "N")),
    ]
    assert find_seat_changes(before, before) == ()
    assert fingerprint(before) != fingerprint(after)


def test_the_fingerprint_and_repeated_pairs_do_not_depend_on_the_order_of_writing() -> None:
    table, others = {"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}
    mixed = [{"E": 2, "S": 1, "W": 5, "N": 6}, {"E": 3, "S": 7, "W": 4, "N": 8}]
    pairs = repeated_pairs([[table, others], mixed])
    assert pairs == {(1, 2): (1, 2), (3, 4): (1, 2), (5, 6): (1, 2), (7, 8): (1, 2)}
    table = {"E": 1, "S": 2, "W": 3, "N": 4}
    assert fingerprint([[table]]) == fingerprint([[dict(reversed(table.items()))]])


def random_sessions(rng: SeededRandom, tables: int, sessions: int) -> Sessions:
    orders = [rng.shuffled(range(4 * tables)) for _ in range(sessions)]
    return tuple(
        tuple(as_table(order[first : first + 4]) for first in range(0, 4 * tables, 4)) for order in orders
    )


def test_multipliers_and_their_differences_lose_no_element(subtests: pytest.Subtests) -> None:
    for order in (4, 5, 7, 8, 9, 16, 20, 25, 27, 28, 36, 45, 72, 81, 100, 125, 243):
        group = Group.of_order(order)
        assert group is not None
        assert group.order == order
        elements = range(order)
        multiples = [group.multiples(element) for element in elements]
        negative = {element: next(n for n in elements if group.add(n, element) == 0) for element in elements}
        with subtests.test(order=order):
            for a, b in [(0, 1), (0, 2), (1, 2)]:
                assert len({group.add(row[b], negative[row[a]]) for row in multiples}) == order
            assert all(len({row[times] for row in multiples}) == order for times in range(3))


def test_there_are_no_multipliers_where_two_or_three_divides_once() -> None:
    assert [order for order in (2, 3, 6, 10, 12, 14, 15, 30, 250) if Group.of_order(order)] == []


def test_difference_triples_differ_in_every_entry_and_difference(subtests: pytest.Subtests) -> None:
    for modulus, limit in ((18, 12), (22, 12), (30, 29), (250, 12), (6, 6)):
        triples = difference_triples(modulus, limit)
        columns = [*zip(*triples, strict=True)]
        columns += [
            tuple((triple[b] - triple[a]) % modulus for triple in triples)
            for a, b in combinations(range(3), 2)
        ]
        with subtests.test(modulus=modulus):
            assert all(len(set(column)) == len(triples) for column in columns)
            assert len(triples) == limit or modulus == 6


def test_players_of_one_column_never_meet(subtests: pytest.Subtests) -> None:
    for players in (16, 20, 28, 36, 64, 100, 108, 400):
        sessions = column_sessions(players, 12)
        columns = [
            sorted(player // (players // 4) for player in table) for session in sessions for table in session
        ]
        with subtests.test(players=players):
            assert [column for column in columns if column != [0, 1, 2, 3]] == []
            assert count_repeats(sessions) == 0


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 12), st.integers(1, 13), st.text(max_size=4))
def test_winds_are_balanced_whatever_the_tables(tables: int, sessions: int, seed: str) -> None:
    drawn = random_sessions(SeededRandom(seed), tables, sessions)
    seated = assign_winds(drawn, SeededRandom(seed))
    assert [[sorted(table) for table in session] for session in seated] == [
        [sorted(table) for table in session] for session in drawn
    ]
    for first in range(0, sessions, 4):
        block = seated[first : first + 4]
        winds = Counter(
            (player, wind) for session in block for table in session for wind, player in enumerate(table)
        )
        assert max(winds.values()) == 1


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 40), st.integers(1, 6), st.text(max_size=4))
def test_numbering_moves_tables_and_keeps_their_seats(tables: int, sessions: int, seed: str) -> None:
    drawn = random_sessions(SeededRandom(seed), tables, sessions)
    numbered = assign_table_numbers(drawn, SeededRandom(seed), {(0, 0): tables - 1})
    assert [sorted(session) for session in numbered] == [sorted(session) for session in drawn]
    assert 0 in numbered[0][tables - 1]


@given(st.text(), st.integers(1, 50))
def test_shuffling_is_a_permutation_that_the_seed_repeats(seed: str, count: int) -> None:
    drawn = SeededRandom(seed).shuffled(range(count))
    assert sorted(drawn) == list(range(count))
    assert SeededRandom(seed).shuffled(range(count)) == drawn


def test_random_numbers_are_sha_256_of_the_seed_and_a_counter() -> None:
    rng = SeededRandom("Hule")
    digests = [sha256(f"Hule:{counter}".encode()).hexdigest() for counter in range(3)]
    assert [rng.below(1000) for _ in range(3)] == [int(digest, 16) % 1000 for digest in digests]


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 6), st.integers(2, 5), st.text(max_size=4))
def test_the_search_leaves_played_sessions_alone(tables: int, sessions: int, seed: str) -> None:
    start = random_sessions(SeededRandom(seed), tables, sessions)
    searched = SeatSearch(start, range(1, sessions), {}).anneal(Cooling(2000), SeededRandom(seed))
    assert searched[0] == start[0]
    assert count_repeats(searched) <= count_repeats(start) + sessions
    for session in searched:
        assert sorted(player for table in session for player in table) == list(range(4 * tables))


def test_tables_that_must_share_people_make_repeats() -> None:
    """12 players: a table of four takes its players from three tables, so two come from one."""
    assert [repeats_minimum([range(12)] * sessions) for sessions in (1, 2, 3)] == [0, 3, 6]
    assert group_minimum([range(5)], [range(16)] * 3, 0) == 3
    assert group_minimum([range(4)], [range(16)] * 3, 0) == 0
    assert group_minimum([range(at, at + 4) for at in (0, 4, 8, 12)], [range(16)] * 5, 0) == 24


@st.composite
def sessions_of_differing_sizes(draw: st.DrawFn) -> Sessions:
    """Sessions that people joined and left in between."""
    players = draw(st.permutations(range(24)))
    plan = []
    for tables in draw(st.lists(st.integers(0, 5), max_size=6)):
        start = draw(st.integers(0, 24 - 4 * tables))
        seated = draw(st.permutations(players[start : start + 4 * tables]))
        plan.append(tuple(as_table(list(seated[at : at + 4])) for at in range(0, 4 * tables, 4)))
    return tuple(plan)


@settings(max_examples=200, deadline=None)
@given(sessions_of_differing_sizes(), st.integers(2, 8))
def test_no_draw_has_fewer_meetings_than_its_certificate_says_are_possible(
    sessions: Sessions, teams: int
) -> None:
    quality = measure(sessions, teams={player: str(player % teams) for player in range(24)})
    assert quality.repeats >= quality.repeats_minimum
    assert quality.team_meetings >= quality.team_meetings_minimum
    assert measure(sessions).repeats_minimum <= quality.repeats


def test_who_joins_or_leaves_changes_how_few_repeats_are_possible() -> None:
    """Eight players twice, at two tables, cannot avoid four repeats; eight of sixteen newcomers can."""
    assert repeats_minimum([range(8), range(8)]) == 4
    assert repeats_minimum([range(8), range(16)]) == 0
    assert repeats_minimum([range(16), range(4)]) == 0
    assert repeats_minimum([range(4), range(16), range(4)]) == 6


SIZES = {16: 5, 24: 7, 32: 10}


@st.composite
def events(draw: st.DrawFn) -> tuple[Sessions, Sessions]:
    """A design, and some of its sessions as they were played, by players in any order."""
    players = draw(st.sampled_from(sorted(SIZES)))
    design = repeat_free_design(players, SIZES[players])
    player_of = draw(st.permutations(range(players)))
    others = draw(st.permutations(range(1, len(design))))
    numbers = [0, *others[: draw(st.integers(1, 3))]]
    played = tuple(
        tuple(as_table([player_of[point] for point in table]) for table in design[number])
        for number in numbers
    )
    return played, design


@settings(max_examples=10)
@given(events())
def test_labellings_map_played_sessions_to_sessions_of_the_design(event: tuple[Sessions, Sessions]) -> None:
    played, design = event
    labelled = list(islice(find_labellings(played, design), 5))
    assert labelled
    for labelling, used in labelled:
        assert sorted(labelling) == list(range(len(labelling)))
        images = {
            frozenset(frozenset(labelling[point] for point in table) for table in design[number])
            for number in used
        }
        assert images == {frozenset(map(frozenset, session)) for session in played}
