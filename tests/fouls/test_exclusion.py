"""Penalties that exclude a player: no more wins, a stand-in or an empty seat, and the pages that show it."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import Sanction
from penalties.models import Penalty
from tests.support.checks import audit_is_clean, refused_codes
from tests.support.closing import players_at
from tests.support.factories import SYSTEM, make_organiser, make_tournament, record, wash_out, win
from tests.support.pages import missing
from tests.support.play import begin, end, tables_of
from tests.support.programs import Program
from tests.support.transcripts import replay_and_compare
from tournament.base.engine.notices import Audience
from tournament.base.engine.rules import Attendance, Credit
from tournament.base.models.people import Player
from tournament.base.models.play import Seat, Session, Table
from tournament.base.models.registration import Registration
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.standings import standings_columns
from tournament.events.services import delete_tournament
from tournament.exchange.services import export_tournament, import_tournament
from tournament.fouls.services.foul_book import set_attendance
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.people.selectors import censures_of
from tournament.people.services import link_players, reject_proposal
from tournament.play.api.state import state_of
from tournament.play.engine.statements import Accusation
from tournament.play.selectors.tables import table_now
from tournament.play.selectors.timetable import players_in
from tournament.play.services.absences import name_stand_in, seat_player_again, seat_stand_in
from tournament.play.services.hands import correct_hand
from tournament.play.services.sessions import close_session, start_session
from tournament.play.services.tables import hand_in
from tournament.players.selectors.players import entrant_of
from tournament.players.services.players import add_players, reinstate_player, replace_player, withdraw_player
from tournament.ranking.selectors.ranking import ranking
from tournament.ranking.selectors.standings import current_standings
from tournament.registration.services.admissions import add_registrations
from tournament.seating.services.corrections import unstart_session

SEVERE = "severe_disturbance"
EVENT_WITH = {"running": 1}
"""Session 1 is running, with one hand recorded at each table."""


@pytest.fixture
def table(event: Tournament) -> Table:
    return Table.objects.select_related("session__tournament").get(session__number=1, number=1)


def give(table: Table, player: int, foul: str = SEVERE, hand: int | None = 2, **more: Any) -> Penalty:
    return give_penalty(table, SYSTEM, Accusation(player, foul, hand, **more), uuid=uuid4())


def player(event: Tournament, number: int) -> Player:
    return event.players.get(number=number)


def second_session(event: Tournament) -> Session:
    return event.sessions.get(number=2)


def close_first_session(event: Tournament) -> None:
    """Hand in all tables of session 1, and close it."""
    end(tables_of(event.sessions.get(number=1)))


def test_a_disqualified_player_wins_no_hand_that_was_not_recorded_before(table: Table) -> None:
    """Seed 000: "a player may … be disqualified from the competition"."""
    offender, other, *_ = players_at(table)
    give(table, offender)
    assert refused_codes(record, table, win(offender, other)) == ["excluded_disqualification"]
    hand = record(table, win(other, offender))
    assert hand.number == 2, "the hand of the penalty is played out"
    late = win(offender, other)
    assert refused_codes(correct_hand, hand, SYSTEM, late, reason="seen", uuid=uuid4()) == [
        "excluded_disqualification"
    ]
    restraints = state_of(table, SYSTEM)["restraints"]
    assert {restraint["hand"] for restraint in restraints if restraint["barred"]} == set(range(2, 17))
    assert {seat["excluded"] for seat in state_of(table, SYSTEM)["seats"]} == {"", "Disqualified"}
    assert audit_is_clean()


def test_the_seat_of_a_disqualified_player_is_empty_until_a_stand_in_plays(table: Table) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender)
    record(table, wash_out())
    assert refused_codes(record, table, win(other, offender)) == ["seat_empty"]
    assert record(table, win(other)).absent == [offender]
    state = state_of(table, SYSTEM)
    assert {(row["hand"], row["player"]) for row in state["empty_seats"]} == {
        (hand, offender) for hand in range(3, 17)
    }
    seat_stand_in(table, SYSTEM, offender, "Kim")
    assert record(table, win(other, offender)).absent == []
    assert state_of(table, SYSTEM)["empty_seats"] == [row for row in state["empty_seats"] if row["hand"] == 3]
    assert audit_is_clean()


def test_a_penalty_for_a_recorded_hand_empties_the_seat_at_once(table: Table) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender, hand=1)
    assert refused_codes(record, table, win(other, offender)) == ["seat_empty"]


def test_a_hand_won_before_the_penalty_can_be_corrected(table: Table) -> None:
    offender, other, *_ = players_at(table)
    hand = record(table, win(offender, other))
    give(table, offender, hand=1)
    assert correct_hand(hand, SYSTEM, win(offender), reason="seen", uuid=uuid4()).winner is not None
    assert "excluded_disqualification" in refused_codes(record, table, win(offender))


def test_a_stand_in_may_win_and_a_cancelled_penalty_excludes_nobody(table: Table) -> None:
    offender, other, *_ = players_at(table)
    penalty = give(table, offender, hand=1)
    seat_stand_in(table, SYSTEM, offender, "Kim")
    assert refused_codes(seat_player_again, table, SYSTEM, offender) == ["excluded_disqualification"]
    assert record(table, win(offender, other)).number == 2
    cancel_penalty(penalty, SYSTEM, reason="It was another")
    assert player(table.session.tournament, offender).excluded_as == ""


def test_a_player_who_may_not_continue_keeps_a_rank(table: Table) -> None:
    """Seed 000: "the umpire shall decide whether he may continue to play"."""
    offender, other, *_ = players_at(table)
    penalty = give(
        table, offender, "knocked_tiles", hand=1, victim=other, details={"points": 20, "stopped": True}
    )
    assert (penalty.sanction["may_not_continue"], penalty.proposed) == (True, None)
    assert "excluded_may_not_continue" in refused_codes(record, table, win(offender))
    row = current_standings(Tournament.objects.get(), Audience.STAFF).find(offender)
    assert (row.rank is None, row.unranked_because) == (False, "")


@pytest.mark.parametrize("recorded", [0, 1])
def test_a_disqualified_player_by_the_mers_regulations(recorded: int) -> None:
    """Section 4: the substitute has no place in that session but in later ones, and the player ends last with 0."""
    event = make_tournament(sessions=2, running=recorded)
    set_attendance(event, SYSTEM, Attendance(stand_in=Credit.STAND_IN, disqualified_ranked=True))
    table = Table.objects.select_related("session__tournament").get(session__number=1, number=1)
    offender, *others = players_at(table)
    give(table, offender, hand=recorded + 1)
    seat_stand_in(table, SYSTEM, offender, "Kim")
    record(table, wash_out())
    end(tables_of(table.session))
    after_one = current_standings(Tournament.objects.get(), Audience.STAFF)
    assert sum(after_one.find(number).table_points for number in others) == 4 + 2 + 1
    seat = Seat.objects.select_related("table").get(table__session__number=2, player__number=offender)
    name_stand_in(seat.table, SYSTEM, offender, "Kim")
    begin(event, 2)
    record(seat.table, win(offender))
    rows = current_standings(Tournament.objects.get(), Audience.STAFF).rows
    in_session_2 = {row.number: row.sessions[1].table_points for row in rows if len(row.sessions) == 2}
    shares = [in_session_2[number] for number in players_at(seat.table) if number in in_session_2]
    assert sum(shares) == 2 + 1 + 0, "the substitute has won the table"
    last = rows[-1]
    assert (last.number, last.rank, last.table_points, last.game_points) == (offender, len(rows), 0, 0)
    assert last.unranked_because == "disqualification"
    assert audit_is_clean()


def test_the_next_session_does_not_start_without_a_stand_in_or_a_new_plan(
    event: Tournament, table: Table
) -> None:
    offender = players_at(table)[0]
    penalty = give(table, offender)
    close_first_session(event)
    session = second_session(event)
    assert refused_codes(start_session, session, SYSTEM) == ["seat_of_disqualified"]
    assert not players_in(event, 2).filter(number=offender).exists(), "a new plan leaves them out"
    name_stand_in(session.tables.get(seats__player__number=offender), SYSTEM, offender, "Kim")
    cancel_penalty(penalty, SYSTEM, reason="It was another")
    assert not session.tables.filter(seats__stand_in="Kim").exists(), "the player plays again"
    assert start_session(session, SYSTEM).state == Session.State.RUNNING


def test_a_session_with_an_empty_seat_has_no_lateness_and_no_place(event: Tournament, table: Table) -> None:
    offender = players_at(table)[0]
    give(table, offender)
    close_first_session(event)
    session = start_session(second_session(event), SYSTEM, empty=[offender])
    tables = tables_of(session)
    with_empty_seat = next(t for t in tables if t.seats.filter(player__number=offender).exists())
    others = [number for number in players_at(with_empty_seat) if number != offender]
    state = state_of(with_empty_seat, SYSTEM)
    assert (state["absences"], {row["too_early"] for row in state["empty_seats"]}) == ([], {""})
    assert record(with_empty_seat, win(others[0], others[1])).absent == [offender]
    for table in tables:
        if table != with_empty_seat:
            record(table, wash_out())
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM, reason="It is late.")
    assert current_standings(event, Audience.STAFF).find(offender).sessions[-1].place is None
    assert audit_is_clean()
    assert replay_and_compare(event).players.get(number=offender).excluded_as == "disqualification"


def test_a_start_with_an_empty_seat_is_undone(event: Tournament, table: Table) -> None:
    offender = players_at(table)[0]
    withdraw_player(player(event, offender), SYSTEM)
    close_first_session(event)
    start_session(second_session(event), SYSTEM, empty=[offender])
    unstart_session(second_session(event), SYSTEM)
    assert refused_codes(start_session, second_session(event), SYSTEM) == ["seat_is_vacant"]


def test_a_stand_in_replaces_the_player_in_every_seat(event: Tournament, table: Table) -> None:
    offender = players_at(table)[0]
    give(table, offender)
    assert refused_codes(replace_player, player(event, offender), SYSTEM, " ") == ["stand_in_name_missing"]
    replaced = replace_player(player(event, offender), SYSTEM, "Kim")
    assert replaced.is_withdrawn
    assert set(replaced.seats.values_list("stand_in", flat=True)) == {"Kim"}
    reinstate_player(replaced, SYSTEM)
    assert set(replaced.seats.values_list("stand_in", flat=True)) == {"Kim"}, "the penalty stands"


def test_pages_and_documents_say_why_there_is_no_rank(event: Tournament, table: Table) -> None:
    offender, other, *_ = players_at(table)
    give(table, offender)
    give(table, other, "cheating", imposed=Sanction(loss_of_rank=True))
    own_page = Client().get(reverse("player_page", args=[event.slug, offender]))
    assert missing(own_page.text, '<b class="huge">Disqualified</b>') == []
    assert own_page.context["page"].current is None
    for name, where, word in (
        ("ranking", [], "disqualified"),
        ("ranking", [], "loss of rank"),
        ("player_page", [offender], "disqualified"),
        ("player_page", [other], "loss of rank"),
        ("table_page", [1, 1], "disqualified"),
        ("session_page", [1], "disqualified"),
    ):
        text = Client().get(reverse(name, args=[event.slug, *where])).text
        assert missing(text, f'<span class="tag">{word}</span>') == [], (name, word)
    now = ranking(event, Audience.STAFF)
    place, names = standings_columns(now)[:2]
    printed = [(str(place.value(row)), names.value(row).tags) for row in now.rows]
    assert {("", ("disqualified",)), ("", ("loss of rank",))} <= set(printed), "in the PDF"


def test_the_page_of_a_penalty_offers_to_withdraw_and_to_name_a_stand_in(
    olga: Client, event: Tournament, table: Table
) -> None:
    offender = players_at(table)[0]
    query = f"?player={offender}&session=1&foul={SEVERE}"
    page = olga.post(
        reverse("organiser_penalty_new", args=[event.slug]) + query,
        {"uuid": str(uuid4()), "hand_number": "2"},
        follow=True,
    ).text
    assert missing(page, "Results of the other three", "Withdraw with a stand-in") == []
    olga.post(reverse("organiser_player_withdraw", args=[event.slug, offender]), {"stand_in": "Kim"})
    assert player(event, offender).is_withdrawn
    close_first_session(event)
    board = reverse("organiser_session", args=[event.slug, 2])
    assert "Leave these seats empty" not in olga.get(board).text
    event.players.get(number=offender).seats.update(stand_in="")
    assert "Leave these seats empty" in olga.get(board).text
    olga.post(reverse("organiser_session_start", args=[event.slug, 2]), {"empty": [str(offender)]})
    assert second_session(event).state == Session.State.RUNNING


def test_programs_withdraw_with_a_stand_in_and_start_with_an_empty_seat(
    organiser_client: Program, event: Tournament, table: Table, event_url: str
) -> None:
    offender, other, *_ = players_at(table)
    for number in (offender, other):
        give(table, number)
    answer = organiser_client.post(f"{event_url}players/{offender}/withdrawal/", {"stand_in": "Kim"})
    assert (answer.json()["withdrawn"], answer.json()["excluded_as"]) == (True, "disqualification")
    close_first_session(event)
    start = f"{event_url}sessions/2/start/"
    assert organiser_client.post(start).status_code == 422
    assert organiser_client.post(start, {"empty": [other]}).status_code == 200


@pytest.mark.stored
def test_a_tournament_file_has_the_exclusion(event: Tournament, table: Table) -> None:
    offender = players_at(table)[0]
    give(table, offender)
    file = export_tournament(event, SYSTEM, contacts=False)
    delete_tournament(event, SYSTEM, name=event.name)
    imported = import_tournament(file, SYSTEM)
    assert player(imported, offender).excluded_as == "disqualification"


BAN = Sanction(disqualification=True, ban=True)


@pytest.mark.stored
def test_a_ban_is_found_when_the_person_enters_another_tournament(
    olga: Client, event: Tournament, table: Table
) -> None:
    offender = players_at(table)[0]
    give(table, offender, "cheating", imposed=BAN)
    other = make_tournament(players=0, name="Autumn Open")
    entered = add_players(other, SYSTEM, [entrant_of(player(event, offender))])[0]
    [[censure]] = censures_of([entered], SYSTEM, other)
    assert (censure.parts, bool(censure.reasons)) == (["ban"], True)
    link_players(event, SYSTEM, {offender: None})
    person = player(event, offender).person
    assert person is not None
    reject_proposal(entered, SYSTEM, person)
    assert censures_of([entered], SYSTEM, other) == [[]], "marked as another person"
    entered.rejected_people.all().delete()
    link_players(other, SYSTEM, {entered.number: person.pk})
    entered.refresh_from_db()
    [[censure]] = censures_of([entered], SYSTEM, other)
    assert censure.reasons == (), "linked to the same person"
    cancel_penalty(censure.penalty, SYSTEM, reason="It was another")
    assert censures_of([entered], SYSTEM, other) == [[]]


def test_organisers_see_the_penalty_of_a_player_who_is_entered_or_registers(
    client: Client, event: Tournament, table: Table
) -> None:
    offender = players_at(table)[0]
    give(table, offender)
    other = make_tournament(players=0, name="Autumn Open")
    facts = entrant_of(player(event, offender))
    client.force_login(make_organiser(other))
    entered = {"last_name": facts.last_name, "first_name": facts.first_name, "country": facts.country}
    add_registrations(other, SYSTEM, [Registration(**entered)])
    client.post(
        f"{reverse('organiser_person_new', args=[other.slug])}?as=players",
        entered | {"is_another_person": "on"},
    )
    for name, where in (
        ("organiser_people", []),
        ("organiser_person", ["p1"]),
        ("organiser_person", ["r1"]),
    ):
        text = client.get(reverse(name, args=[other.slug, *where])).text
        assert "Open criticism: Severe disturbance, Spring Open" in text, name
    Tournament.objects.filter(pk=event.pk).update(is_public=False)
    assert "Open criticism" not in client.get(reverse("organiser_people", args=[other.slug])).text


def test_the_seat_of_an_excluded_player_has_a_tag(table: Table) -> None:
    offender = players_at(table)[0]
    give(table, offender, hand=None)
    seat = table_now(Table.objects.get(pk=table.pk), Audience.STAFF).seat_of(offender)
    assert str(seat.player.get_excluded_as_display()) == "disqualified"
    assert refused_codes(record, table, win(offender)) == ["excluded_disqualification"], "the next hand"
