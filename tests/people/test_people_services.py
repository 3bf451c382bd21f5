"""Deleted, withdrawn and substitute players, stand-ins, and the number of players on all pages."""

import json
from datetime import date, timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from tests.support.checks import newest_sentence, refused_codes
from tests.support.factories import (
    SYSTEM,
    edited,
    entrant,
    list_file,
    make_organiser,
    make_tournament,
    play_hands,
    play_session,
    record,
    win,
)
from tournament.base.access import Actor
from tournament.base.engine.notices import Audience
from tournament.base.errors import Refused
from tournament.base.models.people import Player
from tournament.base.models.play import Absence, Seat, Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.standings import standings_sheet
from tournament.fouls.services.penalties import give_penalty
from tournament.people.services import unlink_player
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.public import overview
from tournament.play.selectors.timetable import draw_is_out_of_date
from tournament.play.services.absences import name_stand_in, record_absence, seat_stand_in
from tournament.play.services.sessions import start_session
from tournament.players.selectors.players import player_counts
from tournament.players.services.players import (
    add_players,
    add_substitutes,
    delete_player,
    edit_player,
    reinstate_player,
    withdraw_player,
)
from tournament.ranking.engine.finals import FinalsOptions, FinalStage
from tournament.ranking.engine.standings import Standing
from tournament.ranking.exports import RANKING
from tournament.ranking.selectors.groups import current_groups
from tournament.ranking.selectors.players import SessionSeat, player_page
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.standings import current_standings
from tournament.ranking.services import publish_standings
from tournament.screens.engine import Kind
from tournament.screens.selectors import find_screen, programme_of
from tournament.seating.engine.swiss import SeatingMethod
from tournament.seating.selectors.changes import SessionOptions
from tournament.seating.selectors.draws import stored_plan, undoable_plan_change
from tournament.seating.services.seatings import (
    draw_seats,
    replan_seats,
    seat_session,
    set_up_final,
    swap_players,
    undo_plan_change,
)
from tournament.site.selectors.front_page import TournamentSearch, my_tournaments, tournament_groups

pytestmark = pytest.mark.stored


def player(tournament: Tournament, number: int) -> Player:
    return tournament.players.get(number=number)


class TestDeleting:
    def test_deletes_a_player_without_seats(self) -> None:
        tournament = make_tournament(players=5, drawn=False)
        mistaken = player(tournament, 5)
        delete_player(player(tournament, 5), SYSTEM)
        assert list(tournament.players.values_list("number", flat=True)) == [1, 2, 3, 4]
        assert newest_sentence(tournament) == "Deleted: player number 5."
        for step in (unlink_player, delete_player):
            assert refused_codes(step, mistaken, SYSTEM) == ["deleted_meanwhile"]

    def test_refuses_a_player_who_has_played(self) -> None:
        tournament = make_tournament(running=0)
        assert refused_codes(delete_player, player(tournament, 1), SYSTEM) == ["player_has_played"]

    def test_requires_withdrawal_and_a_new_plan_for_a_player_with_seats(self) -> None:
        tournament = make_tournament(players=8, sessions=2)
        add_players(tournament, SYSTEM, [entrant(9)])
        assert refused_codes(delete_player, player(tournament, 3), SYSTEM) == ["player_has_seats"]
        withdraw_player(player(tournament, 3), SYSTEM)
        assert refused_codes(delete_player, player(tournament, 3), SYSTEM) == ["player_has_seats"]
        replan_seats(tournament, SYSTEM)
        assert undoable_plan_change(tournament) is not None
        delete_player(player(tournament, 3), SYSTEM)
        assert not draw_is_out_of_date(tournament)
        assert undoable_plan_change(tournament) is None, "the plan before would seat a deleted player"
        assert refused_codes(undo_plan_change, tournament, SYSTEM) == ["no_seats_to_restore"]

    def test_refuses_a_finalist(self) -> None:
        tournament = make_tournament(players=8, sessions=2, played=1)
        add_players(tournament, SYSTEM, [entrant(9)])
        final = set_up_final(tournament, SYSTEM, FinalsOptions(FinalStage(4, 4), 1, "x"))
        final.groups = [[*final.groups[0][:3], 9]]
        final.save()
        assert refused_codes(delete_player, player(tournament, 9), SYSTEM) == ["player_in_a_final"]


