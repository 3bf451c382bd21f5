"""Queue tasks for the worker by name, so that services need not import them."""

import logging

from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from tournament.base.models.tournament import UNREACHABLE, Job

logger = logging.getLogger(__name__)


def enqueue(name: str, *arguments: object) -> bool:
    """Queue a task: "documents.render_document" is in `tournament.documents.tasks`.

    Returns False if the queue is unreachable, which is logged.
    """
    package, _dot, task = name.rpartition(".")
    try:
        current_app.tasks[f"tournament.{package}.tasks.{task}"].apply_async(arguments, retry=False)
    except (OperationalError, OSError):  # Redis cannot be reached, or the queue's folder cannot be written
        logger.exception("%s could not be sent to the worker", name)
        return False
    return True


def enqueue_job(job: Job, name: str) -> None:
    """Queue the task of a job; if that fails, mark the job as failed."""
    if not enqueue(name, job.pk):
        job.state, job.error, job.finished_at = Job.State.FAILED, UNREACHABLE, timezone.now()
        job.save(update_fields=["state", "error", "finished_at"])
