"""An exported tournament is imported with every figure unchanged, by command, page and REST; and who may do so."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import jsonschema
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from tests.exchange.event_file.conftest import empty_installation, full_event, import_elsewhere
from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    edited,
    evening,
    make_member,
    make_organiser,
    make_tournament,
    make_user,
    record,
    wash_out,
)
from tests.support.html import element, read
from tests.support.registrations import confirmed, make_plan
from tests.support.rights import NOT_OF_AN_EVENT, RIGHTS
from tests.support.sampling import sample
from tests.support.scene import make_people, make_scene
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.engine.entries import PENDING, HandEntry
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.demo.generate import generate
from tournament.documents.exports.standings import standings_sheet
from tournament.exchange.audit import audit
from tournament.exchange.event_file.reading import published_schema, schema
from tournament.exchange.event_file.sections import SECTIONS
from tournament.exchange.selectors import serialize_tournament
from tournament.exchange.services import import_tournament
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.people.services import link_players
from tournament.play.engine.statements import TotalsEntry
from tournament.play.services.hands import correct_hand
from tournament.play.services.totals import correct_totals, enter_totals
from tournament.players.services.players import edit_player, withdraw_player
from tournament.ranking.selectors.standings import current_standings
from tournament.staff.services import give_role
from tournament.web.selectors import log_words

DELETING = {"events.delete_tournament", "privacy.delete_contacts", "events.create_tournament"}
"""Services that delete what is compared, or create another event."""
REMOVING = {
    *("events.remove_event_document", "screens.remove_puzzle", "mail.restore_letter"),
    *("privacy.erase_player", "privacy.erase_registration"),
}
"""Services that remove a row that others need; each is tested alone."""
assert RIGHTS.keys() >= DELETING | REMOVING


def standing(tournament: Tournament) -> list[tuple[Any, ...]]:
    rows = current_standings(tournament, Audience.STAFF).rows
    return [(row.rank, row.number, row.totals, row.sessions, row.withdrawn) for row in rows]


def sentences(tournament: Tournament) -> list[tuple[Any, ...]]:
    texts = log_words(tournament)
    entries = tournament.log.select_related("actor").order_by("seq")
    return [(entry.seq, entry.at, entry.actor_name, texts.sentence(entry), entry.hash) for entry in entries]


def findings(tournament: Tournament) -> list[str]:
    return [finding.text for finding in audit(tournament)]


class ExportedEvent:
    """The file of an event, and what the event was like when it was exported."""

    def __init__(self, tournament: Tournament) -> None:
        tournament.refresh_from_db()
        self.content = serialize_tournament(tournament, contacts=True)
        self.data = json.loads(self.content)
        self.sentences = sentences(tournament)
        self.before = standing(tournament), findings(tournament)

    def import_elsewhere(self) -> Tournament:
        """Import the file into an empty installation, and check that the event is unchanged."""
        jsonschema.validate(self.data, schema())
        imported = import_elsewhere(self.content)
        assert log.first_broken_link(imported) is None
        assert sentences(imported) == self.sentences
        assert (standing(imported), findings(imported)) == self.before
        assert serialize_tournament(imported, contacts=True) == self.content
        return imported


@pytest.fixture
def busy_events() -> list[ExportedEvent]:
    """Return events in which every service was called, as far as it is not refused."""
    scene = make_scene()
    people = make_people(scene)
    for name, (_, scenario) in RIGHTS.items():
        if name not in DELETING | REMOVING | NOT_OF_AN_EVENT.keys():
            with suppress(Refused, Forbidden, ObjectDoesNotExist, IntegrityError), transaction.atomic():
                scenario(scene)(people["owner"])
    events = (scene.tournament, scene.drawn, scene.between, full_event(), paper_event(), disputed_event())
    return [ExportedEvent(event) for event in events]


def paper_event() -> Tournament:
    """Return an event with totals from paper that were corrected once."""
    event = make_tournament(players=4, sessions=1, running=0, name="On paper")
    table = event.sessions.get().tables.get()
    points = dict.fromkeys(table.seats.values_list("player__number", flat=True), 0)
    enter_totals(table, SYSTEM, TotalsEntry(points=points), uuid=uuid4())
    table.refresh_from_db()
    first, second, *_ = points
    misread = TotalsEntry(points=points | {first: 10, second: -10})
    correct_totals(table, SYSTEM, misread, reason="Misread", uuid=uuid4())
    return event


def disputed_event() -> Tournament:
    """Return an event being played with a hand that was ruled on and one that is to be ruled on."""
    event = make_tournament(players=4, sessions=1, running=0, name="Disputed")
    table = event.sessions.get().tables.get()
    claim = HandEntry(PENDING, dispute="Both said hu.", claimants=(1,), tiles={"concealed": ["1m"]})
    for _ in range(2):
        record(table, claim)
    correct_hand(table.hands.get(number=1), SYSTEM, wash_out(), reason="Too late.", uuid=uuid4())
    return event


@pytest.mark.parametrize("event_of", [full_event, pytest.param(evening, marks=pytest.mark.thorough)])
def test_an_imported_event_has_the_same_standings_on_paper(event_of: Callable[[], Tournament]) -> None:
    """Except for the minute at which the sheet is printed."""
    event = event_of()
    exported, sheet = ExportedEvent(event), standings_sheet(event, "a4")
    imported = replace(standings_sheet(exported.import_elsewhere(), "a4"), made_at=sheet.made_at)
    page, page_again = (
        render_to_string("documents/standings.html", {"sheet": printed}) for printed in (sheet, imported)
    )
    assert page_again == page


def test_namesakes_are_marked_in_an_imported_event() -> None:
    event = make_tournament(players=4, drawn=False)
    for number in (1, 2):
        edit_player(edited(event.players.get(number=number), first_name="Anna", last_name="Berg"), SYSTEM)
    imported = ExportedEvent(event).import_elsewhere()
    assert [player.name for player in imported.players.all()][:2] == ["Anna Berg (1)", "Anna Berg (2)"]


@pytest.mark.stored
@pytest.mark.thorough
def test_events_with_rows_in_every_section_are_imported_unchanged(busy_events: list[ExportedEvent]) -> None:
    sections = [section.name for section in SECTIONS]
    assert [name for name in sections if not any(exported.data[name] for exported in busy_events)] == [
        "extensions"
    ]
    for exported in busy_events:
        exported.import_elsewhere()


PAGES = """
    tournament ranking ranking_rows players_page statistics_page penalties_page fouls_page draw_page participants
    ceremony puzzles tournament_calendar api_standings api_timetable
