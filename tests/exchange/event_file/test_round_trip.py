"""A tournament leaves as a file and comes in the same in every figure, by a command, a page or a program; who may."""

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

from tests.exchange.event_file.conftest import elsewhere, emptied, full_event
from tests.support.factories import (
    PASSWORD,
    SYSTEM,
    evening,
    make_member,
    make_organiser,
    make_tournament,
    make_user,
)
from tests.support.registrations import confirmed, make_plan
from tests.support.rights import NOT_OF_AN_EVENT, RIGHTS
from tests.support.sampling import sample
from tests.support.scene import make_people, make_scene
from tournament.base import log
from tournament.base.access import Actor, Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Membership, Role, Tournament
from tournament.demo.generate import generate
from tournament.documents.exports.standings import standings_sheet
from tournament.exchange.audit import audit
from tournament.exchange.event_file.reading import published_schema, schema
from tournament.exchange.event_file.sections import SECTIONS
from tournament.exchange.event_file.tournament_file import import_tournament, serialize_tournament
from tournament.exchange.transcripts.transcript import load, play
from tournament.exchange.transcripts.writing import transcript_of
from tournament.people.services import link_several
from tournament.play.engine.statements import TotalsEntry
from tournament.play.services.totals import correct_totals, enter_totals
from tournament.players.services.players import withdraw_player
from tournament.ranking.selectors.standings import current_standings
from tournament.staff.services import give_role
from tournament.web.selectors import log_words

pytestmark = pytest.mark.stored
ENDS = {"events.delete_tournament", "privacy.delete_contacts", "events.create_tournament"}
"""After which there is less to look at."""
UNDONE = {
    *("events.remove_event_document", "screens.remove_puzzle", "mail.restore_letter"),
    *("privacy.erase_player", "privacy.erase_registration"),
}
"""Which take away what is to be looked at."""
assert RIGHTS.keys() >= ENDS | UNDONE


def standing(tournament: Tournament) -> list[tuple[Any, ...]]:
    rows = current_standings(tournament, Audience.STAFF).rows
    return [(row.rank, row.number, row.totals, row.sessions, row.withdrawn) for row in rows]


def sentences(tournament: Tournament) -> list[tuple[Any, ...]]:
    texts = log_words(tournament)
    entries = tournament.log.select_related("actor").order_by("seq")
    return [(entry.seq, entry.at, entry.actor_name, texts.sentence(entry), entry.hash) for entry in entries]


def findings(tournament: Tournament) -> list[str]:
    return [finding.what for finding in audit(tournament)]


class Leaving:
    """An event and its file, as it was before it left."""

    def __init__(self, tournament: Tournament) -> None:
        tournament.refresh_from_db()
        self.content = serialize_tournament(tournament)
        self.data = json.loads(self.content)
        self.sentences = sentences(tournament)
        self.before = standing(tournament), findings(tournament)

    def comes(self) -> Tournament:
        """The event elsewhere, where it is as it was."""
        jsonschema.validate(self.data, schema())
        again = elsewhere(self.content)
        assert log.first_broken_link(again) is None
        assert sentences(again) == self.sentences
        assert (standing(again), findings(again)) == self.before
        assert serialize_tournament(again) == self.content
        return again


@pytest.fixture
def busy() -> list[Leaving]:
    """Events in which everything was done that a service does, one after the other, as far as it was let."""
    scene = make_scene()
    people = make_people(scene)
    for name, (_, scenario) in RIGHTS.items():
        if name not in ENDS | UNDONE | NOT_OF_AN_EVENT.keys():
            with suppress(Refused, Forbidden, ObjectDoesNotExist, IntegrityError), transaction.atomic():
                scenario(scene)(people["owner"])
    events = (scene.tournament, scene.drawn, scene.between, full_event(), on_paper())
    return [Leaving(event) for event in events]


def on_paper() -> Tournament:
    """A table's totals, corrected once, and read again by somebody else."""
    event = make_tournament(players=4, sessions=1, running=0, name="On paper")
    table = event.sessions.get().tables.get()
    points = dict.fromkeys(table.seats.values_list("player__number", flat=True), 0)
    enter_totals(table, SYSTEM, TotalsEntry(points=points), uuid=uuid4())
    table.refresh_from_db()
    first, second, *_ = points
    misread = TotalsEntry(points=points | {first: 10, second: -10})
    correct_totals(table, SYSTEM, misread, reason="Misread", uuid=uuid4())
    return event


@pytest.mark.parametrize("event_of", [full_event, pytest.param(evening, marks=pytest.mark.thorough)])
def test_an_event_and_its_standings_on_paper_are_the_same(event_of: Callable[[], Tournament]) -> None:
    """But for the minute at which the sheet is made."""
    event = event_of()
    left, sheet = Leaving(event), standings_sheet(event, "a4")
    again = replace(standings_sheet(left.comes(), "a4"), made_at=sheet.made_at)
    page, page_again = (
        render_to_string("documents/standings.html", {"sheet": each}) for each in (sheet, again)
    )
    assert page_again == page


@pytest.mark.thorough
def test_everything_there_is(busy: list[Leaving]) -> None:
    sections = [section.name for section in SECTIONS]
    assert [name for name in sections if not any(left.data[name] for left in busy)] == ["extensions"]
    for left in busy:
        left.comes()


