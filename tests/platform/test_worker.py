"""A real Celery worker over the folder queue: what a page asks for is made by another process."""

import pytest

from tests.support.processes import Place, end, until
from tournament.management.worker import COMMAND

pytestmark = pytest.mark.thorough

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


def test_a_document_is_made_by_the_worker_when_it_comes(place: Place) -> None:
    assert place.run(ASK).strip() == "queued"

    worker = place.start(*COMMAND[1:])
    try:
        until(lambda: any(place.folder.glob("files/documents/*.pdf")), worker)
        until(lambda: "done" in place.run(LOOK), worker)
    finally:
        words = end(worker)

    assert "b'%PDF-'" in place.run(LOOK)
    assert worker.returncode == 0, words
    # Mail and webhooks of the minute may have been queued since.
    waiting = [file.read_text() for file in (place.folder / "queue" / "messages").iterdir()]
    assert [message for message in waiting if "render_document" in message] == []


BIG = ASK.replace("make_tournament()", "make_tournament(players=120, sessions=6)")


def test_a_document_whose_worker_was_killed_half_way_is_made_by_the_next(place: Place) -> None:
    place.run(BIG)
    worker = place.start(*COMMAND[1:])
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


LEFT_BEHIND = """
from django.utils import timezone
from datetime import timedelta
from tests.support.factories import make_tournament
from tournament.messages.push.models import Phone
from tournament.base.models.tournament import Tournament
player = make_tournament().players.get(number=1)
Phone.objects.create(player=player, endpoint="https://push.example.org/a", language="en", since=timezone.now())
Tournament.objects.update(starts_on="2020-01-01", ends_on="2020-01-01")
"""
PHONES = "from tournament.messages.push.models import Phone; print(Phone.objects.count())"


def test_a_worker_that_starts_forgets_the_phones_of_what_is_long_over(place: Place) -> None:
    place.run(LEFT_BEHIND)
    assert place.run(PHONES).strip() == "1"
    worker = place.start(*COMMAND[1:])
    try:
        until(lambda: place.run(PHONES).strip() == "0", worker)
    finally:
        words = end(worker)
    assert worker.returncode == 0, words