@pytest.fixture
def with_withdrawal() -> Tournament:
    """12 players, one of three sessions played; number 5 has withdrawn since."""
    tournament = make_tournament(players=12, sessions=3, played=1)
    withdraw_player(player(tournament, 5), SYSTEM)
    return tournament


@pytest.fixture
def with_substitute(with_withdrawal: Tournament) -> Tournament:
    """A substitute has played in number 5's seat in session 2."""
    add_substitutes(with_withdrawal, SYSTEM, "Substitute")
    replan_seats(with_withdrawal, SYSTEM)
    play_session(with_withdrawal.sessions.get(number=2), hands=3)
    with_withdrawal.refresh_from_db()
    return with_withdrawal


class TestSubstitutes:
    def test_take_the_seats_of_a_withdrawn_player(self, with_withdrawal: Tournament) -> None:
        assert player_counts(with_withdrawal).missing == 1
        (substitute,) = add_substitutes(with_withdrawal, SYSTEM, "Substitute")
        assert (substitute.number, substitute.name, substitute.is_substitute) == (13, "Substitute 1", True)
        assert newest_sentence(with_withdrawal) == "Substitutes, not ranked: Substitute 1."
        assert refused_codes(add_substitutes, with_withdrawal, SYSTEM, "Substitute") == ["nobody_missing"]
        before = stored_plan(with_withdrawal)
        replan_seats(with_withdrawal, SYSTEM)
        renamed = [
            [{wind: 13 if number == 5 else number for wind, number in table.items()} for table in session]
            for session in before[1:]
        ]
        assert stored_plan(with_withdrawal) == [before[0], *renamed]

    def test_are_numbered_in_their_names(self) -> None:
        tournament = make_tournament(players=9, drawn=False)
        add_substitutes(tournament, SYSTEM, "Substitute")
        withdraw_player(player(tournament, 1), SYSTEM)
        assert [substitute.name for substitute in add_substitutes(tournament, SYSTEM, "替补")] == ["替补 4"]

    def test_are_not_needed_after_the_last_session(self) -> None:
        tournament = make_tournament(players=8, sessions=1, played=1)
        withdraw_player(player(tournament, 5), SYSTEM)
        assert player_counts(tournament).missing == 0

    @pytest.mark.thorough
    def test_are_in_no_ranking_and_no_team_until_they_are_ranked(self, with_substitute: Tournament) -> None:
        """A substitute takes a place at the table, where the four still get 4, 2, 1 and 0 table points."""
        rows = current_standings(with_substitute, Audience.STAFF).rows
        assert {row.number for row in rows} == set(range(1, 13))
        assert max(row.rank or 0 for row in rows) <= 12
        line = ranking(with_substitute, Audience.STAFF).find(13)
        assert line is not None
        seat = Seat.objects.get(player__number=13, table__session__number=2)
        assert (line.standing.rank, line.standing.game_points) == (None, seat.game_points)
        page = player_page(with_substitute, Audience.STAFF, player(with_substitute, 13))
        sessions = [
            result.seat.table.session.number for result in page.results if isinstance(result, SessionSeat)
        ]
        assert sessions == [2]
        lines = [
            ranking(with_substitute, Audience.STAFF).find(other.player.number)
            for other in seat.table.seats.all()
        ]
        results = [result for line in lines if line is not None for result in line.standing.sessions]
        assert sum(result.table_points for result in results if result.session == 2) == 7
        assert 13 not in {row["number"] for row in publish_standings(with_substitute, SYSTEM).rows}
        edit_player(
            edited(player(with_substitute, 13), last_name="Filler", team="Team 1", country="FRA"), SYSTEM
        )
        assert player(with_substitute, 13).is_substitute
        with_substitute.refresh_from_db()
        for kind in ("teams", "nations"):
            members = {
                n
                for group in current_groups(with_substitute, Audience.STAFF, kind)
                for n in group.member_numbers
            }
            assert 13 not in members
        edit_player(edited(player(with_substitute, 13), is_substitute=False), SYSTEM)
        with_substitute.refresh_from_db()
        assert current_standings(with_substitute, Audience.STAFF).find(13).rank is not None
        assert newest_sentence(with_substitute) == "Player 13 changed: Filler. Ranked from now on."

    def test_reach_no_final_and_are_seated_last_by_standing(self, with_substitute: Tournament) -> None:
        Seat.objects.filter(player__number=13, table__session__number=2).update(game_points=9999)
        assert len(current_standings(with_substitute, Audience.STAFF).rows) == 12
        seat_session(with_substitute, SYSTEM, 3, SessionOptions(SeatingMethod.STANDING, "x"))
        assert with_substitute.log.latest("seq").full_data["inputs"]["players"][-1] == 13
        assert (
            13 not in set_up_final(with_substitute, SYSTEM, FinalsOptions(FinalStage(4, 4), 1, "x")).numbers
        )

    def test_win_and_are_penalised_like_other_players(self, with_withdrawal: Tournament) -> None:
        add_substitutes(with_withdrawal, SYSTEM, "Substitute")
        replan_seats(with_withdrawal, SYSTEM)
        session = start_session(with_withdrawal.sessions.get(number=2), SYSTEM)
        assert session.state == "running"
        table = session.tables.get(seats__player__number=13)
        record(table, win(13))
        give_penalty(table, SYSTEM, Accusation(13, "late", details={"minutes": 5}), uuid=uuid4())
        with_withdrawal.refresh_from_db()
        line = ranking(with_withdrawal, Audience.STAFF).find(13)
        assert line is not None
        assert line.standing.totals.hands_won == 1