PAGES = """
    tournament ranking ranking_rows players_page statistics_page penalties_page fouls_page draw_page coming
    ceremony puzzles tournament_calendar api_standings api_timetable
"""


def public_pages(slug: str) -> dict[str, str]:
    """As a visitor gets them."""
    client = Client()
    addresses = [reverse(name, args=[slug]) for name in PAGES.split()]
    addresses += [reverse(name, args=[slug, 1]) for name in ("player_page", "session_page")]
    # Forms have a token of the moment, links to people the number of a person in one installation.
    keys = re.compile(r'(name="csrfmiddlewaretoken" value="|/people/)[\w-]+')
    return {address: keys.sub(r"\1", client.get(address).content.decode()) for address in addresses}


@pytest.mark.thorough
def test_public_pages_are_the_same() -> None:
    left = Leaving(full_event())
    before = public_pages(left.data["tournament"]["slug"])
    again = left.comes()
    for address, page in public_pages(again.slug).items():
        assert page == before[address], address


@pytest.mark.thorough
def test_who_brought_it_is_in_no_file_until_they_write() -> None:
    """Of an event that was never played."""
    left = Leaving(make_tournament(players=8, drawn=False))
    left.comes()
    emptied()
    olga = Actor.of(make_user("olga", staff=True))
    again = import_tournament(left.content, olga)
    assert serialize_tournament(again) == left.content
    withdraw_player(again.players.get(number=1), olga)
    again.refresh_from_db()
    data = json.loads(serialize_tournament(again))
    assert [account["name"] for account in data["staff"]] == ["olga"]
    assert [membership["role"] for membership in data["memberships"]] == ["owner"]


@pytest.mark.thorough
def test_a_file_finds_nobody_of_a_private_event_but_for_who_may_see_it() -> None:
    event = make_tournament(players=4, drawn=False, public=False)
    event.players.filter(number=1).update(ema_number="01234567")
    link_several(event, SYSTEM, {1: None})
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


def test_it_goes_on_from_place_to_place_and_everybody_keeps_their_name() -> None:
    """Accounts of two installations may have one number: whoever wrote under it is told by the entry."""
    first = make_tournament(players=4, drawn=False, actor=Actor.of(make_user("anna", staff=True)))
    content = serialize_tournament(first)
    emptied()
    second = import_tournament(content, SYSTEM)
    number = json.loads(content)["staff"][0]["account"]
    bert = User.objects.filter(pk=number).first() or User(pk=number)
    bert.username, bert.first_name = "bert", "Bert"
    bert.save()
    give_role(second, SYSTEM, bert, Role.OWNER)
    withdraw_player(second.players.get(number=1), Actor.of(bert))
    second.refresh_from_db()
    third = Leaving(second).comes()
    names = dict(third.log.values_list("seq", "actor__first_name"))
    assert (names[1], names[third.version]) == ("anna", "Bert")
    codes = third.log.filter(seq__in=(1, third.version)).values_list("actor_code", flat=True)
    assert set(codes) == {f"account:{number}"}


@pytest.mark.thorough
@pytest.mark.parametrize("name", sample(sorted(RIGHTS.keys() - ENDS), 8, always=UNDONE))
def test_each_thing_a_service_does(name: str) -> None:
    """What `test_everything_there_is` does one after the other, by itself; and what it leaves out."""
    scene = make_scene()
    owner = make_people(scene)["owner"]
    try:
        RIGHTS[name][1](scene)(owner)
    except (Refused, Forbidden):
        return
    for left in [Leaving(event) for event in (scene.tournament, scene.drawn, scene.between)]:
        left.comes()


@pytest.mark.thorough
def test_a_hundred_players() -> None:
    tournament = play(generate(100, 5, "1", date(2026, 11, 14), None), SYSTEM)
    Leaving(tournament).comes()


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
    content = serialize_tournament(event)
    emptied()
    make_user("olga", staff=True)
    return content


# --- out ------------------------------------------------------------------------------------------------------------
@pytest.mark.thorough
def test_its_owner_takes_it_from_a_page_and_the_log_says_so(event: Tournament) -> None:
    """Nobody else does, not even an organiser."""
    make_member(event, Role.ORGANISER, "olga")
    content, olga, odile = serialize_tournament(event), signed_in("olga"), signed_in("odile")
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
    played = play(load(serialize_tournament(event).decode()), SYSTEM)
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
    return client.post(reverse("organiser_from_file"), {"upload": seen, "slug": slug})


@pytest.mark.thorough
def test_a_page_shows_it_first_and_only_to_who_sent_it(event: Tournament) -> None:
    """An address that is taken asks for another."""
    content = gone(event)
    client = signed_in("olga")
    page = sent(client, content)
    assert "Spring Open" in page
    seen = page.partition('name="upload" value="')[2].partition('"')[0]
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
    monkeypatch.setattr("tournament.exchange.selectors.BLOCKING_HANDS", 1)
    content = gone(event)
    client = signed_in("olga")
    warning = "A session is being played on this server."
    assert warning not in sent(client, content)
    make_tournament(players=4, sessions=1, running=1, name="Autumn Open")
    assert (warning in sent(client, content)) is (connection.vendor == "sqlite")
    monkeypatch.setattr("tournament.exchange.selectors.BLOCKING_HANDS", 1000)
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
    with pytest.raises(CommandError, match="already exists here: Spring Open"):
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
    assert response.content.decode() == published_schema().read_text("utf-8")
