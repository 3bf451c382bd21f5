"""Sessions seated one by one, and plans made again after some sessions."""

from collections.abc import Callable, Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.sampling import sample
from tournament.seating.engine.draw import draw
from tournament.seating.engine.plans import Constraints, SeatingError, Seats, certify, find_seat_changes
from tournament.seating.engine.replan import replan
from tournament.seating.engine.swiss import interval_session, random_session, swiss_session

Plan = list[tuple[Seats, ...]]


def players_of(session: tuple[Seats, ...]) -> list[int]:
    return sorted(player for table in session for player in table.values())


def swiss_plan(
    players: int,
    left: Iterable[int],
    reorder: Callable[[list[int]], object],
    constraints: Constraints | None = None,
) -> Plan:
    """Seat sessions one by one, with so many left after each; `reorder` sorts the players after each session."""
    order, plan = list(range(1, players + 1)), list[tuple[Seats, ...]]()
    for number, after in enumerate(left):
        plan.append(
            swiss_session(
                order, plan, seed=f"s{number}", left=after, constraints=constraints or Constraints()
            )
        )
        assert players_of(plan[-1]) == list(range(1, players + 1))
        reorder(order)
    return plan


def table_changes(
    before: Iterable[tuple[Seats, ...]], after: Iterable[tuple[Seats, ...]]
) -> list[tuple[int, int]]:
    """Return (session, player) of those who get another table, or a seat for the first time."""
    return [
        (change.session, change.player)
        for change in find_seat_changes(list(before), list(after))
        if change.after and (not change.before or change.before[0] != change.after[0])
    ]


def countdown(sessions: int) -> range:
    """Return how many sessions are left after each of a whole event."""
    return range(sessions - 1, -1, -1)


def by_play(seed: int, spread: float) -> Callable[[list[int]], None]:
    """Return a `reorder` by which the better player usually wins."""
    random = Random(seed)
    return lambda order: order.sort(key=lambda player: player + random.gauss(0, spread))


@pytest.mark.thorough
def test_a_swiss_event_of_100_repeats_nothing_and_stays_close() -> None:
    random, points = Random(100), dict.fromkeys(range(1, 101), 0)
    order, plan, spreads = list(points), list[tuple[Seats, ...]](), []
    for number in range(8):
        plan.append(swiss_session(order, plan, seed=f"session {number}"))
        ranks = [[order.index(player) for player in table.values()] for table in plan[-1]]
        spreads.append(sum(max(rank) - min(rank) for rank in ranks) / len(ranks))
        for table in plan[-1]:
            placed = sorted(table.values(), key=lambda player: player + random.gauss(0, 50))
            for player, won in zip(placed, (4, 2, 1, 0), strict=True):
                points[player] += won
        order = sorted(points, key=lambda player: (-points[player], player))
    quality = certify(plan)
    assert (quality.repeats, quality.wind_spread <= 2) == (0, True)
    assert sum(spreads) / len(spreads) <= 6.5


SHORT = [(16, 4), *(pytest.param(*size, marks=pytest.mark.thorough) for size in ((24, 5), (32, 7)))]
LONG = ((24, 7), (28, 9), (32, 10), (36, 11), (64, 21))


@pytest.mark.parametrize(("players", "sessions"), SHORT)
def test_a_small_swiss_event_looks_ahead_and_repeats_nothing(players: int, sessions: int) -> None:
    plan = swiss_plan(players, countdown(sessions), by_play(players, players / 4))
    assert certify(plan).repeats == 0


@pytest.mark.parametrize(("players", "sessions"), sample(LONG, 1, always=[(24, 7)]))
@pytest.mark.thorough
def test_a_swiss_event_as_long_as_a_design_repeats_nothing(players: int, sessions: int) -> None:
    assert certify(swiss_plan(players, countdown(sessions), Random(players).shuffle)).repeats == 0


def test_where_a_design_leaves_a_choice_neighbours_in_the_standings_meet() -> None:
    order = list(range(24))
    first = swiss_session(order, (), seed="", left=6)
    random = Random(1)
    random.shuffle(order)
    second = swiss_session(order, [first], seed="", left=5)
    ranks = [[order.index(player) for player in table.values()] for table in second]
    by_lot = 3 / 5 * 25  # what four of 24 ranks drawn by lot are apart
    assert sum(max(table) - min(table) for table in ranks) / len(ranks) < by_lot * 0.7


