"""Organiser's pages to create, change and delete a tournament, delete a player and undo a start."""

import json
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from penalties.engine import find_foul_book
from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_user,
    play_hands,
    play_session,
)
from tests.support.pages import address_of as at
from tests.support.pages import missing, organised, refused_page
from tournament.base.access import Actor
from tournament.base.engine.rules import Attendance, Credit, LastHand, rules_named
from tournament.base.models.play import Session
from tournament.base.models.registration import RegistrationPlan
from tournament.base.models.tournament import Role, Tournament
from tournament.base.selectors import event_page_of
from tournament.play.services.sessions import start_session
from tournament.seating.services.seatings import draw_seats

DATA = {
    "template": "open",
    "name": "Spring Open",
    "venue": "Salle des fêtes",
    "starts_on": "2026-11-14",
    "ends_on": "2026-11-15",
    "sessions_planned": "7",
    "minutes": "110",
    "time_zone": "Europe/Paris",
    "rulebook": "mcr",
    "is_public": "on",
}


@pytest.fixture
def olga(client: Client) -> Client:
    client.force_login(make_user(staff=True))
    return client


def test_a_tournament_is_created_with_one_form(olga: Client) -> None:
    make_tournament(players=0, name="Somebody else's")
    assert reverse("organiser_new") in olga.get(reverse("organiser_home")).text, (
        "a new user is led to the form"
    )
    response = olga.post(reverse("organiser_new"), DATA)
    tournament = Tournament.objects.get(name="Spring Open")
    assert response["Location"] == reverse("organiser_board", args=[tournament.slug])
    assert (tournament.sessions_planned, tournament.minutes, tournament.is_public) == (7, 110, True)
    membership = tournament.memberships.get()
    assert membership.role == Role.OWNER
    assert tournament.log.get().actor_name == Actor.of(membership.user).name
    page = olga.get(reverse("organiser_home")).text
    assert "Spring Open" in page
    assert "Someone else" not in page, "only own tournaments are listed"
    olga.post(reverse("organiser_new"), DATA | {"ends_on": "", "name": "New"})
    one_day = Tournament.objects.latest("pk")
    assert one_day.ends_on == one_day.starts_on
    assert one_day.slug == "new-2", "a reserved slug is not used"


def test_errors_are_shown_at_their_fields(olga: Client) -> None:
    """All at once, and no input is lost."""
    rounds: list[dict[str, tuple[str, str]]] = [
        {
            "name": ("", "Enter a name for the tournament."),
            "starts_on": ("14 November", "This is not a date"),
            "sessions_planned": ("0", "At least 1."),
            "minutes": ("100000", "At most 600."),
            "time_zone": ("Middle/Earth", ""),
            "rulebook": ("riichi", "is not one of the choices"),
        },
        {
            "name": ("x" * 121, "At most 120 characters"),
            "sessions_planned": ("many", "Enter a whole number in digits"),
        },
        {"ends_on": ("2026-11-13", "The last day comes before the first.")},
    ]
    for errors_of in rounds:
        data = {field: value for field, (value, _) in errors_of.items()}
        response = olga.post(reverse("organiser_new"), DATA | data)
        assert 'value="Salle des fêtes"' in refused_page(response)
        errors = response.context["form"].errors
        assert set(errors) == set(errors_of)
        assert [
            field for field, (_, sentence) in errors_of.items() if sentence not in " ".join(errors[field])
        ] == []
    assert not Tournament.objects.exists()


def change(client: Client, tournament: Tournament, **fields: str) -> Tournament:
    client.force_login(make_organiser(tournament, f"otto-{tournament.pk}"))
    data = {f"event-{name}": value for name, value in (DATA | fields).items()}
    client.post(reverse("organiser_event", args=[tournament.slug]), data)
    return Tournament.objects.get(pk=tournament.pk)


def test_the_draw_fixes_rulebook_and_number_of_sessions(client: Client) -> None:
    drawn = make_tournament(sessions=2)
    fields = {"rulebook": "mwt", "sessions_planned": "9"}
    changed = change(client, drawn, name="Autumn Open", is_public="", **fields)
    assert (changed.name, changed.is_public) == ("Autumn Open", False)
    assert (changed.rulebook, changed.sessions_planned) == ("mcr", 2)
    assert changed.rules_snapshot == drawn.rules_snapshot


def test_the_form_offers_rulebooks_with_fans_and_fouls_and_time_zones_and_has_hints(olga: Client) -> None:
    page = olga.get(reverse("organiser_new"))
    fields = page.context["form"].fields
    names = [name for _key, name in fields["rulebook"].choices]
    assert names == ["MCR", "MCR to the letter", "Botzone", "Guide to Mahjong"]
    assert missing(page.text, 'list="zones"', '<option value="Asia/Shanghai">') == []
    assert [name for name, field in fields.items() if not field.help_text] == []


def test_a_club_evening_begins_with_its_players_and_publishes_by_itself(olga: Client) -> None:
    names = "Ada Quist\n李小龙\nBen\nCy\nDee\nEva\nFay\nGus\n\n"
    fields = {"template": "club", "names": names, "players": "48", "sessions_planned": "1", "minutes": ""}
    response = olga.post(reverse("organiser_new"), DATA | fields)
    club = Tournament.objects.get()
    assert response["Location"].startswith(at(club, "organiser_draw_preview") + "?seed=")
    assert "Use this draw" in olga.get(response["Location"]).text
    assert (club.is_club_evening, club.appeal_minutes, club.minutes) == (True, 0, 90)
    assert [player.name for player in club.players.all()][:2] == ["Ada Quist", "李小龙"]
    assert not RegistrationPlan.objects.exists(), "48 is of another template"
    page = olga.get(at(club, "organiser_before")).text
    assert missing(page, "Draw the seats") == []
    assert at(club, "organiser_registration") not in page.split("<main")[0]
    draw_seats(club, SYSTEM, seed="one")
    play_session(club.sessions.get())
    assert club.publications.get().is_final


