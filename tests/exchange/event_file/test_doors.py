"""The ways out and in: a command, a page, an address for programs; who may, and that it is written down."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.exchange.event_file.conftest import emptied
from tests.support.factories import PASSWORD, SYSTEM, make_member, make_tournament, make_user
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.exchange.event_file.format import published
from tournament.exchange.event_file.tournament_file import file_of
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of

pytestmark = pytest.mark.stored


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
@pytest.mark.thorough
def test_its_owner_takes_it_from_a_page_and_the_log_says_so(event: Tournament) -> None:
    """Nobody else does, not even an organiser."""
    make_member(event, Role.ORGANISER, "olga")
    content, olga, odile = file_of(event), signed_in("olga"), signed_in("odile")
    page = reverse("organiser_documents", args=[event.slug])
    take = reverse("organiser_take_file", args=[event.slug])
    assert take not in olga.get(page).content.decode()
    assert olga.post(take).status_code in (403, 404)
    assert olga.get(reverse("api_tournament_file", args=[event.slug])).status_code in (403, 404)
    assert not LogEntry.objects.filter(action="tournament_taken").exists()
    assert take in odile.get(page).content.decode()
    response = odile.post(take, {"contacts": "on"})
    assert response.content == content
    assert b"Nuts!" in content, "what people wrote is in it"
    assert response["Content-Disposition"] == 'attachment; filename="spring-open.hule.json"'
    entry = LogEntry.objects.latest("seq")
    assert (entry.action, entry.actor_name, entry.data) == ("tournament_taken", "odile", {"contacts": True})


@pytest.mark.thorough
def test_a_program_gets_it_without_what_people_can_be_reached_by(event: Tournament) -> None:
    """What was played is replayed from the file."""
    url = reverse("api_tournament_file", args=[event.slug])
    content = signed_in("odile").get(url, {"contacts": "false"}).content
    data = json.loads(content)
    registration = data["registrations"][0]
    assert [registration[name] for name in ("email", "message", "answers")] == ["", "", {}]
    assert (data["letters"], bool(registration["last_name"])) == ([], True)
    assert b"example.org" not in content
    assert b"Nuts!" not in content
    played = play(load(file_of(event).decode()), SYSTEM)
    assert json.loads(transcript_of(played)) == json.loads(transcript_of(event))


# --- in -------------------------------------------------------------------------------------------------------------
def test_a_program_brings_it_if_its_account_makes_tournaments(event: Tournament) -> None:
    content = gone(event)
    make_user("pia")
    url, olga, pia = reverse("api_tournament_files"), signed_in("olga"), signed_in("pia")
    assert pia.post(url, content, content_type="application/json").status_code == 403
    assert pia.get(reverse("organiser_from_file")).status_code == 403
    assert not Tournament.objects.exists()
    response = olga.post(url, content, content_type="application/json")
    assert (response.status_code, response.json()["slug"]) == (201, "spring-open")
    assert Membership.objects.get(role=Role.OWNER, user__username="olga").tournament.slug == "spring-open"
    again = olga.post(f"{url}?slug=other", content, content_type="application/json")
    assert (again.status_code, "Spring Open" in again.content.decode()) == (422, True)


def sent(client: Client, content: bytes) -> str:
    """The page after a file was sent."""
    file = SimpleUploadedFile("spring.hule.json", content)
    return client.post(reverse("organiser_from_file"), {"file": file}).content.decode()


def taken_in(client: Client, seen: str, slug: str) -> Any:
    return client.post(reverse("organiser_from_file"), {"seen": seen, "slug": slug})


@pytest.mark.thorough
def test_a_page_shows_it_first_and_only_to_who_sent_it(event: Tournament) -> None:
    """An address that is taken asks for another."""
    content = gone(event)
    client = signed_in("olga")
    page = sent(client, content)
    assert "Spring Open" in page
    seen = page.partition('name="seen" value="')[2].partition('"')[0]
    make_user("otto", staff=True)
    otto = signed_in("otto")
    for name in (seen, "../../db.sqlite3", "0" * 64):
        assert taken_in(otto, name, "mine")["Location"] == reverse("organiser_from_file")
    assert not Tournament.objects.exists()
    make_tournament(players=4, drawn=False)
    for slug in ("spring-open", "new", "Ä b", ""):
        assert taken_in(client, seen, slug).status_code == 422, slug
    board = taken_in(client, seen, "spring-2026")["Location"]
    assert board == reverse("organiser_board", args=["spring-2026"])
    assert client.get(board).status_code == 200
    log = client.get(reverse("organiser_log", args=["spring-2026"])).content.decode()
    assert "odile" in client.get(reverse("organiser_staff", args=["spring-2026"])).content.decode()
    assert "Tournament made: Spring Open" in log


def test_who_brings_many_hands_while_tables_play_is_told_that_those_wait(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.exchange.selectors.FELT_FROM", 1)
    content = gone(event)
    client = signed_in("olga")
    warning = "A session is being played on this server."
    assert warning not in sent(client, content)
    make_tournament(players=4, sessions=1, running=1, name="Autumn Open")
    assert (warning in sent(client, content)) is (connection.vendor == "sqlite")
    monkeypatch.setattr("tournament.exchange.selectors.FELT_FROM", 1000)
    assert warning not in sent(client, content)


# --- by command -----------------------------------------------------------------------------------------------------
def test_a_command_writes_it_and_takes_it_in(event: Tournament, tmp_path: Path) -> None:
    """Of a fault it names the place."""
    file = tmp_path / "spring.hule.json"
    call_command("tournament", "export", event.slug, str(file))
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_bytes() == gone(event)
    output = StringIO()
    call_command("tournament", "import", str(file), "--owner", "olga", "--slug", "other", stderr=output)
    assert "/t/other/" in output.getvalue()
    assert Membership.objects.filter(user__username="olga", role=Role.OWNER).exists()
    with pytest.raises(CommandError, match="here already: Spring Open"):
        call_command("tournament", "import", str(file), "--slug", "third")
    data = json.loads(file.read_bytes())
    data["players"][2]["number"] = "three"
    file.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="/players/2/number: the field “number” is not a whole number"):
        call_command("tournament", "import", str(file))
    assert Tournament.objects.count() == 1


def test_the_schema_is_at_an_address_for_everybody(client: Client) -> None:
    response = client.get("/formats/hule-tournament-1.schema.json")
    assert response["Content-Type"] == "application/schema+json"
    assert response.content.decode() == published().read_text("utf-8")