@pytest.mark.thorough
def test_a_session_of_no_design_does_not_stop_the_event() -> None:
    order = list(range(24))
    plan = [swiss_session(order, (), seed="", left=6)]
    others = [order[at] for first in range(4) for at in range(first, 24, 4)]
    plan.append(tuple(dict(zip("ESWN", others[at : at + 4], strict=True)) for at in range(0, 24, 4)))
    assert certify(plan).repeats == 0
    third = swiss_session(order, plan, seed="", left=4)
    assert players_of(third) == order
    assert certify([*plan, third]).repeats == 0


@pytest.mark.parametrize(
    ("players", "left", "teams", "reorder"),
    [
        pytest.param(24, (5, 4, 3), 12, list.reverse, marks=pytest.mark.thorough, id="as long as a design"),
        pytest.param(40, (0, 0, 0, 0), 10, by_play(40, 20), id="without a look ahead"),
    ],
)
def test_team_mates_do_not_meet_in_a_swiss_event(
    players: int, left: tuple[int, ...], teams: int, reorder: Callable[[list[int]], None]
) -> None:
    team_of = {number: f"Team {number % teams}" for number in range(1, players + 1)}
    plan = swiss_plan(players, left, reorder, Constraints(team_of))
    assert certify(plan, teams=team_of).team_meetings == 0


def test_the_first_swiss_tables_are_blocks_and_intervals_spread_the_best() -> None:
    session = swiss_session(range(1, 13), seed="")
    assert [sorted(table.values()) for table in session] == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    session = interval_session(range(1, 17))
    assert [sorted(table.values()) for table in session][:2] == [[1, 5, 9, 13], [2, 6, 10, 14]]


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 6), st.integers(1, 3), st.text(max_size=4))
@pytest.mark.thorough
def test_every_swiss_session_seats_everybody_once(tables: int, sessions: int, seed: str) -> None:
    order = list(range(1, 4 * tables + 1))
    plan: Plan = []
    for _ in range(sessions):
        plan.append(swiss_session(order, plan, seed=seed))
        assert players_of(plan[-1]) == sorted(order)
        order = order[3:] + order[:3]
    assert swiss_session(order, plan, seed=seed) == swiss_session(order, plan, seed=seed)


CLUBS = {number: "ABCDEFGH"[number % 8] for number in range(1, 41)}


