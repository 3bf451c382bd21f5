"""What is kept back is told nowhere: contact data but to who needs it, and how a hidden session was played.

Every address is visited (they are read from the URL configuration, so that a new one is tested the day it is added),
the live stream is heard, the documents are fetched. One word is seeded wherever contact data is kept, and looked for.
Two tournaments that differ in how a hidden session was played look the same: one is written to oftener, at other times
and at other tables, so that nothing may count what happens there. They are played one after the other from the same
beginning, so that their addresses, rows and uuids are the same; only the clock tells them apart.
"""

import logging
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection, transaction
from django.test import Client
from django.urls import URLPattern
from django.utils import timezone
from pypdf import PdfReader

from penalties.engine import Points, PointScope, Sanction
from penalties.models import Penalty
from tests.documents.rendering import job_for
from tests.house.addresses import ADDRESSES, addresses, parameters_of
from tests.house.event import ANY_EVENT, House, client_for
from tests.support.factories import (
    SYSTEM,
    hand_entry,
    hand_uuid,
    make_card,
    make_tournament,
    play_session,
    wash_out,
    win,
)
from tests.support.sampling import sample
from tournament.base.engine.entries import HandEntry
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import LogEntry
from tournament.base.models.play import Session, Table
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import DRAFT_BUILDERS, run_job
from tournament.documents.exports.site.archive import build_site
from tournament.fouls.services.appeals import open_appeal, rule_appeal
from tournament.fouls.services.penalties import cancel_penalty, give_penalty
from tournament.live.app import entries_after, public_entries_after, versions_now
from tournament.live.hub import PUBLIC, Recipient, Room, Versions, Watcher
from tournament.messages.push.models import Phone
from tournament.people.services import link_players
from tournament.play.engine.statements import Accusation
from tournament.play.models import Call
from tournament.play.services.hands import correct_hand, record_hand
from tournament.play.services.sessions import accept_call, close_session, end_call, raise_call, start_session
from tournament.play.services.tables import hand_in, reopen, sign
from tournament.privacy.retention import RETENTION_RULES, DataSubject, Until
from tournament.privacy.services import delete_contacts, erase_registration
from tournament.ranking.services import hide_results, open_results, publish_standings
from tournament.screens.engine import Kind, Turn
from tournament.screens.models import Ceremony
from tournament.screens.services import add_screen, arrange_screen, start_ceremony

pytestmark = pytest.mark.django_db
WORD = "xyzzyplugh"
ADDRESS = f"{WORD}@mailbox.example"
NEVER = ("visitor", "player", "umpire elsewhere", "organiser elsewhere", "umpire")
"""Who has no right to look after the registrations of these events."""
OWN_ACCOUNT = re.compile("account|password|second_factor")
"""The names of addresses where people see their own data."""
LOOKED_AFTER = re.compile(
    r"registration|organiser_(people|person)|list_people|applicant|mail|letter|due|payment|check_in|desk_list|_data$"
)
"""The names of addresses where those with `Right.ADMIT` look after registrations."""

HIDDEN = 2
QUERIES = {
    "ranking": ("?why=1", "?q=a", "?country=CHN"),
    "ranking_rows": ("?why=1",),
    "draw_page": ("?by=table",),
    "players_page": ("?q=e",),
    "people": ("?q=e",),
    "player_page": ("?rank=1",),
    "statistics_page": (f"?session={HIDDEN}",),
    "penalties_page": ("?player=1", "?player=2", f"?session={HIDDEN}"),
}
"""What can be asked of a page besides its address."""

Play = Callable[[Table, int], HandEntry]
Seen = dict[str, tuple[int, str]]
"""Address, language → status and body."""


@pytest.fixture
def house(house: House) -> House:
    for event in (house.public, house.private):
        seed(event)
    for role in ("organiser", "umpire", "umpire elsewhere"):
        User.objects.filter(pk=house.people[role].pk).update(email=ADDRESS)
    return house


