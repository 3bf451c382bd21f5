"""The parts of a draw, each with the property it is there for."""

from collections import Counter
from hashlib import sha256
from itertools import combinations, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournament.seating.engine.designs import Group, column_sessions, difference_triples, without_repeats
from tournament.seating.engine.follow import labellings
from tournament.seating.engine.numbers import with_table_numbers, with_winds
from tournament.seating.engine.plans import (
    Lots,
    Sessions,
    as_table,
    count_repeats,
    group_minimum,
    repeats_minimum,
)
from tournament.seating.engine.search import Cooling, SeatSearch


def random_sessions(lots: Lots, tables: int, sessions: int) -> Sessions:
    orders = [lots.shuffled(range(4 * tables)) for _ in range(sessions)]
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
            for one, other in [(0, 1), (0, 2), (1, 2)]:
                assert len({group.add(row[other], negative[row[one]]) for row in multiples}) == order
            assert all(len({row[times] for row in multiples}) == order for times in range(3))


def test_there_are_no_multipliers_where_two_or_three_divides_once() -> None:
    assert [order for order in (2, 3, 6, 10, 12, 14, 15, 30, 250) if Group.of_order(order)] == []


def test_difference_triples_differ_in_every_entry_and_difference(subtests: pytest.Subtests) -> None:
    for modulus, wanted in ((18, 12), (22, 12), (30, 29), (250, 12), (6, 6)):
        triples = difference_triples(modulus, wanted)
        columns = [*zip(*triples, strict=True)]
        columns += [
            tuple((triple[other] - triple[one]) % modulus for triple in triples)
            for one, other in combinations(range(3), 2)
        ]
        with subtests.test(modulus=modulus):
            assert all(len(set(column)) == len(triples) for column in columns)
            assert len(triples) == wanted or modulus == 6


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
    drawn = random_sessions(Lots(seed), tables, sessions)
    seated = with_winds(drawn, Lots(seed))
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
    drawn = random_sessions(Lots(seed), tables, sessions)
    numbered = with_table_numbers(drawn, Lots(seed), {(0, 0): tables - 1})
    assert [sorted(session) for session in numbered] == [sorted(session) for session in drawn]
    assert 0 in numbered[0][tables - 1]


@given(st.text(), st.integers(1, 50))
def test_lots_are_a_permutation_that_the_seed_repeats(seed: str, count: int) -> None:
    drawn = Lots(seed).shuffled(range(count))
    assert sorted(drawn) == list(range(count))
    assert Lots(seed).shuffled(range(count)) == drawn


def test_lots_are_sha_256_of_the_seed_and_a_counter() -> None:
    lots = Lots("Hule")
    digests = [sha256(f"Hule:{counter}".encode()).hexdigest() for counter in range(3)]
    assert [lots.below(1000) for _ in range(3)] == [int(digest, 16) % 1000 for digest in digests]


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 6), st.integers(2, 5), st.text(max_size=4))
def test_the_search_leaves_played_sessions_alone(tables: int, sessions: int, seed: str) -> None:
    start = random_sessions(Lots(seed), tables, sessions)
    carried = SeatSearch(start, range(1, sessions), {}).run(Cooling(2000), Lots(seed))
    assert carried[0] == start[0]
    assert count_repeats(carried) <= count_repeats(start) + sessions
    for session in carried:
        assert sorted(player for table in session for player in table) == list(range(4 * tables))


def test_tables_that_must_share_people_make_repeats() -> None:
    """12 players: a table of four takes its players from three tables, so two come from one."""
    assert [repeats_minimum(12, sessions) for sessions in (1, 2, 3)] == [0, 3, 6]
    assert group_minimum([5], 16, 3, 0) == 3
    assert group_minimum([4], 16, 3, 0) == 0
    assert group_minimum([4, 4, 4, 4], 16, 5, 0) == 24


SIZES = {16: 5, 24: 7, 32: 10}


@st.composite
def events(draw: st.DrawFn) -> tuple[Sessions, Sessions]:
    """A design, and some of its sessions as they were played, by players in any order."""
    players = draw(st.sampled_from(sorted(SIZES)))
    design = without_repeats(players, SIZES[players])
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
def test_labellings_carry_what_was_played_into_the_design(event: tuple[Sessions, Sessions]) -> None:
    played, design = event
    carried = list(islice(labellings(played, design), 5))
    assert carried
    for labelling, used in carried:
        assert sorted(labelling) == list(range(len(labelling)))
        images = {
            frozenset(frozenset(labelling[point] for point in table) for table in design[number])
            for number in used
        }
        assert images == {frozenset(map(frozenset, session)) for session in played}
