"""What the public pages read: search, the last change, a table's sheet, a player's counts."""

from datetime import date
from uuid import uuid4

from scoring.texts.folding import folded
from tests.support.factories import SYSTEM, make_tournament, record, wash_out, win
from tournament.access import Audience
from tournament.engine.statements import Accusation
from tournament.models import Player, Tournament
from tournament.selectors.changes import last_change
from tournament.selectors.player_page import Statistics, player_page
from tournament.selectors.search import fits
from tournament.selectors.sheet import sheet
from tournament.services.penalties import give_penalty
from tournament.services.players import withdraw_player
from tournament.services.sessions import start_session
from tournament.templatetags.hule_public import days


class TestSearch:
    def test_letters_lose_their_accents(self) -> None:
        names = ("Håkan", "ØSTERGAARD", "Đặng", "Łukasz", "静", "Straße")
        assert [folded(name) for name in names] == ["hakan", "ostergaard", "dang", "lukasz", "静", "strasse"]

    def test_a_number_is_a_number_and_not_a_part_of_one(self) -> None:
        player = Player(number=15, last_name="Nowak")
        assert fits(player, "15")
        assert not fits(player, "5")

    def test_every_word_must_fit_in_any_order(self) -> None:
        player = Player(number=1, first_name="Zoë", last_name="van den Berg", team="Rotterdam", country="NLD")
        fitting = {query: fits(player, query) for query in ("berg zoe", "rotterdam", "nld", "zoe smith")}
        assert fitting == {"berg zoe": True, "rotterdam": True, "nld": True, "zoe smith": False}
        assert fits(Player(number=1, first_name="伟", last_name="张"), "张伟")


def test_the_last_change_is_of_a_session_and_no_withdrawal() -> None:
    tournament = make_tournament(players=8)
    session = tournament.sessions.get(number=1)
    assert last_change(tournament, Audience.STAFF) is None
    start_session(session, SYSTEM)
    change = last_change(tournament, Audience.STAFF)
    assert change is not None
    assert (change.action, change.session) == ("session_started", 1)
    record(session.tables.get(number=2), wash_out())
    withdraw_player(tournament.players.get(number=1), SYSTEM)
    change = last_change(tournament, Audience.STAFF)
    assert change is not None
    assert (change.action, change.table, change.hand) == ("hand_recorded", 2, 1)


class TestSheet:
    def test_winds_move_with_the_deal_while_columns_stay(self) -> None:
        table = make_tournament(players=4, running=2).sessions.get(number=1).tables.get()
        winds = ["".join(cell.wind for cell in line.cells) for line in sheet(table, Audience.STAFF).lines]
        assert winds == ["ESWN", "NESW"]

    def test_a_penalty_before_any_hand_has_a_line_of_its_own_on_top(self) -> None:
        table = make_tournament(players=4, running=0).sessions.get(number=1).tables.get()
        late = Accusation(1, "late", details={"minutes": 12})
        penalty = give_penalty(table, SYSTEM, late, uuid=uuid4())
        record(table, wash_out())
        before, hand = sheet(table, Audience.STAFF).lines
        assert (before.hand, before.penalties) == (None, (penalty,))
        assert sum(cell.change for cell in before.cells) == sum(penalty.effects.values()) < 0
        assert [cell.score for cell in hand.cells] == [cell.score for cell in before.cells]

    def test_a_penalty_in_the_hand_being_played_comes_last(self) -> None:
        table = make_tournament(players=4, running=1).sessions.get(number=1).tables.get()
        give_penalty(table, SYSTEM, Accusation(1, "false_hu", 2), uuid=uuid4())
        last = sheet(table, Audience.STAFF).lines[-1]
        assert last.hand is None
        assert [cell.score for cell in last.cells] == [
            seat.game_points for seat in table.seats.order_by("id")
        ]


def test_a_players_page_counts_hands_won_and_dealt_in() -> None:
    tournament = make_tournament(players=4, running=0)
    table = tournament.sessions.get(number=1).tables.get()
    for entry in (win(1, 2), win(1, None, "pure_straight"), win(3, 1, "mixed_triple_chow"), wash_out()):
        record(table, entry)
    page = player_page(tournament, Audience.STAFF, tournament.players.get(number=1))
    counts = page.statistics
    assert (counts.hands, counts.won, counts.self_drawn, counts.dealt_in, counts.neither) == (4, 2, 1, 1, 1)
    assert page.best is not None
    assert page.best.number == max((1, 2), key=lambda number: table.hands.get(number=number).points)


def test_there_is_no_average_of_nothing() -> None:
    nothing = Statistics(hands=3, won=0, self_drawn=0, dealt_in=0, won_points=0, dealt_in_points=0)
    assert (nothing.average_won, nothing.average_dealt_in) == (None, None)


def test_a_page_names_the_days_of_a_tournament() -> None:
    assert days(Tournament(starts_on=date(2026, 11, 14), ends_on=date(2026, 11, 15))) == "14–15 November 2026"
