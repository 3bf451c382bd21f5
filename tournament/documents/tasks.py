"""Tasks that make documents. They import late: only workers need WeasyPrint, but every process loads the tasks."""

import logging
from typing import Any

from celery import shared_task
from celery.signals import worker_ready

logger = logging.getLogger(__name__)


@shared_task
def render_document(job_id: int) -> None:
    """Make the document of a DocumentJob and store its file, or why it failed."""
    from tournament.documents.exports.jobs import run_job

    run_job(job_id)


@shared_task
def requeue_documents() -> None:
    """Queue unfinished jobs again. Called when a worker starts: the one before may have been killed."""
    from tournament.documents.exports.jobs import requeue_unfinished_jobs

    requeue_unfinished_jobs()


@worker_ready.connect
def requeue_when_ready(**_signal: Any) -> None:
    """Requeue documents of a killed worker: the queue in a folder forgets a message once it is read."""
    try:
        requeue_documents.delay()
    except Exception:
        # The page reports after a while that no worker is there.
        logger.exception("Documents of a killed worker could not be requeued")