def test_wrong_names_of_a_club_evening_are_refused_beside_them(olga: Client) -> None:
    response = olga.post(reverse("organiser_new"), DATA | {"template": "club", "names": "x" * 300})
    assert "x" * 300 in refused_page(response)
    assert response.context["form"].errors.keys() == {"names"}
    assert not Tournament.objects.exists(), "nothing is stored"


@pytest.mark.parametrize(("template", "mers"), [("open", ""), ("ema", "ranked")])
def test_the_number_of_players_is_that_of_the_places(olga: Client, template: str, mers: str) -> None:
    olga.post(reverse("organiser_new"), DATA | {"template": template, "players": "48", "names": "Ada"})
    event = Tournament.objects.get()
    plan = RegistrationPlan.objects.get(tournament=event)
    assert (plan.places, plan.is_open, event.players.count()) == (48, False, 0)
    assert event_page_of(event).mers == mers


def test_an_ema_event_follows_the_mers_regulations(olga: Client) -> None:
    """Section 4 for stand-ins and disqualified players, 2.1 for the deposit."""
    olga.post(reverse("organiser_new"), DATA | {"template": "ema", "sessions_planned": ""})
    event = Tournament.objects.get()
    assert event.sessions_planned == {1: 4, 2: 6, 3: 9}[(event.ends_on - event.starts_on).days + 1]
    assert (event.foul_book, event.appeal_deposit) == ("mers", "€150")
    rules = event.rules
    assert rules.fouls == find_foul_book("mers")
    assert rules.play == replace(rules_named("mcr").play, last_hand=LastHand.FINISHED)
    assert rules.attendance == Attendance(stand_in=Credit.STAND_IN, disqualified_ranked=True)


def test_a_player_is_deleted_from_their_page(client: Client) -> None:
    tournament = organised(client, players=5, drawn=False)
    assert "Delete Håkan Dupont" in client.get(at(tournament, "organiser_person", "p5")).text
    page = client.post(at(tournament, "organiser_player_delete", 5), follow=True).text
    assert "Håkan Dupont has been deleted." in page
    assert 'id="p5"' not in page


def test_a_player_with_seats_cannot_be_deleted(client: Client) -> None:
    tournament = organised(client, players=8, sessions=1)
    page = client.get(at(tournament, "organiser_person", "p5")).text
    assert "Withdraw the player and reassign these sessions" in page
    assert at(tournament, "organiser_player_delete", 5) not in page
    response = client.post(at(tournament, "organiser_player_delete", 5), follow=True)
    assert response.redirect_chain[-1][0] == at(tournament, "organiser_person", "p5")
    assert tournament.players.filter(number=5).exists()


@pytest.mark.thorough
def test_the_deletion_page_needs_the_name_of_the_tournament(client: Client) -> None:
    tournament = organised(client, sessions=3, played=1, running=(3, 0, 1, 2), name="Evening of 16")
    here = at(tournament, "organiser_delete")
    page = client.get(at(tournament, "organiser_data"))
    contents = page.context["contents"]
    assert (contents.players, contents.sessions, contents.is_running) == (16, 2, True)
    assert contents.hands > 6
    refused = client.post(here, {"name": "Evening"})
    assert "This is not the name of the tournament: “Evening”." in refused_page(refused)
    page = client.post(here, {"name": tournament.name}, follow=True)
    assert page.redirect_chain[-1][0] == reverse("organiser_home")
    assert "Evening of 16 has been deleted." in page.text
    for gone in ("tournament", "ranking", "organiser_board"):
        assert client.get(at(tournament, gone)).status_code == 404


def test_the_transcript_is_available_after_a_session(client: Client) -> None:
    tournament = organised(client, players=8, sessions=2)
    transcript = at(tournament, "organiser_transcript")
    assert client.get(transcript).status_code == 404
    assert transcript not in client.get(at(tournament, "organiser_documents")).text
    play_session(tournament.sessions.get(number=1))
    response = client.get(transcript)
    assert response["Content-Disposition"] == 'attachment; filename="spring-open.json"'
    assert json.loads(response.content)["format"] == "hule-transcript"
    archive = client.get(at(tournament, "organiser_archive")).text
    assert "Sessions that are not closed are left out." in archive


@pytest.mark.thorough
def test_a_start_can_be_undone_until_a_hand_is_recorded(client: Client) -> None:
    tournament = organised(client, running=0)
    board, unstart = at(tournament, "organiser_board"), at(tournament, "organiser_session_start_undo", 1)
    assert "Started by mistake?" in client.get(board).text
    page = client.post(unstart, follow=True).text
    assert missing(page, "The start of session 1 has been undone.", "Start session 1") == []
    # The public page shows no scores of a session that has not begun.
    assert '<b class="num' not in client.get(at(tournament, "session_page", 1)).text
    session = start_session(tournament.sessions.get(number=1), SYSTEM)
    play_hands(session.tables.get(number=3))
    assert "Started by mistake?" not in client.get(board).text
    page = client.post(unstart, follow=True).text
    assert "Table 3 already has a hand, a penalty or an appeal" in page
    assert tournament.sessions.get(number=1).state == Session.State.RUNNING
