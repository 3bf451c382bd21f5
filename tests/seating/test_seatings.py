"""Sessions seated by standing, at intervals, by lot, by hand and for the stream; changes undone, and corrections."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from scoring.engine.problems import Problem
from tests.support.checks import refused_codes
from tests.support.factories import SYSTEM, make_tournament, play_session, record, win
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Seat, Session
from tournament.base.models.tournament import Tournament
from tournament.exchange.audit import audit
from tournament.fouls.services.penalties import give_penalty
from tournament.play.engine.statements import Accusation
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.services.players import withdraw_player
from tournament.ranking.selectors.standings import current_standings
from tournament.seating.engine.draw import DrawOptions
from tournament.seating.engine.plans import certify
from tournament.seating.engine.swiss import SeatingMethod, SessionInputs, rank_spreads
from tournament.seating.selectors.changes import SessionOptions, last_correction
from tournament.seating.selectors.draws import single_sessions, stored_plan
from tournament.seating.services.corrections import correct_seats, undo_correction, unstart_session
from tournament.seating.services.seatings import (
    draw_seats,
    import_plan,
    seat_at_stream,
    seat_session,
    undo_plan_change,
)


def drawn_in_advance(sessions: int, *, players: int = 16, planned: int = 4, **options: object) -> Tournament:
    """Return an event with so many sessions drawn in advance, nothing played."""
    tournament = make_tournament(players=players, sessions=planned, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", options=DrawOptions(sessions=sessions, **options))  # type: ignore[arg-type]
    return tournament


def play(tournament: Tournament, *numbers: int) -> None:
    for number in numbers:
        play_session(tournament.sessions.get(number=number), 2)


def problems(action: Callable[..., object], *arguments: object) -> list[Problem]:
    with pytest.raises(Refused) as caught:
        action(*arguments)
    return list(caught.value.problems)


@pytest.mark.thorough
def test_an_event_can_be_seated_session_by_session_from_the_first_on() -> None:
    tournament = drawn_in_advance(1)
    assert [len(session) for session in stored_plan(tournament)] == [4]
    play(tournament, 1)
    assert refused_codes(start_session, tournament.sessions.get(number=2), SYSTEM) == ["session_has_no_seats"]
    for number in (2, 3, 4):
        seat_session(tournament, SYSTEM, number, SessionOptions(SeatingMethod.STANDING, "lotto"))
        play(tournament, number)
    assert certify(stored_plan(tournament)).repeats == 0
    assert tournament.sessions.filter(state="closed").count() == 4
    data = LogEntry.objects.filter(action="session_seated").order_by("seq")[0].full_data
    assert list(SessionInputs.from_json(data["inputs"]).seats()) == stored_plan(tournament)[1]
    single = single_sessions(tournament, Audience.STAFF, stored_plan(tournament))
    assert [(seats.number, seats.method, seats.is_as_seated) for seats in single] == [
        (number, "standing", True) for number in (2, 3, 4)
    ]


@pytest.mark.thorough
def test_by_standing_neighbours_meet_and_at_intervals_every_quarter_is_at_every_table() -> None:
    tournament = drawn_in_advance(1, players=40)
    play(tournament, 1)
    order = [row.number for row in current_standings(tournament, Audience.STAFF, closed_only=True).rows]
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.STANDING, "lotto"))
    spreads = rank_spreads(stored_plan(tournament)[1], order)
    assert sum(spreads) / len(spreads) < 10, "by lot it would be 24"
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.INTERVAL))
    tables = stored_plan(tournament)[1]
    ranks = [sorted(order.index(player) for player in table.values()) for table in tables]
    assert ranks == [[table, table + 10, table + 20, table + 30] for table in range(10)]


def test_standings_count_only_when_every_session_before_is_closed() -> None:
    tournament, fresh = drawn_in_advance(2), drawn_in_advance(1)
    play(tournament, 1)
    for method in (SeatingMethod.STANDING, SeatingMethod.INTERVAL):
        assert refused_codes(seat_session, tournament, SYSTEM, 3, SessionOptions(method)) == [
            "earlier_session_open"
        ]
        assert refused_codes(seat_session, tournament, SYSTEM, 4, SessionOptions(method)) == [
            "earlier_session_unseated"
        ]
        assert refused_codes(seat_session, fresh, SYSTEM, 1, SessionOptions(method)) == ["nothing_to_seat_by"]


def test_a_session_by_lot_needs_no_standings_and_has_no_repeats() -> None:
    tournament = drawn_in_advance(4, players=24)
    before = stored_plan(tournament)
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.LOT, "another"))
    after = stored_plan(tournament)
    assert after[1] != before[1]
    assert [after[0], *after[2:]] == [before[0], *before[2:]]
    assert certify(after).repeats == 0


def test_constraints_of_the_draw_apply_to_single_sessions() -> None:
    tournament = drawn_in_advance(1, players=24, forbidden=((1, 2), (3, 4)), stay=((5, 3),), teams=True)
    for number in (2, 3):
        seat_session(tournament, SYSTEM, number, SessionOptions(SeatingMethod.LOT, "lotto"))
    for session in stored_plan(tournament):
        tables = [set(table.values()) for table in session]
        assert not any({1, 2} <= table or {3, 4} <= table for table in tables)
        assert 5 in tables[2]
        teams = [[(player - 1) // 4 for player in table] for table in tables]
        assert all(len(set(mates)) == 4 for mates in teams)


def test_every_problem_of_seats_by_hand_is_reported() -> None:
    tournament = drawn_in_advance(1, players=8)
    tables = [{"E": 1, "S": 2, "W": 3, "N": 3}, {"E": 4, "S": 5, "W": 99, "N": 6}]
    wrong = problems(seat_session, tournament, SYSTEM, 2, SessionOptions(tables=tables))
    assert [(problem.code, problem.where, problem.params["player"]) for problem in wrong] == [
        ("seated_twice", "session 2, table 1", 3),
        ("unknown_player", "session 2, table 2", 99),
        ("not_seated_by_hand", "", 7),
        ("not_seated_by_hand", "", 8),
    ]


def test_changes_are_undone_newest_first_until_the_session_begins() -> None:
    tournament = drawn_in_advance(1)
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.LOT, "one"))
    first = stored_plan(tournament)
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.LOT, "two"))
    undo_plan_change(tournament, SYSTEM)
    assert stored_plan(tournament) == first
    undo_plan_change(tournament, SYSTEM)
    assert [len(session) for session in stored_plan(tournament)] == [4]
    assert refused_codes(undo_plan_change, tournament, SYSTEM) == ["no_seats_to_restore"]
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.LOT, "one"))
    play(tournament, 1)
    start_session(tournament.sessions.get(number=2), SYSTEM)
    assert refused_codes(undo_plan_change, tournament, SYSTEM) == ["session_already_begun"]


def test_withdrawn_players_are_not_seated() -> None:
    tournament = drawn_in_advance(1)
    play(tournament, 1)
    for number in (1, 2, 3, 4):
        withdraw_player(Player.objects.get(tournament=tournament, number=number), SYSTEM)
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.STANDING, "lotto"))
    assert sorted(p for t in stored_plan(tournament)[1] for p in t.values()) == list(range(5, 17))


def test_a_plan_replaces_the_draw_but_no_session_that_has_begun() -> None:
    tournament = make_tournament(players=8, sessions=3, drawn=False)
    first = [{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]
    turned = [{"E": t["N"], "S": t["E"], "W": t["S"], "N": t["W"]} for t in first]
    import_plan(tournament, SYSTEM, {1: first, 2: first})
    assert stored_plan(tournament) == [first, first]
    assert [session.number for session in tournament.sessions.all()] == [1, 2, 3]
    play(tournament, 1)
    import_plan(tournament, SYSTEM, {1: first, 2: turned, 3: first})
    assert stored_plan(tournament) == [first, turned, first]
    assert LogEntry.objects.filter(action="seats_planned").latest("seq").data["sessions"] == [2, 3]
    assert refused_codes(import_plan, tournament, SYSTEM, {1: turned, 2: first}) == ["session_already_begun"]


def test_a_plan_has_a_seat_for_everybody_who_is_to_play() -> None:
    tournament = make_tournament(players=12, sessions=2, played=1)
    for number in (9, 10, 11, 12):
        withdraw_player(Player.objects.get(tournament=tournament, number=number), SYSTEM)
    tables = [{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]
    wrong = problems(import_plan, tournament, SYSTEM, {2: tables[:1]})
    assert [(problem.code, problem.params["player"]) for problem in wrong] == [
        ("no_seat_in_session", player) for player in (5, 6, 7, 8)
    ]
    import_plan(tournament, SYSTEM, {2: tables})
    assert stored_plan(tournament)[1] == tables


def test_clubs_and_countries_of_the_draw_apply_to_single_sessions() -> None:
    tournament = make_tournament(players=40, sessions=4, drawn=False)
    clubs = {player.number: f"Club {player.number % 8}" for player in tournament.players.all()}
    for number, club in clubs.items():
        tournament.players.filter(number=number).update(club=club)
    draw_seats(tournament, SYSTEM, seed="lotto", options=DrawOptions(sessions=1, clubs=True))
    seat_session(tournament, SYSTEM, 2, SessionOptions(SeatingMethod.LOT, "lotto"))
    assert certify(stored_plan(tournament), clubs=clubs).club_meetings == 0
    inputs = LogEntry.objects.get(action="session_seated").full_data["inputs"]
    assert (inputs["clubs"]["1"], inputs["countries"]) == ("Club 1", {})
    assert SessionInputs.from_json(inputs).seats() == tuple(stored_plan(tournament)[1])


@pytest.fixture
def drawn() -> Tournament:
    tournament = make_tournament(players=24, sessions=6, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto")
    return tournament


def seated(tournament: Tournament, session: int, table: int) -> set[int]:
    return set(stored_plan(tournament)[session - 1][table - 1].values())


def test_one_player_is_filmed_in_several_sessions_and_no_meeting_changes(drawn: Tournament) -> None:
    fours = [{frozenset(table.values()) for table in session} for session in stored_plan(drawn)]
    seat_at_stream(drawn, SYSTEM, [7], 2, [1, 3, 6])
    assert all(7 in seated(drawn, session, 2) for session in (1, 3, 6))
    assert [{frozenset(table.values()) for table in session} for session in stored_plan(drawn)] == fours


def test_four_meet_at_the_table_without_a_repeat_and_what_has_begun_stays(drawn: Tournament) -> None:
    before = stored_plan(drawn)
    seat_at_stream(drawn, SYSTEM, [1, 5, 9, 13], 1, [2])
    assert seated(drawn, 2, 1) == {1, 5, 9, 13}
    quality = certify(stored_plan(drawn))
    assert (quality.repeats, quality.wind_spread) == (0, 1)
    undo_plan_change(drawn, SYSTEM)
    assert stored_plan(drawn) == before
    play_session(drawn.sessions.get(number=1), 1)
    seat_at_stream(drawn, SYSTEM, [1, 5], 1, [4])
    assert stored_plan(drawn)[0] == before[0]
    assert {1, 5} <= seated(drawn, 4, 1)
    assert refused_codes(seat_at_stream, drawn, SYSTEM, [1], 1, [1]) == ["session_already_begun"]


def test_every_problem_of_the_filmed_table_is_reported_at_once(drawn: Tournament) -> None:
    assert sorted(set(refused_codes(seat_at_stream, drawn, SYSTEM, [1, 1], 7, [1, 2]))) == [
        "player_twice",
        "stream_one_session",
        "table_unknown",
    ]
    assert refused_codes(seat_at_stream, drawn, SYSTEM, [99], 1, [1]) == ["no_seat_in_session"]


@pytest.fixture
def running() -> Session:
    """Session 1 with three hands at each table, a corrected first and a penalty among them."""
    session = make_tournament(running=3).sessions.get(number=1)
    table = session.tables.get(number=1)
    hand = Hand.objects.get(table=table, number=1, is_current=True)
    east, south, *_others = numbers(session, 1)
    correct_hand(hand, SYSTEM, win(east, south), reason="misread", uuid=uuid4())
    give_penalty(table, SYSTEM, Accusation(east, "false_hu", 2), uuid=uuid4())
    return session


def numbers(session: Session, table: int) -> list[int]:
    seats = Seat.objects.filter(table__session=session, table__number=table).order_by("id")
    return list(seats.values_list("player__number", flat=True))


def figures(session: Session) -> list[tuple[int, str, int, int, int, int]]:
    """Return the figures of each seat, whoever sits there."""
    seats = Seat.objects.filter(table__session=session).order_by("table__number", "id")
    return list(
        seats.values_list("table__number", "wind", "game_points", "hands_won", "wins_by_discard", "deal_ins")
    )


def is_sound(session: Session) -> bool:
    return not list(audit(Tournament.objects.get(pk=session.tournament_id)))


def game_points(session: Session) -> dict[int, Any]:
    rows = current_standings(session.tournament, Audience.STAFF).rows
    return {row.number: row.game_points for row in rows}


@pytest.mark.parametrize("tables", [(1, 1), (1, 2)])
def test_a_correction_swaps_names_and_keeps_the_figures_of_the_seats(
    running: Session, tables: tuple[int, int]
) -> None:
    first, other = numbers(running, tables[0])[0], numbers(running, tables[1])[1]
    before, points = figures(running), game_points(running)
    correct_seats(running, SYSTEM, first, other)
    assert figures(running) == before
    assert (numbers(running, tables[0])[0], numbers(running, tables[1])[1]) == (other, first)
    assert game_points(running) == points | {first: points[other], other: points[first]}
    assert is_sound(running)


def test_a_correction_of_seats_is_taken_back_while_the_session_is_played(running: Session) -> None:
    first, other = numbers(running, 1)[0], numbers(running, 2)[1]
    correct_seats(running, SYSTEM, first, other)
    record(running.tables.get(number=1), win(other))
    undo_correction(running, SYSTEM)
    assert numbers(running, 1)[0] == first
    assert Hand.objects.get(table__session=running, number=4).winner.number == first  # type: ignore[union-attr]
    assert is_sound(running)
    assert refused_codes(undo_correction, running, SYSTEM) == ["no_seats_to_restore"]


def test_a_correction_before_an_undone_start_cannot_be_undone() -> None:
    tournament = make_tournament(running=0)
    session = tournament.sessions.get(number=1)
    first, other = numbers(session, 1)[0], numbers(session, 2)[1]
    correct_seats(session, SYSTEM, first, other)
    unstart_session(session, SYSTEM)
    assert last_correction(session) is None
    draw_seats(tournament, SYSTEM, seed="again")
    again = start_session(tournament.sessions.get(number=1), SYSTEM)
    drawn = [numbers(again, table) for table in (1, 2, 3, 4)]
    assert refused_codes(undo_correction, again, SYSTEM) == ["no_seats_to_restore"]
    assert [numbers(again, table) for table in (1, 2, 3, 4)] == drawn


def test_a_correction_needs_two_seated_players_and_a_running_session(running: Session) -> None:
    first, neighbour, *_ = numbers(running, 1)
    for other, code in ((99, "no_seat_in_session"), (first, "swap_with_self")):
        assert refused_codes(correct_seats, running, SYSTEM, first, other) == [code]
    for table in running.tables.all():
        hand_in(table, SYSTEM)
    close_session(running, SYSTEM)
    assert refused_codes(correct_seats, running, SYSTEM, first, neighbour) == ["session_not_running"]