def test_swiss_neighbours_of_one_country_give_way() -> None:
    order = range(1, 41)
    countries = {number: "ABCDEFGHIJ"[number // 2 % 10] for number in order}
    plain, constrained = (
        swiss_session(order, seed="s", constraints=constraints)
        for constraints in (Constraints(), Constraints(countries=countries))
    )
    meetings = [certify([seats], countries=countries).country_meetings for seats in (plain, constrained)]
    assert meetings[1] < meetings[0] / 3
    assert max(max(table.values()) - min(table.values()) for table in constrained) <= 10


@pytest.mark.thorough
@pytest.mark.parametrize("event", sample([0, 1], 1))
def test_a_swiss_event_in_which_club_mates_rarely_meet_repeats_nothing(event: int) -> None:
    clubs = {number: "ABCDEFGHIJ"[number * 7 % 10] for number in range(1, 41)}
    plans = [
        swiss_plan(40, countdown(6), by_play(event, 10), constraints)
        for constraints in (Constraints(), Constraints(clubs=clubs))
    ]
    plain, constrained = (certify(plan, clubs=clubs) for plan in plans)
    assert constrained.repeats == 0
    assert constrained.club_meetings < plain.club_meetings / 2


@pytest.mark.parametrize("sessions", [5, 6])
def test_by_lot_nobody_meets_twice_while_there_is_room_and_no_club_mates(sessions: int) -> None:
    plan: Plan = []
    constraints = Constraints(clubs=CLUBS) if sessions == 5 else Constraints()
    for number in range(sessions):
        plan.append(random_session(range(1, 41), plan, seed=f"lot {number}", constraints=constraints))
    quality = certify(plan, clubs=constraints.clubs)
    assert (quality.repeats, quality.club_meetings, quality.wind_spread <= 2) == (0, 0, True)


def test_one_session_needs_full_tables_too(subtests: pytest.Subtests) -> None:
    for order in (range(1, 10), range(1, 5), [1, 1, 2, 3, 4, 5, 6, 7]):
        for single in (
            lambda order: swiss_session(order, seed=""),
            lambda order: random_session(order, seed=""),
            interval_session,
        ):
            with subtests.test(order=order), pytest.raises(SeatingError):
                single(order)


def test_a_substitute_takes_the_seats_and_nothing_else_changes() -> None:
    drawn = draw(range(1, 41), 8, seed="event")
    players = [*(number for number in range(1, 41) if number != 7), 99]
    replanned = replan(players, drawn.sessions[:3], drawn.sessions[3:], seed="again")
    expected = [
        [{wind: 99 if player == 7 else player for wind, player in table.items()} for table in session]
        for session in drawn.sessions[3:]
    ]
    assert [list(session) for session in replanned] == expected


@pytest.mark.parametrize(
    ("players", "sessions", "moved"),
    [(64, 8, 12), (100, 10, 12), pytest.param(40, 8, 36, marks=pytest.mark.thorough)],
)
def test_four_who_leave_cost_no_repeat_where_there_is_room(players: int, sessions: int, moved: int) -> None:
    drawn = draw(range(1, players + 1), sessions, seed="event")
    staying = [number for number in drawn.players if number not in (3, 8, 20, 33)]
    replanned = replan(staying, drawn.sessions[:4], drawn.sessions[4:], seed="again")
    assert all(players_of(session) == staying for session in replanned)
    quality = certify([*drawn.sessions[:4], *replanned])
    assert quality.repeats == 0
    assert quality.wind_spread <= 2
    assert len(table_changes(drawn.sessions[4:], replanned)) <= moved * (sessions - 4)


@pytest.mark.thorough
def test_where_there_is_no_room_a_replan_has_few_repeats() -> None:
    drawn = draw(range(1, 25), 6, seed="event")
    replanned = replan(range(1, 21), drawn.sessions[:3], drawn.sessions[3:], seed="again")
    assert 0 < certify([*drawn.sessions[:3], *replanned]).repeats <= 12


def test_a_replan_seats_newcomers_keeps_team_mates_apart_and_asks_for_substitutes() -> None:
    drawn = draw(range(1, 17), 4, seed="event")
    replanned = replan(range(1, 21), drawn.sessions[:1], drawn.sessions[1:], seed="again")
    assert all(players_of(session) == list(range(1, 21)) for session in replanned)
    assert {player for _, player in table_changes(drawn.sessions[1:], replanned)} >= {17, 18, 19, 20}
    teams = {number: f"Team {(number - 1) // 4}" for number in range(1, 41)}
    drawn = draw(range(1, 41), 6, seed="event", teams=teams)
    replanned = replan(range(1, 37), drawn.sessions[:2], drawn.sessions[2:], seed="again", teams=teams)
    assert certify([*drawn.sessions[:2], *replanned], teams=teams).team_meetings == 0
    drawn = draw(range(1, 17), 4, seed="event")
    with pytest.raises(SeatingError) as caught:
        replan(range(1, 16), drawn.sessions[:1], drawn.sessions[1:], seed="again")
    (problem,) = caught.value.problems
    assert (problem.code, problem.params["substitutes"]) == ("substitutes_needed", 1)


def test_a_plan_made_by_hand_gets_the_same_certificate() -> None:
    drawn = draw(range(1, 21), 5, seed="event")
    assert certify(drawn.sessions) == drawn.quality
    swapped = [[dict(table) for table in session] for session in drawn.sessions]
    first, second = swapped[0][:2]
    first["E"], second["E"] = second["E"], first["E"]
    quality = certify(swapped)
    tables = [table.values() for session in swapped for table in session]
    met = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
    assert quality.repeats == len(met) - len(set(met)) > 0


@pytest.mark.thorough
def test_club_mates_stay_rare_in_a_replan() -> None:
    clubs = dict.fromkeys(range(1, 41, 5), "club")
    drawn = draw(range(1, 41), 6, seed="1", clubs=clubs)
    staying = [player for player in range(1, 41) if player not in (10, 20, 30, 40)]
    plain, constrained = (
        certify([*drawn.sessions[:1], *replanned], clubs=clubs)
        for replanned in (
            replan(staying, drawn.sessions[:1], drawn.sessions[1:], seed="1"),
            replan(staying, drawn.sessions[:1], drawn.sessions[1:], seed="1", clubs=clubs),
        )
    )
    assert constrained.club_meetings <= plain.club_meetings
    assert constrained.club_meetings <= drawn.quality.club_meetings + 1


def test_players_keep_their_tables_and_compatriots_stay_rare_in_a_replan() -> None:
    countries = dict.fromkeys((3, 9, 14, 21, 27), "FRA")
    stay = {1: 2, 2: 5}
    drawn = draw(range(1, 41), 6, seed="1", countries=countries, stay=stay)
    staying = [player for player in range(1, 41) if player not in (10, 20, 30, 40)]
    replanned = replan(
        staying, drawn.sessions[:1], drawn.sessions[1:], seed="1", countries=countries, stay=stay
    )
    for session in replanned:
        assert 1 in session[1].values()
        assert 2 in session[4].values()
    quality = certify([*drawn.sessions[:1], *replanned], countries=countries)
    assert quality.repeats == 0
    assert quality.country_meetings <= drawn.quality.country_meetings + 1
