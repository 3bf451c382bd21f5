"""Several people and processes in the same moment: what each says stands; a real worker makes what a page asks for."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg
import pytest

from tests.support.processes import Place, end, make_place, status, until
from tournament.management.worker import COMMAND

pytestmark = pytest.mark.thorough
MAKE = "from tests.support.factories import make_tournament; make_tournament()"
SAY = """
from tests.support.factories import SYSTEM
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.models import Announcement
from tournament.messages.announcements.services import announce
for number in range(20):
    announce(Announcement(tournament=Tournament.objects.get(), text=f"{name} {{number}}"), SYSTEM)
"""
COUNT = """
from tournament.base.log import first_broken_link
from tournament.base.models.tournament import Tournament
from tournament.messages.announcements.selectors import active_announcements
event = Tournament.objects.get()
texts = {announcement.text for announcement in active_announcements(event)}
print(len(texts), event.log.filter(action="announcement_made").count())
print(first_broken_link(event))
"""

ASK = """
from tests.support.factories import SYSTEM, make_tournament
from tournament.base.models.documents import DocumentJob
from tournament.documents.services import request_document
job = request_document(make_tournament(), SYSTEM, kind=DocumentJob.Kind.STANDINGS, language="en")
print(job.state)
"""
LOOK = """
from tournament.base.models.documents import DocumentJob
job = DocumentJob.objects.get()
print(job.state, job.error, job.file.read(5) if job.file else "")
"""


@pytest.fixture(scope="module")
def hall(migrated: Path) -> Iterator[Place]:
    """A place whose interpreter all tests use, and whose worker backs up what has changed after a second."""
    with make_place(migrated, BACKUP_MINUTES="0.02") as place:
        yield place


@pytest.fixture
def place(hall: Place, migrated: Path) -> Place:
    """That place with an empty database."""
    hall.renew(migrated)
    return hall


def test_concurrent_writes_are_not_lost(place: Place) -> None:
    """Of two processes."""
    place.run(MAKE)
    another = Place(place.folder, {})
    another.run("")
    try:
        with ThreadPoolExecutor() as speakers:
            for spoken in [
                speakers.submit(process.run, SAY.format(name=name))
                for process, name in ((place, "Olga"), (another, "Otto"))
            ]:
                spoken.result()
    finally:
        another.close()
    assert place.run(COUNT).split() == ["40", "40", "None"]


TOGETHER = """
from datetime import date, timedelta
from threading import Barrier, Thread
from django.db import connection
from tests.support.registrations import VISITOR, make_plan, register_one, states
from tournament.base.models.tournament import Tournament
from tournament.registration.services.registrations import cancel_registration, confirm_registration
from tournament.events.services import create_tournament
from tests.support.factories import SYSTEM

day = date.today() + timedelta(days=30)
event = create_tournament(SYSTEM, Tournament(name="Open", venue="Hall", starts_on=day, ends_on=day))
make_plan(event, places={places}, waiting_places={waiting})
people = [register_one(event, number) for number in range(1, {people} + 1)]
together = Barrier({people})

def confirm(registration):
    together.wait()
    confirm_registration(registration, VISITOR)
    connection.close()

threads = [Thread(target=confirm, args=[registration]) for registration in people]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
reached = list(states(event).values())
print(reached.count("accepted"), reached.count("waiting"), reached.count("declined"))
"""


@pytest.mark.parametrize(
    ("people", "places", "waiting", "became"),
    [
        (2, 1, 5, "1 1 0"),
        (12, 5, 4, "5 4 3"),
    ],
)
def test_concurrent_confirmations_do_not_exceed_the_places(
    place: Place, people: int, places: int, waiting: int, became: str
) -> None:
    code = TOGETHER.format(people=people, places=places, waiting=waiting)
    assert place.run(code).strip() == became


PEOPLE, CONNECTIONS = 40, 4
WRITERS = 24
WRITE = """
from contextlib import nullcontext
from datetime import date
from threading import Barrier, Thread
from django.db import connection, transaction
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.log_actions import ACTIONS
from tournament.base.models.tournament import Tournament