def seed(event: Tournament) -> None:
    """Somebody who plays said all there is to say, and was written to; so did somebody who was not let in."""
    player, now = event.players.get(number=1), timezone.now()
    names = {"first_name": player.first_name, "last_name": player.last_name, "name_shown": True}
    contact = {"email": ADDRESS, "message": WORD, "answers": {"1": WORD}}
    moments = {"made_at": now, "confirmed_at": now}
    texts = {"to": ADDRESS, "subject": WORD, "text": WORD, "error": WORD}
    for number, state, admitted in ((1, "accepted", player), (2, "declined", None)):
        registration = event.registrations.create(
            number=number, state=state, player=admitted, **names, **contact, **moments
        )
        registration.mails.create(tournament=event, letter="accepted", language="en", posted_at=now, **texts)
    endpoint = f"https://{WORD}.example/{event.pk}"
    Phone.objects.create(player=player, endpoint=endpoint, key=WORD, secret=WORD, language="en", used_at=now)


def contents(response: Any) -> Iterator[bytes]:
    """What an answer says: its headers, its body, and the files that are packed into it."""
    yield repr(sorted(response.headers.items())).encode()
    body = b"".join(response.streaming_content) if response.streaming and not response.is_async else b""
    body = body or (b"" if response.streaming else response.content)
    yield body
    if body.startswith(b"PK"):
        with ZipFile(BytesIO(body)) as packed:
            yield from (packed.read(name) for name in packed.namelist())


def addresses_with_the_word(client: Client, house: House) -> set[tuple[str, str]]:
    """(name, address) that say the word to this reader."""
    of_the_other = house.urls(house.private, where=lambda _, entry: "slug" in parameters_of(entry))
    return {
        (name, url)
        for name, url in (*house.urls(house.public), *of_the_other)
        if any(WORD.encode() in part.lower() for part in contents(client.get(url)))
    }


