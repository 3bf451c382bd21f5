"""Who is counted and who is ranked: one definition, one number everywhere."""

import json
from datetime import date, timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl import load_workbook

from tests.support.factories import SYSTEM, entrant, make_organiser, make_tournament, play_hands, play_session
from tournament.access import Actor, Audience
from tournament.documents.standings import standings_sheet as paper
from tournament.engine.screens import Kind
from tournament.engine.standings import Standing
from tournament.exchange.lists import Asked, list_named, written
from tournament.models import Absence, Player, Session, Tournament
from tournament.selectors.front_page import Wanted, shelves
from tournament.selectors.my_tournaments import my_tournaments
from tournament.selectors.public import overview
from tournament.selectors.ranking import ranking
from tournament.selectors.roll import roll_of
from tournament.selectors.screens import find_screen, programme_of
from tournament.selectors.standings import current_standings
from tournament.services.absences import note_absence, seat_stand_in
from tournament.services.players import add_players, withdraw_player
from tournament.services.sessions import start_session


def fresh(event: Tournament) -> Tournament:
    return Tournament.objects.get(pk=event.pk)


def lines(event: Tournament) -> tuple[Standing, ...]:
    return current_standings(fresh(event), Audience.STAFF).rows


def numbers_of_players(event: Tournament, client: Client) -> dict[str, int]:
    """How many players there are, wherever it is said."""
    event, actor = fresh(event), Actor.of(make_organiser(event))
    screen = find_screen(event, "main")
    assert screen is not None
    pages = programme_of(screen, timezone.now()).pages
    rows = json.loads(client.get(reverse("api_standings", args=[event.slug])).content)["rows"]
    sheet = load_workbook(
        BytesIO(written(list_named("ranking"), Asked(event, Audience.PUBLIC, SYSTEM), "xlsx"))
    ).worksheets[0]
    people = client.get(reverse("players_page", args=[event.slug])).text
    counts = {
        "tournament": overview(event).entered,
        "home": shelves(actor, date(2026, 11, 14), Wanted())[0].tournaments[0].entered,  # type: ignore[attr-defined]
        "mine": my_tournaments(actor).get().player_count,  # type: ignore[attr-defined]
        "roll": roll_of(event).entered,
        "ranking": len(ranking(event, Audience.PUBLIC).rows),
        "REST": len(rows),
        "spreadsheet": sheet.max_row - 1,
        "paper": int(paper(event, "a4").size.split()[0]),
        "players page": int(people.split('<small class="quiet">')[1].split("<")[0]),
    }
    assert pages[Kind.RANKING] == 1, "sixteen lines are one page of the projector, seventeen are two"
    return counts


@pytest.mark.thorough
def test_who_withdrew_before_playing_is_counted_nowhere(client: Client) -> None:
    event = make_tournament(players=16, sessions=2)
    add_players(event, SYSTEM, [entrant(17)])
    withdraw_player(event.players.get(number=17), SYSTEM)
    play_session(event.sessions.get(number=1))
    assert set(numbers_of_players(event, client).values()) == {16}
    assert (roll_of(event).withdrawn, roll_of(event).left) == (1, 0)
    assert 17 not in [row.number for row in lines(event)]
    assert "withdrawn" in client.get(reverse("player_page", args=[event.slug, 17])).text


def test_who_left_after_playing_is_counted_everywhere_and_keeps_a_rank(client: Client) -> None:
    event = make_tournament(players=16, sessions=2, played=1)
    withdraw_player(event.players.get(number=3), SYSTEM)
    assert set(numbers_of_players(event, client).values()) == {16}
    assert (roll_of(event).entered, roll_of(event).players, roll_of(event).left) == (16, 15, 1)
    assert all(row.rank for row in lines(event))


def test_a_seat_that_somebody_else_took_is_not_having_played() -> None:
    event = make_tournament(players=16, sessions=2, played=1)
    started = event.sessions.get(number=1).started_at
    assert started is not None
    Player.objects.filter(number=3).update(withdrawn_at=started - timedelta(minutes=1))
    assert 3 not in [row.number for row in lines(event)]


def test_a_rank_begins_with_the_first_hand_at_the_table() -> None:
    event = make_tournament(players=8, running=0)
    assert [(row.number, row.rank) for row in lines(event)] == [(number, None) for number in range(1, 9)]
    table = event.sessions.get(number=1).tables.get(number=1)
    play_hands(table, 1)
    seated = {seat.player.number for seat in table.seats.all()}
    assert {row.number for row in lines(event) if row.rank} == seated
    assert {row.number for row in lines(event)[:4]} == seated


def test_who_has_come_to_no_table_yet_is_counted_without_a_rank_until_they_withdraw() -> None:
    event = make_tournament(players=8, sessions=2)
    session = event.sessions.get(number=1)
    start_session(session, SYSTEM)
    Session.objects.update(started_at=timezone.now() - timedelta(minutes=20))
    table = session.tables.get(number=1)
    missing = table.seats.order_by("id")[0].player
    note_absence(table, SYSTEM, missing.number, uuid=uuid4())
    Absence.objects.update(since=timezone.now() - timedelta(minutes=20))
    seat_stand_in(table, SYSTEM, missing.number, "Kim")
    for each in session.tables.all():
        play_hands(each, 4)
    assert (lines(event)[-1].number, lines(event)[-1].rank) == (missing.number, None)
    assert overview(event).entered == 8
    assert [row.rank for row in lines(event)].count(None) == 1
    withdraw_player(missing, SYSTEM)
    assert overview(event).entered == 7
    assert missing.number not in [row.number for row in lines(event)]