"""


def public_pages(slug: str) -> dict[str, str]:
    """Return URL → page as a visitor sees it."""
    client = Client()
    addresses = [reverse(name, args=[slug]) for name in PAGES.split()]
    addresses += [reverse(name, args=[slug, 1]) for name in ("player_page", "session_page")]
    # CSRF tokens and primary keys of people differ.
    keys = re.compile(r'(name="csrfmiddlewaretoken" value="|/people/)[\w-]+')
    return {address: keys.sub(r"\1", client.get(address).content.decode()) for address in addresses}


@pytest.mark.thorough
def test_public_pages_of_an_imported_event_are_the_same() -> None:
    exported = ExportedEvent(full_event())
    before = public_pages(exported.data["tournament"]["slug"])
    imported = exported.import_elsewhere()
    for address, page in public_pages(imported.slug).items():
        assert page == before[address], address


@pytest.mark.thorough
def test_the_importer_is_not_in_the_next_file_until_they_write() -> None:
    exported = ExportedEvent(make_tournament(players=8, drawn=False))
    exported.import_elsewhere()
    empty_installation()
    olga = Actor.of(make_user("olga", staff=True))
    imported = import_tournament(exported.content, olga)
    assert serialize_tournament(imported, contacts=True) == exported.content
    withdraw_player(imported.players.get(number=1), olga)
    imported.refresh_from_db()
    data = json.loads(serialize_tournament(imported))
    assert [account["name"] for account in data["staff"]] == ["olga"]
    assert [membership["role"] for membership in data["memberships"]] == ["owner"]


@pytest.mark.stored
@pytest.mark.thorough
def test_an_import_links_people_of_a_private_event_only_for_who_may_see_it() -> None:
    event = make_tournament(players=4, drawn=False, public=False)
    event.players.filter(number=1).update(ema_number="01234567")
    link_players(event, SYSTEM, {1: None})
    content, known = serialize_tournament(event), event.players.get(number=1).person
    mine, strange = Actor.of(make_organiser(event)), Actor.of(make_user("stranger", staff=True))
    LogEntry.objects.all().delete()  # an event is told by its log, and is brought in once
    there = import_tournament(content, strange, "there")
    LogEntry.objects.all().delete()
    here = import_tournament(content, mine, "here")
    new = there.players.get(number=1).person
    assert new is not None
    assert (new != known, new.ema_number) == (True, "01234567")
    assert here.players.get(number=1).person == known


@pytest.mark.stored
def test_names_in_the_log_survive_two_imports() -> None:
    """Accounts of two installations may have the same number; the entry tells them apart."""
    first = make_tournament(players=4, drawn=False, actor=Actor.of(make_user("anna", staff=True)))
    content = serialize_tournament(first)
    empty_installation()
    second = import_tournament(content, SYSTEM)
    number = json.loads(content)["staff"][0]["account"]
    bert = User.objects.filter(pk=number).first() or User(pk=number)
    bert.username, bert.first_name = "bert", "Bert"
    bert.save()
    give_role(second, SYSTEM, bert, Role.OWNER)
    withdraw_player(second.players.get(number=1), Actor.of(bert))
    second.refresh_from_db()
    third = ExportedEvent(second).import_elsewhere()
    names = dict(third.log.values_list("seq", "actor__first_name"))
    assert (names[1], names[third.version]) == ("anna", "Bert")
    codes = third.log.filter(seq__in=(1, third.version)).values_list("actor_code", flat=True)
    assert set(codes) == {f"account:{number}"}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", sample(sorted(RIGHTS.keys() - DELETING), 2, always=sample(sorted(REMOVING), 2))
)
def test_an_event_after_each_service_is_imported_unchanged(name: str) -> None:
    scene = make_scene()
    owner = make_people(scene)["owner"]
    try:
        RIGHTS[name][1](scene)(owner)
    except (Refused, Forbidden):
        return
    for exported in [ExportedEvent(event) for event in (scene.tournament, scene.drawn, scene.between)]:
        exported.import_elsewhere()


@pytest.mark.thorough
def test_an_event_of_forty_players_is_imported_unchanged() -> None:
    tournament = play(generate(40, 4, "1", date(2026, 11, 14), None), SYSTEM)
    ExportedEvent(tournament).import_elsewhere()


@pytest.fixture
def event() -> Tournament:
    """Return an event with a registration and a played session, owned by Odile."""
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


def export_and_empty(event: Tournament) -> bytes:
    """Return the event's file, in an installation that has only Olga, who may create tournaments."""
    content = serialize_tournament(event, contacts=True)
    empty_installation()
    make_user("olga", staff=True)
    return content