@pytest.mark.parametrize("role", sample(NEVER, 1))
@pytest.mark.thorough
def test_contact_data_is_hidden_from_others_and_never_logged(
    house: House, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        telling = addresses_with_the_word(house.client(role), house)
    assert {url for name, url in telling if not OWN_ACCOUNT.search(name)} == set()
    assert WORD not in caplog.text.lower()


@pytest.mark.thorough
def test_organisers_see_contact_data_only_on_pages_of_registrations(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        telling = addresses_with_the_word(house.client("organiser"), house)
    assert "organiser_person_data" in {name for name, _ in telling}
    elsewhere = {url for name, url in telling if not LOOKED_AFTER.search(name)}
    assert {url for url in elsewhere if "/account/" not in url} == set()
    assert not any(house.private.slug in url for _, url in telling)
    assert WORD not in caplog.text.lower()


def test_contact_data_is_stored_only_in_declared_fields(house: House) -> None:
    declared = {
        (label, name)
        for label, rows in RETENTION_RULES.items()
        for row in rows
        for name in row.fields
        if row.until in (Until.CONTACT, Until.WEEK) or (label, name) == ("auth.User", "email")
    }
    stored = {
        (label, name)
        for label in RETENTION_RULES
        for row in apps.get_model(label)._default_manager.values()
        for name, value in row.items()
        if WORD in str(value).lower()
    }
    assert stored - declared == set()
    assert {("tournament.Registration", "email"), ("tournament.Mail", "to")} <= stored


def test_log_entries_contain_no_contact_data(house: House) -> None:
    """The live stream says what the log's entries hold, and they hold none of it."""
    declined = house.public.registrations.get(number=2)
    erase_registration(declined, SYSTEM, name=declined.name)
    delete_contacts(house.private, SYSTEM)
    entries = LogEntry.objects.all()
    assert {"contacts_deleted", "erased_registration"} <= {entry.action for entry in entries}
    assert [entry for entry in entries if WORD in repr((entry.data, entry.texts)).lower()] == []


@pytest.mark.thorough
def test_no_document_contains_contact_data(house: House) -> None:
    """Before the layout, which adds nothing."""
    for kind, build in DRAFT_BUILDERS.items():
        text = build(job_for(house.public, kind)).text
        assert text, kind
        assert WORD not in text.lower(), kind
    site = b"".join(build_site(house.public).values()).decode(errors="replace")
    assert WORD not in site.lower()


def test_these_fields_of_players_are_public() -> None:
    """Beside results: name, country, club and team, a number that the EMA publishes, and whether they play on."""
    public = {
        name
        for label in ("tournament.Player", "tournament.Person", "tournament.Registration")
        for row in RETENTION_RULES[label]
        if row.subject is DataSubject.PLAYER and row.is_public
        for name in row.fields
    }
    assert public == {
        *(
            "first_name",
            "last_name",
            "second_name",
            "family_name_first",
            "country",
            "club",
            "team",
            "ema_number",
        ),
        *("checked_in_at", "withdrawn_at", "is_substitute", "excluded_as", "excluded_at"),
    }


def other_entry(table: Table, number: int) -> HandEntry:
    """Other winners, other discarders, other tiles; a wash-out where there was a win."""
    east, south, *_ = table.seats.order_by("id").values_list("player__number", flat=True)
    return wash_out() if number == 3 else win(south, east, "two_concealed_kongs")


def facts(name: str) -> UUID:
    return uuid5(NAMESPACE_URL, f"hule-tests/embargo/{name}")


HANDS = ((3, 3), (5, 4))
"""How many hands each of the two tables plays, by the way the session is played."""


def play_hidden(session: Session, play: Play, way: int) -> None:
    """The hidden session with everything that can be written there; `way` 0 or 1: who, for how much, and how often."""
    start_session(session, SYSTEM)
    for table, hands in zip(session.tables.all(), HANDS[way], strict=True):
        for number in range(1, hands + 1):
            record_hand(table, SYSTEM, play(table, number), number=number, uuid=hand_uuid(table, number))
    table = session.tables.get(number=1)
    first, second, *_ = table.seats.order_by("id").values_list("player__number", flat=True)
    mine = (first, second)[way]
    off_final_sum = Sanction(points=Points(20 + way, PointScope.TOURNAMENT))
    out = Sanction(loss_of_rank=True)
    fouls = (
        Accusation(mine, "false_hu", 1),
        Accusation(mine, "rules_violation", 2, details={"points": 5 + 5 * way}),
        Accusation(mine, "rules_violation", details={"points": 5}, imposed=off_final_sum, because="bad"),
        Accusation(mine, "rules_violation", details={"points": 5}, imposed=out, because="worse"),
    )
    for at, foul in enumerate(fouls):
        give_penalty(table, SYSTEM, foul, uuid=facts(f"penalty {at}"))
    third = table.hands.get(number=3, is_current=True)
    correct_hand(third, SYSTEM, play(table, 2), reason="misheard", uuid=facts("correction"))
    sign(table, SYSTEM, first)
    call = raise_call(table, SYSTEM, "tiles")
    appeal = open_appeal(table, SYSTEM, mine, "Hand 1.", uuid=facts("appeal"))
    rule_appeal(appeal, SYSTEM, granted=bool(way), ruling="So be it.")
    table = session.tables.get(number=2)
    objector = table.seats.order_by("id")[way].player.number
    open_appeal(table, SYSTEM, objector, "No.", uuid=facts("second appeal"))
    if way:
        play_more(session, call)


def play_more(session: Session, call: Call) -> None:
    """What only one of the two tournaments has."""
    first, second = session.tables.all()
    accept_call(call, SYSTEM)
    end_call(call, SYSTEM)
    hand = second.hands.get(number=4, is_current=True)
    correct_hand(hand, SYSTEM, wash_out(), reason="nobody won", uuid=facts("second correction"))
    cancel_penalty(Penalty.objects.get(uuid=facts("penalty 1")), SYSTEM, reason="It was another")
    for player in first.seats.order_by("id").values_list("player__number", flat=True):
        sign(first, SYSTEM, player)
    hand_in(first, SYSTEM)
    reopen(first, SYSTEM)
    hand_in(first, SYSTEM)


def finish(session: Session) -> None:
    """Close the hidden session and declare the standings after it, on paper too."""
    for table in session.tables.all():
        hand_in(table, SYSTEM)
    close_session(session, SYSTEM, reason="The appeal is ruled tonight")
    publish_standings(session.tournament, SYSTEM, reason="The appeal is ruled tonight")
    start_ceremony(session.tournament, SYSTEM, Ceremony.Kind.PLAYERS, 3)
    job = DocumentJob.objects.create(tournament=session.tournament, kind="standings", language="en")
    run_job(job.pk)


class Twin:
    """One of the two tournaments, as far as it is played, and what somebody finds of it."""

    def __init__(self, way: int, hidden: bool, *, over: bool) -> None:
        tournament = make_tournament(players=8, sessions=3)
        persons = [str(person.pk) for _, person in link_players(tournament, SYSTEM, {1: None, 2: None})]
        play_session(tournament.sessions.get(number=1), 2)
        publish_standings(tournament, SYSTEM)
        for kind in Kind:
            add_screen(tournament, SYSTEM, kind.value)
            arrange_screen(tournament, SYSTEM, kind.value, [Turn(kind, 60)])
        session = tournament.sessions.get(number=HIDDEN)
        hide_results(session, SYSTEM)
        play_hidden(session, (hand_entry, other_entry)[way], way)
        if over:
            finish(session)
        if not hidden:
            open_results(tournament, SYSTEM, reason="The appeal is ruled tonight")
        self.tournament = Tournament.objects.get(pk=tournament.pk)
        job = tournament.documents.order_by("-pk").first()
        self.kwargs = ANY_EVENT | {
            "slug": tournament.slug,
            "uuid": facts("penalty 0"),
            "penalty": facts("penalty 0"),
            "appeal": facts("appeal"),
            "job": job.pk if job else 1,
            "job_id": job.pk if job else 1,
            "call": 1,
            "pk": 1,
            "person": persons[0],
            "other": persons[1],
        }

    def visit(
        self, client: Client, language: str, pages: Iterable[tuple[str, URLPattern]] = ADDRESSES
    ) -> Seen:
        """These addresses, with every session, table, player and hand that could tell something."""
        return {
            f"{name} {url} {language}": (status, body)
            for name, entry in pages
            for url, status, body in self.answers(client, name, entry, language)
        }

    def answers(
        self, client: Client, name: str, entry: URLPattern, language: str
    ) -> Iterator[tuple[str, int, str]]:
        """Where the first answer is that one has to sign in, or to write, the others are not asked for."""
        counted = [key for key in COUNTED if key in parameters_of(entry)]
        for counts in product(*(COUNTED[key] for key in counted)):
            urls = addresses(entry, name, self.kwargs | dict(zip(counted, counts, strict=True)))
            for url, query in product(urls, ("", *QUERIES.get(name, ()))):
                status, body = self.look(client, url + query, language)
                yield url + query, status, body
                if status in (302, 401, 405):
                    return

    def look(self, client: Client, url: str, language: str) -> tuple[int, str]:
        response = client.get(url, headers={"Accept-Language": language})
        content = b"".join(response) if response.streaming else response.content
        is_pdf = response.headers.get("Content-Type", "") == "application/pdf"
        body = (
            "\n".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
            if is_pdf
            else content.decode(errors="replace")
        )
        # The hash has the microsecond in it.
        etag = re.sub(r"-[0-9a-f]{16}", "", response.headers.get("ETag", ""))
        filename = response.headers.get("Content-Disposition", "")
        return response.status_code, f"{etag} {filename}\n{without_moments(body)}"

    def live_stream(self) -> Seen:
        """As the public and as a card elsewhere hear it: whoever comes now, and whoever was there."""
        now = versions_now([self.tournament.pk])[self.tournament.pk]
        heard = {}
        for name, recipient in (("public", PUBLIC), ("card", Recipient(table=9))):
            late, early = (
                Room(recipient, now, public_entries_after(self.tournament.pk, 0)),
                Room(recipient, START, ()),
            )
            early.admit(there := Watcher(by_role=True), None)
            early.advance(now, entries_after(self.tournament.pk, 0))
            late.admit(coming := Watcher(by_role=True), 0)
            heard[f"live {name} there"] = (early.version, b"".join(there._frames).decode())
            heard[f"live {name} coming"] = (late.version, b"".join(coming._frames).decode())
        return heard


START = Versions(0, 0)
COUNTED: dict[str, Collection[Any]] = {
    "session": (1, 2),
    "number": sample(range(1, 9), 1, always=(1, 2)),
    "table": (1, 2),
    "hand": sample(range(1, 6), 1, always=(1,)),
    "screen": ("main", *(kind.value for kind in Kind)),
}
"""What is counted in addresses; a number is a player's, a session's or a table's, and each screen shows one kind."""
NOON = datetime(2026, 11, 14, 12, tzinfo=UTC)


def without_moments(body: str) -> str:
    """Without what differs at every visit, and the microsecond by which the two are told apart."""
    body = re.sub(r'(name="csrfmiddlewaretoken" value=|csrf[^"]{0,20}":\s?)"[^"]*"', "", body)
    return re.sub(r"(\d\d:\d\d:\d\d)\.00000\d", r"\1", body)


Differences = Callable[..., list[str]]


@pytest.fixture
def differences(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Differences:
    """Play both twins and look at them; return where they differ.

    Afterwards nothing of the first is left, so that the second has the same rows.
    """
    settings.MEDIA_ROOT = tmp_path

    def seen(look: Callable[[Twin], Seen], way: int, hidden: bool, over: bool) -> Seen:
        # A microsecond apart: what is kept of one, under its time of making, is never taken for the other.
        moment = NOON + timedelta(microseconds=way + 2 * hidden + 4 * over)
        monkeypatch.setattr(timezone, "now", lambda: moment)
        count_rows_from_the_beginning()
        with transaction.atomic():
            pages = look(Twin(way, hidden, over=over))
            transaction.set_rollback(True)
        return pages

    def compare(look: Callable[[Twin], Seen], *, hidden: bool = True, over: bool) -> list[str]:
        first, second = (seen(look, way, hidden, over) for way in (0, 1))
        assert first.keys() == second.keys()
        return sorted(address for address in first if first[address] != second[address])

    return compare


def count_rows_from_the_beginning() -> None:
    """PostgreSQL does not take back what it has counted when rows are."""
    models = apps.get_models(include_auto_created=True)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("over", "language"),
    [(False, "en"), *((True, language) for language in sample(("en", "zh-hans", "zh-hant"), 1))],
)
def test_a_visitor_cannot_tell_how_a_hidden_session_was_played(
    differences: Differences, over: bool, language: str
) -> None:
    pages = ADDRESSES if not over else sample(ADDRESSES, len(ADDRESSES) // 2)
    differing = differences(
        lambda twin: twin.visit(Client(), language, pages) | twin.live_stream(), over=over
    )
    assert differing == []


@pytest.mark.thorough
def test_the_holder_of_a_table_card_cannot_tell_how_a_hidden_session_was_played(
    differences: Differences,
) -> None:
    """The card lies where players sit: it opens its own table's desk, and nothing of the others."""
    by_card = differences(
        lambda twin: twin.visit(client_for(make_card(twin.tournament, 9)), "en", sample(ADDRESSES, 150)),
        over=False,
    )
    assert by_card == []


RESULTS = {
    *("tournament", "ranking", "ranking_rows", "ranking_teams", "ranking_teams_rows", "ranking_nations"),
    *("session_page", "table_page", "players_page", "player_page", "penalties_page"),
    *("api_standings", "api_standings_teams", "api_standings_nations", "api_table", "api_hands"),
    *("api_hand", "api_penalties", "document_file", "live", "screen"),
}
"""The names of addresses that tell how a session was played."""


@pytest.mark.thorough
def test_opened_results_differ_on_every_page_of_results(differences: Differences) -> None:
    """So that the tests above can fail."""
    pages = [(name, entry) for name, entry in ADDRESSES if name in RESULTS]
    places = differences(
        lambda twin: twin.visit(Client(), "en", pages) | twin.live_stream(), hidden=False, over=True
    )
    assert {place.split()[0] for place in places} == RESULTS
