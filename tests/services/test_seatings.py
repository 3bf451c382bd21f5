"""Sessions seated one by one, by standing, at intervals, by lot and by hand; plans from files; taking back."""

import pytest

from tests.support.factories import SYSTEM, make_tournament, play_session
from tournament.access import Audience
from tournament.engine.seating import How, SessionInputs, certify, rank_spreads
from tournament.engine.seating.inputs import DrawWish
from tournament.errors import Refused
from tournament.models import LogEntry, Player, Tournament
from tournament.selectors.seatings import seated_alone, seats_of_all
from tournament.selectors.session_seats import SessionWish
from tournament.selectors.standings import current_standings
from tournament.services.draw import draw_seats
from tournament.services.players import withdraw_player
from tournament.services.reseating import undo_reseating
from tournament.services.seatings import seat_session, take_plan
from tournament.services.sessions import start_session

pytestmark = pytest.mark.django_db


def in_advance(sessions: int, *, players: int = 16, planned: int = 4, **wishes: object) -> Tournament:
    """An event with so many sessions drawn in advance, nothing played."""
    tournament = make_tournament(players=players, sessions=planned, drawn=False)
    draw_seats(tournament, SYSTEM, seed="lotto", wish=DrawWish(sessions=sessions, **wishes))  # type: ignore[arg-type]
    return tournament


def play(tournament: Tournament, *numbers: int) -> None:
    for number in numbers:
        play_session(tournament.sessions.get(number=number), 2)


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [problem.code for problem in refused.value.problems]


def test_an_event_can_be_seated_session_by_session_from_the_first_on() -> None:
    tournament = in_advance(1)
    assert [len(session) for session in seats_of_all(tournament)] == [4]
    play(tournament, 1)
    for number in (2, 3, 4):
        seat_session(tournament, SYSTEM, number, SessionWish(How.STANDING, "lotto"))
        play(tournament, number)
    assert certify(seats_of_all(tournament)).repeats == 0
    assert tournament.sessions.filter(state="closed").count() == 4


def test_a_session_without_seats_does_not_start() -> None:
    tournament = in_advance(1)
    play(tournament, 1)
    with pytest.raises(Refused) as refused:
        start_session(tournament.sessions.get(number=2), SYSTEM)
    assert codes(refused) == ["session_has_no_seats"]


def test_by_standing_neighbours_meet() -> None:
    tournament = in_advance(1, players=40)
    play(tournament, 1)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.STANDING, "lotto"))
    order = [row.number for row in current_standings(tournament, Audience.STAFF, closed_only=True).rows]
    spreads = rank_spreads(seats_of_all(tournament)[1], order)
    assert sum(spreads) / len(spreads) < 10, "by lot it would be 24"


def test_at_intervals_every_quarter_of_the_standings_is_at_every_table() -> None:
    tournament = in_advance(1)
    play(tournament, 1)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.INTERVAL))
    order = [row.number for row in current_standings(tournament, Audience.STAFF, closed_only=True).rows]
    ranks = [
        sorted(order.index(player) for player in table.values()) for table in seats_of_all(tournament)[1]
    ]
    assert ranks == [[table, table + 4, table + 8, table + 12] for table in range(4)]


@pytest.mark.parametrize("how", [How.STANDING, How.INTERVAL])
def test_standings_count_only_when_every_session_before_is_closed(how: How) -> None:
    tournament = in_advance(2)
    play(tournament, 1)
    for number, code in ((3, "earlier_session_open"), (4, "earlier_session_unseated")):
        with pytest.raises(Refused) as refused:
            seat_session(tournament, SYSTEM, number, SessionWish(how))
        assert codes(refused) == [code]
    with pytest.raises(Refused) as refused:
        seat_session(in_advance(1), SYSTEM, 1, SessionWish(how))
    assert codes(refused) == ["nothing_to_seat_by"]


def test_a_session_by_lot_need_not_wait_and_meets_nobody_of_the_others_again() -> None:
    tournament = in_advance(4, players=24)
    before = seats_of_all(tournament)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.LOT, "another"))
    after = seats_of_all(tournament)
    assert after[1] != before[1]
    assert [after[0], *after[2:]] == [before[0], *before[2:]]
    assert certify(after).repeats == 0


def test_the_wishes_of_the_draw_hold_on() -> None:
    tournament = in_advance(1, players=24, forbidden=((1, 2), (3, 4)), stay=((5, 3),), teams=True)
    for number in (2, 3):
        seat_session(tournament, SYSTEM, number, SessionWish(How.LOT, "lotto"))
    for session in seats_of_all(tournament):
        tables = [set(table.values()) for table in session]
        assert not any({1, 2} <= table or {3, 4} <= table for table in tables)
        assert 5 in tables[2]
        teams = [[(player - 1) // 4 for player in table] for table in tables]
        assert all(len(set(mates)) == 4 for mates in teams)


def test_the_log_says_what_the_seats_follow_from() -> None:
    tournament = in_advance(1)
    play(tournament, 1)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.STANDING, "lotto"))
    data = LogEntry.objects.get(action="session_seated").said
    assert list(SessionInputs.from_json(data["inputs"]).seats()) == seats_of_all(tournament)[1]
    (alone,) = seated_alone(tournament, Audience.STAFF, seats_of_all(tournament))
    assert (alone.session, alone.how, alone.is_as_seated) == (2, "standing", True)


