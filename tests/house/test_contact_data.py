"""Contact data is shown to nobody but those who look after registrations: in no page, file, feed, answer or log line.

One word is seeded wherever contact data is kept, and looked for behind every address there is, so that a new one is
tested the day it is added.
"""

import logging
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from tests.house.addresses import filled_in
from tests.house.event import House
from tests.support.factories import SYSTEM
from tests.support.sampling import sample
from tournament.base.models.documents import DocumentJob
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.documents.exports.jobs import run
from tournament.messages.push.models import Phone
from tournament.privacy.kept import KEPT, Until, Whose
from tournament.privacy.services import delete_contacts, erase_registration

pytestmark = pytest.mark.django_db

WORD = "xyzzyplugh"
ADDRESS = f"{WORD}@mailbox.example"
NEVER = ("visitor", "player", "umpire elsewhere", "organiser elsewhere", "umpire")
"""Who has no right to look after the registrations of these events."""
OWN_ACCOUNT = re.compile("account|password|second_factor")
"""The names of addresses where people see their own data."""
LOOKED_AFTER = re.compile(r"registration|applicant|mail|letter|due|payment|check_in|desk_list|_data$")
"""The names of addresses where those with `Right.ADMIT` look after registrations."""


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
    Phone.objects.create(player=player, endpoint=endpoint, key=WORD, secret=WORD, language="en", since=now)


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
    of_the_other = house.urls(house.private, where=lambda _, entry: "slug" in filled_in(entry))
    return {
        (name, url)
        for name, url in (*house.urls(house.public), *of_the_other)
        if any(WORD.encode() in part.lower() for part in contents(client.get(url)))
    }


@pytest.mark.parametrize("role", sample(NEVER, 1))
@pytest.mark.thorough
def test_it_is_told_nobody_and_stands_in_no_line_of_the_server_s_log(
    house: House, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        telling = addresses_with_the_word(house.client(role), house)
    assert {url for name, url in telling if not OWN_ACCOUNT.search(name)} == set()
    assert WORD not in caplog.text.lower()


@pytest.mark.thorough
def test_who_looks_after_registrations_reads_it_there_and_nowhere_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        telling = addresses_with_the_word(house.client("organiser"), house)
    assert "organiser_player_data" in {name for name, _ in telling}
    elsewhere = {url for name, url in telling if not LOOKED_AFTER.search(name)}
    assert {url for url in elsewhere if "/account/" not in url} == set()
    assert not any(house.private.slug in url for _, url in telling)
    assert WORD not in caplog.text.lower()


def test_it_is_stored_where_it_is_declared_and_nowhere_else(house: House) -> None:
    declared = {
        (label, name)
        for label, rows in KEPT.items()
        for row in rows
        for name in row.fields
        if row.until in (Until.CONTACT, Until.WEEK) or (label, name) == ("auth.User", "email")
    }
    stored = {
        (label, name)
        for label in KEPT
        for row in apps.get_model(label)._default_manager.values()
        for name, value in row.items()
        if WORD in str(value).lower()
    }
    assert stored - declared == set()
    assert {("tournament.Registration", "email"), ("tournament.Mail", "to")} <= stored


def test_no_stream_tells_it(house: House) -> None:
    """The live stream says what the log's entries hold, and they hold none of it."""
    declined = house.public.registrations.get(number=2)
    erase_registration(declined, SYSTEM, name=declined.name)
    delete_contacts(house.private, SYSTEM)
    entries = LogEntry.objects.all()
    assert {"contacts_deleted", "erased_registration"} <= {entry.action for entry in entries}
    assert [entry for entry in entries if WORD in repr((entry.data, entry.texts)).lower()] == []


@pytest.mark.thorough
def test_no_document_has_it(house: House) -> None:
    for kind in DocumentJob.Kind.values:
        job = DocumentJob.objects.create(
            tournament=house.public, kind=kind, language="en", session=1, site="https://hule.example"
        )
        run(job.pk)
        job.refresh_from_db()
        assert job.state == "done", job.error
        with job.file.open("rb") as file:
            if kind == DocumentJob.Kind.SITE:
                with ZipFile(file) as site:
                    text = b"".join(map(site.read, site.namelist())).decode(errors="replace")
            else:
                text = "".join(page.extract_text() for page in PdfReader(file).pages)
        assert text, kind
        assert WORD not in text.lower(), kind
        job.file.delete()


def test_whoever_is_public_is_named_by_what_is_declared_public() -> None:
    """Beside results: name, country, club and team, and a number that the EMA publishes."""
    public = {
        name
        for label in ("tournament.Player", "tournament.Person", "tournament.Registration")
        for row in KEPT[label]
        if row.whose is Whose.PLAYER and row.is_public
        for name in row.fields
    }
    assert public == {
        *("first_name", "last_name", "country", "club", "team", "ema_number"),
        *("checked_in_at", "withdrawn_at", "is_substitute"),
    }