# --- Export ---
@pytest.mark.thorough
def test_only_the_owner_exports_on_a_page_and_it_is_logged(event: Tournament) -> None:
    make_member(event, Role.ORGANISER, "olga")
    content, olga, odile = serialize_tournament(event, contacts=True), signed_in("olga"), signed_in("odile")
    page = reverse("organiser_archive", args=[event.slug])
    export_url = reverse("organiser_tournament_file", args=[event.slug])
    assert export_url not in olga.get(page).content.decode()
    assert olga.post(export_url).status_code in (403, 404)
    assert olga.get(reverse("api_tournament_file", args=[event.slug])).status_code in (403, 404)
    assert not LogEntry.objects.filter(action="tournament_taken").exists()
    assert export_url in odile.get(page).content.decode()
    response = odile.post(export_url, {"contacts": "on"})
    assert response.content == content
    assert b"Nuts!" in content, "messages are exported"
    assert response["Content-Disposition"] == 'attachment; filename="spring-open.hule.json"'
    entry = LogEntry.objects.latest("seq")
    assert (entry.action, entry.actor_name, entry.data) == ("tournament_taken", "odile", {"contacts": True})


def test_no_export_has_contact_data_unless_asked_for(event: Tournament, tmp_path: Path) -> None:
    """Neither by the page, nor for a program, nor by the command; the rest of the file can be replayed."""
    file, odile = tmp_path / "spring.hule.json", signed_in("odile")
    call_command("tournament", "export", event.slug, str(file))
    exports = {
        "page": odile.post(reverse("organiser_tournament_file", args=[event.slug])).content,
        "program": odile.get(reverse("api_tournament_file", args=[event.slug])).content,
        "command": file.read_bytes(),
    }
    private = (b"example.org", b"Nuts!")
    assert [(name, text) for name, content in exports.items() for text in private if text in content] == []
    data = json.loads(exports["program"])
    assert (data["contact_data"], data["letters"], bool(data["registrations"][0]["last_name"])) == (
        False,
        [],
        True,
    )
    played = play(load(exports["program"].decode()), SYSTEM)
    assert json.loads(transcript_of(played)) == json.loads(transcript_of(event))


