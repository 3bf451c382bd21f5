"""Contact data is shown to nobody but those who look after registrations: in no page, file, feed, answer or log line.

One word is seeded wherever contact data is kept, and looked for behind every address there is, so that a new one is
tested the day it is added.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from zipfile import ZipFile

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pypdf import PdfReader

from tests.house.addresses import ADDRESSES, addresses, filled_in
from tests.house.event import House
from tests.house.test_permissions import roles
from tests.support.factories import SYSTEM
from tournament.documents.jobs import run
from tournament.models import DocumentJob, LogEntry, Mail, Phone, Registration, Tournament
from tournament.models.kept import KEPT, Until, Whose
from tournament.services.contacts import delete_contacts
from tournament.services.erasing import erase_registration

pytestmark = pytest.mark.django_db

WORD = "xyzzyplugh"
ADDRESS = f"{WORD}@mailbox.example"
NEVER = ("visitor", "player", "umpire elsewhere", "organiser elsewhere", "umpire")
"""Who has no right to look after the registrations of these events."""
LOOKED_AFTER = re.compile(r"registration|applicant|mail|letter|due|payment|check_in|desk_list|_data$")
"""The names of addresses where those with `Right.ADMIT` look after registrations."""


@pytest.fixture
def house() -> House:
    house = House()
    for event in (house.public, house.private):
        seed(event)
    for role in ("organiser", "umpire", "umpire elsewhere"):
        User.objects.filter(pk=house.people[role].pk).update(email=ADDRESS)
    return house


def seed(event: Tournament) -> None:
    """Somebody who plays said all there is to say, and was written to; so did somebody who was not let in."""
    player = event.players.get(number=1)
    for number, state, who in ((1, "accepted", player), (2, "declined", None)):
        made = Registration.objects.create(
            tournament=event,
            number=number,
            state=state,
            player=who,
            first_name=player.first_name,
            last_name=player.last_name,
            email=ADDRESS,
            message=WORD,
            answers={"1": WORD},
            name_shown=True,
            made_at=timezone.now(),
            confirmed_at=timezone.now(),
        )
        Mail.objects.create(
            tournament=event,
            registration=made,
            letter="accepted",
            to=ADDRESS,
            language="en",
            subject=WORD,
            text=WORD,
            error=WORD,
            posted_at=timezone.now(),
        )
    Phone.objects.create(
        player=player,
        endpoint=f"https://{WORD}.example/{event.pk}",
        key=WORD,
        secret=WORD,
        language="en",
        since=timezone.now(),
    )


def contents(answer: Any) -> Iterator[bytes]:
    """What an answer says: its headers, its body, and the files that are packed into it."""
    yield repr(sorted(answer.headers.items())).encode()
    body = b"".join(answer.streaming_content) if answer.streaming and not answer.is_async else b""
    body = body or (b"" if answer.streaming else answer.content)
    yield body
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            yield from (packed.read(name) for name in packed.namelist())


def tells(client: Client, house: House) -> set[tuple[str, str]]:
    """(name, address) that say the word to this reader."""
    found = set()
    for name, entry in ADDRESSES:
        for event in (house.public, house.private)[: 2 if "slug" in filled_in(entry) else 1]:
            for url in addresses(entry, name, house.kwargs(event)):
                if any(WORD.encode() in part.lower() for part in contents(client.get(url))):
                    found.add((name, url))
    return found


@roles(*NEVER, always=())
def test_it_is_told_nobody_and_stands_in_no_line_of_the_server_s_log(
    house: House, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    own = re.compile("account|password|second_factor")
    with caplog.at_level(logging.DEBUG):
        found = tells(house.client(role), house)
    assert {url for name, url in found if not own.search(name)} == set()
    assert WORD not in caplog.text.lower()


@pytest.mark.thorough
def test_who_looks_after_registrations_reads_it_there_and_nowhere_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        found = tells(house.client("organiser"), house)
    assert "organiser_player_data" in {name for name, _ in found}
    elsewhere = {url for name, url in found if not LOOKED_AFTER.search(name)}
    assert {url for url in elsewhere if "/account/" not in url} == set()
    assert not any(house.private.slug in url for _name, url in found)
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
        (model._meta.label, name)
        for label in KEPT
        for model in [apps.get_model(label)]
        for row in model._default_manager.values()
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
    assert {"contacts_deleted", "erased_registration"} <= set(
        LogEntry.objects.values_list("action", flat=True)
    )
    for entry in LogEntry.objects.all():
        assert WORD not in repr((entry.data, entry.texts)).lower()


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
                    assert WORD.encode() not in b"".join(map(site.read, site.namelist())).lower()
                continue
            pages = PdfReader(file).pages
            assert pages
            assert WORD not in "".join(page.extract_text() for page in pages).lower()
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