def test_seats_by_hand_are_checked_whole() -> None:
    tournament = in_advance(1, players=8)
    tables = [{"E": 1, "S": 2, "W": 3, "N": 3}, {"E": 4, "S": 5, "W": 99, "N": 6}]
    with pytest.raises(Refused) as refused:
        seat_session(tournament, SYSTEM, 2, SessionWish(tables=tables))
    assert [(p.code, p.where, p.params["player"]) for p in refused.value.problems] == [
        ("seated_twice", "session 2, table 1", 3),
        ("unknown_player", "session 2, table 2", 99),
        ("not_seated_by_hand", "", 7),
        ("not_seated_by_hand", "", 8),
    ]


def test_changes_are_taken_back_in_turn_until_the_session_begins() -> None:
    tournament = in_advance(1)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.LOT, "one"))
    first = seats_of_all(tournament)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.LOT, "two"))
    undo_reseating(tournament, SYSTEM)
    assert seats_of_all(tournament) == first
    undo_reseating(tournament, SYSTEM)
    assert [len(session) for session in seats_of_all(tournament)] == [4]
    with pytest.raises(Refused) as refused:
        undo_reseating(tournament, SYSTEM)
    assert codes(refused) == ["no_seats_to_restore"]
    seat_session(tournament, SYSTEM, 2, SessionWish(How.LOT, "one"))
    play(tournament, 1)
    start_session(tournament.sessions.get(number=2), SYSTEM)
    with pytest.raises(Refused) as refused:
        undo_reseating(tournament, SYSTEM)
    assert codes(refused) == ["session_already_begun"]


def test_who_withdrew_is_not_seated() -> None:
    tournament = in_advance(1)
    play(tournament, 1)
    for number in (1, 2, 3, 4):
        withdraw_player(Player.objects.get(tournament=tournament, number=number), SYSTEM)
    seat_session(tournament, SYSTEM, 2, SessionWish(How.STANDING, "lotto"))
    assert sorted(p for t in seats_of_all(tournament)[1] for p in t.values()) == list(range(5, 17))


def test_a_plan_leaves_what_has_begun_and_seats_the_rest() -> None:
    tournament = in_advance(2)
    play(tournament, 1)
    plan = seats_of_all(tournament)
    turned = [{"E": t["N"], "S": t["E"], "W": t["S"], "N": t["W"]} for t in plan[1]]
    take_plan(tournament, SYSTEM, {1: plan[0], 2: turned, 3: plan[0]})
    assert seats_of_all(tournament) == [plan[0], turned, plan[0]]
    assert LogEntry.objects.get(action="seats_planned").data["sessions"] == [2, 3]
    with pytest.raises(Refused) as refused:
        take_plan(tournament, SYSTEM, {1: turned, 2: plan[1]})
    assert codes(refused) == ["session_already_begun"]


def test_a_plan_has_a_seat_for_everybody_who_is_to_play() -> None:
    tournament = make_tournament(players=12, sessions=2, played=1)
    for number in (9, 10, 11, 12):
        withdraw_player(Player.objects.get(tournament=tournament, number=number), SYSTEM)
    tables = [{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]
    with pytest.raises(Refused) as refused:
        take_plan(tournament, SYSTEM, {2: tables[:1]})
    assert [(p.code, p.params["player"]) for p in refused.value.problems] == [
        ("no_seat_in_session", player) for player in (5, 6, 7, 8)
    ]
    take_plan(tournament, SYSTEM, {2: tables})
    assert seats_of_all(tournament)[1] == tables


def test_a_plan_can_stand_in_for_the_draw() -> None:
    tournament = make_tournament(players=8, sessions=2, drawn=False)
    tables = [{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]
    take_plan(tournament, SYSTEM, {1: tables})
    assert seats_of_all(tournament) == [tables]
    assert [session.number for session in tournament.sessions.all()] == [1, 2]


def test_what_the_draw_was_asked_of_clubs_and_countries_binds_single_sessions() -> None:
    tournament = make_tournament(players=40, sessions=4, drawn=False)
    for player in tournament.players.all():
        player.club = f"Club {player.number % 8}"
        player.save()
    draw_seats(tournament, SYSTEM, seed="lotto", wish=DrawWish(sessions=1, clubs=True))
    seat_session(tournament, SYSTEM, 2, SessionWish(How.LOT, "lotto"))
    clubs = {player.number: player.club for player in tournament.players.all()}
    assert certify(seats_of_all(tournament), clubs=clubs).club_meetings == 0
    kept = LogEntry.objects.get(action="session_seated").said["inputs"]
    assert (kept["clubs"]["1"], kept["countries"]) == ("Club 1", {})
    assert SessionInputs.from_json(kept).seats() == tuple(seats_of_all(tournament)[1])
