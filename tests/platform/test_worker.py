"""A real Celery worker over the folder queue: what a page asks for is made by another process."""

import pytest

from tests.processes import Place, end, until
from tournament.management.worker import COMMAND

ASK = """
from tests.factories import SYSTEM, make_tournament
from tournament.models import DocumentJob
from tournament.services.documents import request_document
job = request_document(make_tournament(), SYSTEM, kind=DocumentJob.Kind.STANDINGS, language="en")
print(job.state)
"""
LOOK = """
from tournament.models import DocumentJob
job = DocumentJob.objects.get()
print(job.state, job.error, job.file.read(5) if job.file else "")
"""


@pytest.mark.xdist_group("serve")
def test_a_document_is_made_by_the_worker_when_it_comes(place: Place) -> None:
    assert place.python(ASK).strip() == "queued"

    worker = place.start(*COMMAND[1:])
    try:
        until(lambda: any(place.folder.glob("files/documents/*.pdf")), worker)
        until(lambda: "done" in place.python(LOOK), worker)
    finally:
        words = end(worker)

    assert "b'%PDF-'" in place.python(LOOK)
    assert worker.returncode == 0, words
    assert not list((place.folder / "queue" / "messages").iterdir())
