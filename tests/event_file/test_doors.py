"""The ways out and in: a command, a page, an address for programs; who may, and that it is written down."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.event_file.there import emptied
from tests.support.factories import PASSWORD, SYSTEM, make_member, make_tournament, make_user
from tests.support.registrations import confirmed, make_plan
from tournament.event_file.schema import published
from tournament.exchange.tournament_file import file_of
from tournament.exchange.transcript import load, play
from tournament.exchange.writing import transcript_of
from tournament.models import LogEntry, Membership, Role, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Tournament:
    """Somebody registered, a session was played; Odile owns it."""
    event = make_tournament(players=4, sessions=1, played=1)
    make_plan(event, places=8)
    confirmed(event, 1, message="Nuts!")
    make_member(event, Role.OWNER, "odile")
    event.refresh_from_db()
    return event


def signed_in(name: str) -> Client:
    client = Client()
    assert client.login(username=name, password=PASSWORD)
    return client


def gone(event: Tournament) -> bytes:
    """Its file, with nothing left of it here but somebody who may make tournaments."""
    content = file_of(event)
    emptied()
    make_user("olga", staff=True)
    return content


# --- out ------------------------------------------------------------------------------------------------------------
def test_its_owner_takes_it_from_a_page_and_the_log_says_so(event: Tournament) -> None:
    content = file_of(event)
    answer = signed_in("odile").post(reverse("organiser_take_file", args=[event.slug]), {"contacts": "on"})
    assert answer.content == content
    assert answer["Content-Disposition"] == 'attachment; filename="spring-open.hule.json"'
    entry = LogEntry.objects.latest("seq")
    assert (entry.action, entry.actor_name, entry.data) == ("tournament_taken", "odile", {"contacts": True})


def test_nobody_else_does(event: Tournament) -> None:
    make_member(event, Role.ORGANISER, "olga")
    for address in ("organiser_take_file", "api_tournament_file"):
        url = reverse(address, args=[event.slug])
        answer = signed_in("olga").post(url) if "organiser" in address else signed_in("olga").get(url)
        assert answer.status_code in (403, 404)
    assert not LogEntry.objects.filter(action="tournament_taken").exists()


def test_the_page_offers_it_to_its_owner_alone(event: Tournament) -> None:
    make_member(event, Role.ORGANISER, "olga")
    page = reverse("organiser_documents", args=[event.slug])
    take = reverse("organiser_take_file", args=[event.slug])
    assert take in signed_in("odile").get(page).content.decode()
    assert take not in signed_in("olga").get(page).content.decode()


def test_a_program_gets_it_without_what_people_can_be_reached_by(event: Tournament) -> None:
    answer = signed_in("odile").get(reverse("api_tournament_file", args=[event.slug]), {"contacts": "false"})
    data = json.loads(answer.content)
    one = data["registrations"][0]
    assert (one["email"], one["message"], one["answers"], data["letters"]) == ("", "", {}, [])
    assert one["last_name"]
    assert b"example.org" not in answer.content
    assert b"Nuts!" not in answer.content


def test_what_people_wrote_is_in_it_otherwise(event: Tournament) -> None:
    assert b"Nuts!" in file_of(event)


# --- in -------------------------------------------------------------------------------------------------------------
def test_a_program_brings_it(event: Tournament) -> None:
    content = gone(event)
    url = reverse("api_tournament_files")
    answer = signed_in("olga").post(url, content, content_type="application/json")
    assert (answer.status_code, answer.json()["slug"]) == (201, "spring-open")
    assert Membership.objects.get(role=Role.OWNER, user__username="olga").tournament.slug == "spring-open"
    again = signed_in("olga").post(f"{url}?slug=other", content, content_type="application/json")
    assert again.status_code == 422
    assert "Spring Open" in again.content.decode()


def test_who_makes_no_tournaments_brings_none(event: Tournament) -> None:
    content = gone(event)
    make_user("pia")
    url = reverse("api_tournament_files")
    assert signed_in("pia").post(url, content, content_type="application/json").status_code == 403
    assert signed_in("pia").get(reverse("organiser_from_file")).status_code == 403
    assert not Tournament.objects.exists()


def sent(client: Client, content: bytes) -> str:
    """The page after a file was sent."""
    file = SimpleUploadedFile("spring.hule.json", content)
    return client.post(reverse("organiser_from_file"), {"file": file}).content.decode()


def test_a_page_shows_it_first(event: Tournament) -> None:
    content = gone(event)
    client = signed_in("olga")
    page = sent(client, content)
    assert "Spring Open" in page
    assert not Tournament.objects.exists()
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    answer = client.post(reverse("organiser_from_file"), {"seen": seen, "slug": "spring-2026"})
    assert answer["Location"] == reverse("organiser_board", args=["spring-2026"])
    assert client.get(answer["Location"]).status_code == 200
    log = client.get(reverse("organiser_log", args=["spring-2026"])).content.decode()
    assert "odile" in client.get(reverse("organiser_staff", args=["spring-2026"])).content.decode()
    assert "Tournament made: Spring Open" in log


def test_who_brings_many_hands_while_tables_play_is_told_that_those_wait(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.selectors.arrivals.FELT_FROM", 1)
    content = gone(event)
    client = signed_in("olga")
    told = "A session is being played on this server."
    assert told not in sent(client, content)
    make_tournament(players=4, sessions=1, running=1, name="Autumn Open")
    assert (told in sent(client, content)) is (connection.vendor == "sqlite")
    monkeypatch.setattr("tournament.selectors.arrivals.FELT_FROM", 1000)
    assert told not in sent(client, content)


def test_an_address_that_is_taken_asks_for_another(event: Tournament) -> None:
    content = gone(event)
    make_tournament(players=4, drawn=False)
    client = signed_in("olga")
    page = sent(client, content)
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    for slug in ("spring-open", "new", "Ä b", ""):
        answer = client.post(reverse("organiser_from_file"), {"seen": seen, "slug": slug})
        assert answer.status_code == 422, slug
    assert client.post(reverse("organiser_from_file"), {"seen": seen, "slug": "spring-2"}).status_code == 302


def test_a_file_that_somebody_else_sent_is_not_found(event: Tournament) -> None:
    content = gone(event)
    page = sent(signed_in("olga"), content)
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    make_user("otto", staff=True)
    for name in (seen, "../../db.sqlite3", "0" * 64):
        answer = signed_in("otto").post(reverse("organiser_from_file"), {"seen": name, "slug": "mine"})
        assert answer["Location"] == reverse("organiser_from_file")
    assert not Tournament.objects.exists()


# --- by command -----------------------------------------------------------------------------------------------------
def test_a_command_writes_it_and_takes_it_in(event: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "spring.hule.json"
    call_command("tournament", "export", event.slug, str(file))
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_bytes() == gone(event)
    said = StringIO()
    call_command("tournament", "import", str(file), "--owner", "olga", "--slug", "other", stderr=said)
    assert "/t/other/" in said.getvalue()
    assert Membership.objects.filter(user__username="olga", role=Role.OWNER).exists()
    with pytest.raises(CommandError, match="here already: Spring Open"):
        call_command("tournament", "import", str(file), "--slug", "third")


def test_a_command_names_the_place_of_a_fault(event: Tournament, tmp_path: Path) -> None:
    data = json.loads(gone(event))
    data["players"][2]["number"] = "three"
    file = tmp_path / "spring.hule.json"
    file.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="/players/2/number: the field “number” is not a whole number"):
        call_command("tournament", "import", str(file))
    assert not Tournament.objects.exists()


def test_what_was_played_is_replayed_from_the_file(event: Tournament) -> None:
    played = play(load(file_of(event).decode()), SYSTEM)
    assert json.loads(transcript_of(played)) == json.loads(transcript_of(event))


def test_the_schema_is_at_an_address_for_everybody(client: Client) -> None:
    answer = client.get("/formats/hule-tournament-1.schema.json")
    assert answer["Content-Type"] == "application/schema+json"
    assert answer.content.decode() == published().read_text("utf-8")