day = date(2026, 5, 1)
event = Tournament.objects.create(slug="open", name="open", rules_snapshot={{}}, starts_on=day, ends_on=day)
together = Barrier({writers})

def write(number):
    together.wait()
    with transaction.atomic() if number % 3 == 0 else nullcontext():
        with log.write(event, Actor.system("test"), ACTIONS["hand_recorded"], None) as entry:
            entry.data = {{"hand": number}}
    connection.close()

writers = [Thread(target=write, args=[number]) for number in range({writers})]
for one in writers:
    one.start()
for one in writers:
    one.join()
event.refresh_from_db()
print(event.version, log.first_broken_link(event))
"""
"""Some within a transaction of their own, which they have begun before they write."""


@pytest.mark.postgres
def test_a_process_opens_no_more_connections_than_the_pool_allows(postgres_url: str) -> None:
    with (
        make_place(DATABASE_URL=postgres_url, DATABASE_CONNECTIONS=str(CONNECTIONS)) as place,
        place.web() as site,
        ThreadPoolExecutor(PEOPLE) as hall,
    ):
        unknown = [f"{site.url}/api/v1/tournaments/no-event-{number}/" for number in range(3 * PEOPLE)]
        assert set(hall.map(status, unknown)) == {404}
        assert 1 <= _connections(postgres_url) <= CONNECTIONS


def test_concurrent_writers_all_succeed(place: Place) -> None:
    assert place.run(WRITE.format(writers=WRITERS)).split() == [str(WRITERS), "None"]


def _connections(url: str) -> int:
    with psycopg.connect(url) as connection:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        row = connection.execute(query).fetchone()
        assert row is not None
        return int(row[0])


LEFT_BEHIND = """
from django.utils import timezone
from tournament.base.models.tournament import Tournament
from tournament.messages.push.models import Phone
player = Tournament.objects.get().players.get(number=1)
Phone.objects.create(player=player, endpoint="https://push.example.org/a", language="en", used_at=timezone.now())
Tournament.objects.update(starts_on="2020-01-01", ends_on="2020-01-01")
"""
PHONES = "from tournament.messages.push.models import Phone; print(Phone.objects.count())"
BIG = """
from tests.support.factories import SYSTEM, make_tournament
from tournament.base.models.documents import DocumentJob
from tournament.documents.services import request_document
DocumentJob.objects.all().delete()
big = make_tournament(name="Big", players=80, sessions=2)
request_document(big, SYSTEM, kind=DocumentJob.Kind.STANDINGS, language="en")
"""


def test_a_worker_does_what_was_left_to_it(place: Place) -> None:
    """A queued document, old push subscriptions, a backup; the document of a killed worker is made by the next."""
    assert place.run(ASK).strip() == "queued"
    place.run(LEFT_BEHIND)
    assert place.run(PHONES).strip() == "1"

    worker = place.start(*COMMAND[1:])
    until(lambda: "done" in place.run(LOOK), worker)
    assert "b'%PDF-'" in place.run(LOOK)
    assert any(place.folder.glob("files/documents/*.pdf"))
    until(lambda: place.run(PHONES).strip() == "0", worker)
    until(lambda: any((place.folder / "backups").glob("hule-*.hule")), worker)
    # Mail and webhooks of the minute may have been queued since.
    waiting = [file.read_text() for file in (place.folder / "queue" / "messages").iterdir()]
    assert [message for message in waiting if "render_document" in message] == []

    place.run(BIG)
    until(lambda: "running" in place.run(LOOK), worker)
    worker.kill()
    worker.communicate()
    assert "running" in place.run(LOOK), "it was killed half-way"
    another = place.start(*COMMAND[1:])
    try:
        until(lambda: "done" in place.run(LOOK), another)
    finally:
        words = end(another)
    assert "b'%PDF-'" in place.run(LOOK), words
    assert another.returncode == 0, words
