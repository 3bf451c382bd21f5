"""Taking back what was a mistake: a player, a whole tournament, a start."""

import json

from django.test import Client
from django.urls import reverse

from tests.support.factories import SYSTEM, make_organiser, make_tournament, play_hands, play_session
from tournament.models import Session, Tournament
from tournament.services.players import withdraw_player
from tournament.services.sessions import start_session


def at(tournament: Tournament, name: str, *where: int) -> str:
    return reverse(name, args=[tournament.slug, *where])


def sign_in(client: Client, tournament: Tournament) -> Client:
    client.force_login(make_organiser(tournament))
    return client


def test_a_player_is_deleted_from_their_page(client: Client) -> None:
    tournament = make_tournament(players=5, drawn=False)
    sign_in(client, tournament)
    assert "Delete Håkan Dupont" in client.get(at(tournament, "organiser_player", 5)).text
    page = client.post(at(tournament, "organiser_player_delete", 5), follow=True).text
    assert "Håkan Dupont is deleted." in page
    assert 'id="p5"' not in page


def test_who_cannot_be_deleted_is_told_why_and_what_to_do(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=1)
    sign_in(client, tournament)
    page = client.get(at(tournament, "organiser_player", 5)).text
    assert "Withdraw the player and plan these sessions again" in page
    assert at(tournament, "organiser_player_delete", 5) not in page
    response = client.post(at(tournament, "organiser_player_delete", 5), follow=True)
    assert response.redirect_chain[-1][0] == at(tournament, "organiser_player", 5)
    assert tournament.players.filter(number=5).exists()


def test_a_tournament_is_deleted_by_who_types_its_name(client: Client) -> None:
    tournament = make_tournament(sessions=3, played=1, running=(3, 0, 1, 2), name="Evening of 16")
    sign_in(client, tournament)
    assert at(tournament, "organiser_delete") in client.get(at(tournament, "organiser_settings")).text
    here = at(tournament, "organiser_delete")
    page = client.get(here)
    contents = page.context["contents"]
    assert (contents.players, contents.sessions, contents.is_running) == (16, 2, True)
    assert contents.hands > 6
    for offered in ("organiser_transcript", "ranking_sheet", "organiser_players_sheet", "api_log"):
        assert at(tournament, offered) in page.text
    refused = client.post(here, {"name": "Evening"})
    assert refused.status_code == 422
    assert "This is not the name of the tournament: “Evening”." in refused.text
    page = client.post(here, {"name": tournament.name}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("organiser_home")
    assert "Evening of 16 is deleted." in page.text
    for gone in ("tournament", "ranking", "organiser_board"):
        assert client.get(at(tournament, gone)).status_code == 404


def test_the_transcript_comes_as_a_file_once_a_session_is_closed(client: Client) -> None:
    tournament = make_tournament(players=8, sessions=2)
    sign_in(client, tournament)
    transcript = at(tournament, "organiser_transcript")
    assert client.get(transcript).status_code == 404
    assert transcript not in client.get(at(tournament, "organiser_delete")).text
    play_session(tournament.sessions.get(number=1))
    response = client.get(transcript)
    assert response["Content-Disposition"] == 'attachment; filename="spring-open.json"'
    assert json.loads(response.content)["format"] == "hule-transcript"
    documents = client.get(at(tournament, "organiser_documents")).text
    assert "Sessions that are not closed are left out of it." in documents


def test_a_start_by_mistake_is_taken_back_on_the_board_until_a_hand_is_recorded(client: Client) -> None:
    tournament = make_tournament(running=0)
    sign_in(client, tournament)
    board, unstart = at(tournament, "organiser_board"), at(tournament, "organiser_session_unstart", 1)
    assert "Begun by mistake?" in client.get(board).text
    page = client.post(unstart, follow=True).text
    assert "Session 1 has not begun after all." in page
    assert "Start session 1" in page
    # nothing was played: nobody's public page shows a score of a table that has not begun
    assert '<b class="num' not in client.get(at(tournament, "session_page", 1)).text
    session = start_session(tournament.sessions.get(number=1), SYSTEM)
    play_hands(session.tables.get(number=3))
    assert "Begun by mistake?" not in client.get(board).text
    page = client.post(unstart, follow=True).text
    assert "on record at table 3, so the session stays begun." in page
    assert tournament.sessions.get(number=1).state == Session.State.RUNNING


def test_a_list_that_changed_leads_to_the_same_plan_under_the_same_name(client: Client) -> None:
    tournament = make_tournament(players=12, sessions=3, played=1)
    for number in (1, 2, 3, 4):
        withdraw_player(tournament.players.get(number=number), SYSTEM)
    sign_in(client, tournament)
    for page in ("organiser_players", "organiser_draw", "organiser_board"):
        text = client.get(at(tournament, page)).text
        assert text.count("See the new plan") == 1, page
        assert f'href="{at(tournament, "organiser_replan")}"' in text, page
        assert "Draw again" not in text, page
