"""Players of one event who share a name have their number beside it, wherever a name is shown."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.support.factories import SYSTEM, edited, list_file, make_organiser, play_session
from tests.support.pages import organiser_url, page_text, visible_text
from tests.support.programs import Program
from tests.support.registrations import confirmed, make_plan
from tournament.base.engine.notices import Audience
from tournament.base.models.tournament import Tournament
from tournament.dues.models import Fee
from tournament.dues.services import set_fees
from tournament.play.selectors.organiser import Card, CardState
from tournament.play.selectors.tables import session_tables
from tournament.players.selectors.players import Entrant
from tournament.players.services.players import delete_player, edit_player, enter_list, undo_list
from tournament.privacy.services import erase_player
from tournament.ranking.exports import RANKING
from tournament.registration.services.admissions import enter_registered, undo_step
from tournament.screens.models import Ceremony
from tournament.screens.services import start_ceremony
from tournament.site.display import card_data

EVENT_WITH = {"players": 4, "sessions": 1}
ANNA, ALSO_ANNA = Entrant("Berg", "Anna"), Entrant("BERG", "anna")


def names(event: Tournament) -> list[str]:
    return [player.name for player in event.players.filter(number__gt=4)]


def is_erased(event: Tournament) -> None:
    player = event.players.get(number=6)
    erase_player(player, SYSTEM, name=player.full_name)


@pytest.mark.parametrize(
    "leaves",
    [
        lambda event: edit_player(edited(event.players.get(number=6), first_name="Ane"), SYSTEM),
        lambda event: delete_player(event.players.get(number=6), SYSTEM),
        lambda event: undo_list(event, SYSTEM, event.version, without={5}),
        is_erased,
    ],
    ids=["renamed", "deleted", "list undone", "erased"],
)
def test_a_number_is_shown_as_long_as_there_are_two(
    event: Tournament, leaves: Callable[[Tournament], None]
) -> None:
    enter_list(event, SYSTEM, [ANNA, ALSO_ANNA])
    assert names(event) == ["Anna Berg (5)", "anna BERG (6)"]
    leaves(event)
    assert names(event)[0] == "Anna Berg"


def test_who_registered_may_be_a_namesake(event: Tournament) -> None:
    enter_list(event, SYSTEM, [ANNA])
    make_plan(event)
    registration = confirmed(event, 1, last_name="Berg", first_name="Anna")
    enter_registered(event, SYSTEM, [registration.number], apart=[registration.number])
    assert names(event) == ["Anna Berg (5)", "Anna Berg (6)"]
    undo_step(event, SYSTEM, event.version)
    assert names(event) == ["Anna Berg"]


def test_everybody_reads_the_number_and_programs_the_plain_name(
    client: Client, umpire_client: Program, table_url: str, event: Tournament
) -> None:
    for number in (1, 2):
        edit_player(edited(event.players.get(number=number), first_name="Anna", last_name="Berg"), SYSTEM)
    seats = umpire_client.get(f"{table_url}desk/").json()["state"]["seats"]
    assert {seat["name"] for seat in seats if seat["player"] < 3} == {"Anna Berg (1)", "Anna Berg (2)"}
    play_session(event.sessions.get(), hands=1)
    ranking = page_text(client, "ranking")
    assert [f"Anna Berg ({number})" in ranking for number in (1, 2, 3)] == [True, True, False]
    lines = start_ceremony(event, SYSTEM, Ceremony.Kind.PLAYERS).lines
    assert {"Anna Berg (1)", "Anna Berg (2)"} <= {line["name"] for line in lines}
    file = list_file(RANKING, event, "csv").decode()
    assert ("Anna Berg" in file, "Anna Berg (1)" in file) == (True, False)


def test_registered_namesakes_are_told_apart_in_the_list(client: Client, event: Tournament) -> None:
    make_plan(event)
    set_fees(event, SYSTEM, [Fee(name="Adults", amount=40)])
    clubs = {1: "Aarhus", 2: "Ribe", 3: "Ribe"}
    for number, club in clubs.items():
        name = {"last_name": "Müller" if number < 3 else "Dahl", "first_name": "Anna", "country": "DNK"}
        confirmed(event, number, **name, club=club)
    client.force_login(make_organiser(event))
    text = visible_text(client.get(organiser_url(event, "people")).text)
    shown = [f"Anna {name}" in text for name in ("Müller Aarhus", "Müller Ribe", "Dahl Ribe")]
    assert shown == [True, True, False]


def test_a_number_is_not_cut_off_on_the_board(event: Tournament) -> None:
    for number in (1, 2):
        edit_player(edited(event.players.get(number=number), first_name="Anna", last_name="Berg"), SYSTEM)
    (table,) = session_tables(event.sessions.get(), Audience.STAFF)
    seats = card_data(Card(table, CardState.WAITING), event.slug).seats
    assert {(seat.name, seat.number) for seat in seats if seat.number} == {
        ("Anna Berg", "(1)"),
        ("Anna Berg", "(2)"),
    }