class TestVacantSeats:
    @pytest.fixture
    def table(self, with_withdrawal: Tournament) -> Table:
        """The table with the seat of number 5, who has withdrawn."""
        return with_withdrawal.sessions.get(number=2).tables.get(seats__player__number=5)

    def test_need_a_stand_in_before_the_session_starts(
        self, with_withdrawal: Tournament, table: Table
    ) -> None:
        with pytest.raises(Refused) as refused:
            start_session(table.session, SYSTEM)
        (problem,) = refused.value.problems
        vacant = {"name": "Håkan Dupont", "table": table.number}
        assert (problem.code, problem.params) == ("seat_is_vacant", vacant)
        name_stand_in(table, SYSTEM, 5, " Ana Lima ")
        assert newest_sentence(with_withdrawal).startswith(
            "Ana Lima plays for Håkan Dupont, session 2, table"
        )
        start_session(with_withdrawal.sessions.get(number=2), SYSTEM)
        play_hands(table)
        assert table.seats.get(player__number=5).stand_in == "Ana Lima"

    def test_keep_their_stand_in_until_the_player_is_back(
        self, with_withdrawal: Tournament, table: Table
    ) -> None:
        name_stand_in(table, SYSTEM, 5, "Ana Lima")
        others = with_withdrawal.players.exclude(number=5).filter(seats__table__session__number=2)
        first, second = others.order_by("seats__table__number").values_list("number", flat=True)[:2]
        swap_players(with_withdrawal, SYSTEM, first, second, [2])
        assert Seat.objects.get(player__number=5, table__session__number=2).stand_in == "Ana Lima"
        reinstate_player(player(with_withdrawal, 5), SYSTEM)
        assert not Seat.objects.exclude(stand_in="").exists()

    def test_are_those_of_withdrawn_players(self, with_withdrawal: Tournament, table: Table) -> None:
        assert refused_codes(name_stand_in, table, SYSTEM, 5, " ") == ["stand_in_name_missing"]
        assert refused_codes(name_stand_in, table, SYSTEM, 99, "Ana") == ["not_at_this_table"]
        other_table = with_withdrawal.sessions.get(number=2).tables.get(seats__player__number=1)
        assert refused_codes(name_stand_in, other_table, SYSTEM, 1, "Ana") == ["not_withdrawn"]
        begun = with_withdrawal.sessions.get(number=1).tables.get(seats__player__number=5)
        assert refused_codes(name_stand_in, begun, SYSTEM, 5, "Ana") == ["session_already_begun"]

    def test_disappear_after_a_new_draw(self) -> None:
        tournament = make_tournament(players=8, sessions=1)
        withdraw_player(player(tournament, 5), SYSTEM)
        add_players(tournament, SYSTEM, [entrant(9)])
        draw_seats(tournament, SYSTEM, seed="again")
        assert start_session(tournament.sessions.get(number=1), SYSTEM).state == "running"


def fresh(event: Tournament) -> Tournament:
    return Tournament.objects.get(pk=event.pk)


def lines(event: Tournament) -> tuple[Standing, ...]:
    return current_standings(fresh(event), Audience.STAFF).rows