def test_contact_data_is_not_chosen_by_default(event: Tournament) -> None:
    tree = read(signed_in("odile").get(reverse("organiser_archive", args=[event.slug])))
    assert "checked" not in dict(element(tree, "input", name="contacts").attributes)


# --- Import ---
def test_only_accounts_that_may_create_tournaments_import_by_rest(event: Tournament) -> None:
    content = export_and_empty(event)
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


def upload_file(client: Client, content: bytes) -> str:
    """Return the page that follows an upload."""
    file = SimpleUploadedFile("spring.hule.json", content)
    return client.post(reverse("organiser_from_file"), {"file": file}).content.decode()


def submit_preview(client: Client, upload: str, slug: str) -> Any:
    return client.post(reverse("organiser_from_file"), {"upload": upload, "slug": slug})


@pytest.mark.thorough
def test_a_page_previews_an_upload_for_its_user_and_asks_for_a_free_address(event: Tournament) -> None:
    content = export_and_empty(event)
    client = signed_in("olga")
    page = upload_file(client, content)
    assert "Spring Open" in page
    upload = page.partition('name="upload" value="')[2].partition('"')[0]
    make_user("otto", staff=True)
    otto = signed_in("otto")
    for name in (upload, "../../db.sqlite3", "0" * 64):
        assert submit_preview(otto, name, "mine")["Location"] == reverse("organiser_from_file")
    assert not Tournament.objects.exists()
    make_tournament(players=4, drawn=False)
    for slug in ("spring-open", "new", "Ä b", ""):
        assert submit_preview(client, upload, slug).status_code == 422, slug
    board = submit_preview(client, upload, "spring-2026")["Location"]
    assert board == reverse("organiser_board", args=["spring-2026"])
    assert client.get(board).status_code == 200
    log = client.get(reverse("organiser_log", args=["spring-2026"])).content.decode()
    assert "odile" in client.get(reverse("organiser_staff", args=["spring-2026"])).content.decode()
    assert "Tournament created: Spring Open" in log


def test_the_preview_of_many_hands_warns_while_tables_play(
    event: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.exchange.selectors.BLOCKING_HANDS", 1)
    content = export_and_empty(event)
    client = signed_in("olga")
    warning = "A session is being played on this server."
    assert warning not in upload_file(client, content)
    make_tournament(players=4, sessions=1, running=1, name="Autumn Open")
    assert (warning in upload_file(client, content)) is (connection.vendor == "sqlite")
    monkeypatch.setattr("tournament.exchange.selectors.BLOCKING_HANDS", 1000)
    assert warning not in upload_file(client, content)


# --- Commands ---
def test_the_command_exports_and_imports_and_names_the_place_of_a_problem(
    event: Tournament, tmp_path: Path
) -> None:
    file = tmp_path / "spring.hule.json"
    call_command("tournament", "export", event.slug, str(file), "--contacts")
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_bytes() == export_and_empty(event)
    output = StringIO()
    call_command("tournament", "import", str(file), "--owner", "olga", "--slug", "other", stderr=output)
    assert "/t/other/" in output.getvalue()
    assert Membership.objects.filter(user__username="olga", role=Role.OWNER).exists()
    with pytest.raises(CommandError, match="already exists here: Spring Open"):
        call_command("tournament", "import", str(file), "--slug", "third")
    data = json.loads(file.read_bytes())
    data["players"][2]["number"] = "three"
    file.write_text(json.dumps(data))
    with pytest.raises(CommandError, match="/players/2/number: the field “number” is not a whole number"):
        call_command("tournament", "import", str(file))
    assert Tournament.objects.count() == 1


def test_everybody_can_read_the_schema(client: Client) -> None:
    response = client.get("/formats/hule-tournament-1.schema.json")
    assert response["Content-Type"] == "application/schema+json"
    assert response.content.decode() == published_schema().read_text("utf-8")