def numbers_of_players(event: Tournament, client: Client) -> dict[str, int]:
    """Return the number of players on each page, in the API and in documents."""
    event, actor = fresh(event), Actor.of(make_organiser(event))
    screen = find_screen(event, "main")
    assert screen is not None
    pages = programme_of(screen, timezone.now()).pages
    rows = json.loads(client.get(reverse("api_standings", args=[event.slug])).content)["rows"]
    sheet = load_workbook(BytesIO(list_file(RANKING, event, audience=Audience.PUBLIC))).worksheets[0]
    people = client.get(reverse("players_page", args=[event.slug])).text
    counts = {
        "tournament": overview(event).entered,
        "home": tournament_groups(actor, date(2026, 11, 14), TournamentSearch())[0].tournaments[0].entered,  # type: ignore[attr-defined]
        "mine": my_tournaments(actor).get().player_count,  # type: ignore[attr-defined]
        "roll": player_counts(event).entered,
        "ranking": len(ranking(event, Audience.PUBLIC).rows),
        "REST": len(rows),
        "spreadsheet": sheet.max_row - 1,
        "paper": int(standings_sheet(event, "a4").summary.split()[0]),
        "players page": int(people.split('<small class="quiet">')[1].split("<")[0]),
    }
    assert pages[Kind.RANKING] == 1, "sixteen rows fit on one page of a screen, seventeen need two"
    return counts


@pytest.mark.thorough
def test_players_who_withdrew_before_playing_are_not_counted(client: Client) -> None:
    event = make_tournament(players=16, sessions=2)
    add_players(event, SYSTEM, [entrant(17)])
    withdraw_player(event.players.get(number=17), SYSTEM)
    play_session(event.sessions.get(number=1))
    assert set(numbers_of_players(event, client).values()) == {16}
    assert (player_counts(event).withdrawn, player_counts(event).left) == (1, 0)
    assert 17 not in [row.number for row in lines(event)]
    assert "withdrawn" in client.get(reverse("player_page", args=[event.slug, 17])).text


def test_players_who_withdrew_after_playing_are_counted_and_ranked(client: Client) -> None:
    event = make_tournament(players=16, sessions=2, played=1)
    withdraw_player(event.players.get(number=3), SYSTEM)
    assert set(numbers_of_players(event, client).values()) == {16}
    assert (player_counts(event).entered, player_counts(event).players, player_counts(event).left) == (
        16,
        15,
        1,
    )
    assert all(row.rank for row in lines(event))


def test_a_seat_taken_over_by_somebody_else_does_not_count_as_played() -> None:
    event = make_tournament(players=16, sessions=2, played=1)
    started = event.sessions.get(number=1).started_at
    assert started is not None
    Player.objects.filter(number=3).update(withdrawn_at=started - timedelta(minutes=1))
    assert 3 not in [row.number for row in lines(event)]


def test_players_are_ranked_from_the_first_hand_of_their_table() -> None:
    event = make_tournament(players=8, running=0)
    assert [(row.number, row.rank) for row in lines(event)] == [(number, None) for number in range(1, 9)]
    table = event.sessions.get(number=1).tables.get(number=1)
    play_hands(table, 1)
    seated = {seat.player.number for seat in table.seats.all()}
    assert {row.number for row in lines(event) if row.rank} == seated
    assert {row.number for row in lines(event)[:4]} == seated


def test_players_who_have_not_arrived_are_counted_without_a_rank() -> None:
    event = make_tournament(players=8, sessions=2)
    session = event.sessions.get(number=1)
    start_session(session, SYSTEM)
    Session.objects.update(started_at=timezone.now() - timedelta(minutes=20))
    table = session.tables.get(number=1)
    missing = table.seats.order_by("id")[0].player
    record_absence(table, SYSTEM, missing.number, uuid=uuid4())
    Absence.objects.update(since=timezone.now() - timedelta(minutes=20))
    seat_stand_in(table, SYSTEM, missing.number, "Kim")
    for table in session.tables.all():
        play_hands(table, 4)
    assert (lines(event)[-1].number, lines(event)[-1].rank) == (missing.number, None)
    assert overview(event).entered == 8
    assert [row.rank for row in lines(event)].count(None) == 1
    withdraw_player(missing, SYSTEM)
    assert overview(event).entered == 7
    assert missing.number not in [row.number for row in lines(event)]
