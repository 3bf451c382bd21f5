"""The Celery application, whose settings are the CELERY_… names of `config.settings`, and its queue over a folder."""

import logging
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from celery import Celery, shared_task
from celery.signals import worker_ready
from django.conf import settings
from kombu.transport import filesystem

logger = logging.getLogger(__name__)

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("hule")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_ready.connect
def take_up_documents(**_more: Any) -> None:
    """What a worker left behind that was killed: the queue over a folder forgets what was taken from it."""
    from tournament.documents.tasks import take_up_documents as task

    try:
        task.delay()
    except Exception:
        # Whoever waits for it is told after a while that nobody works on it.
        logger.exception("The documents left behind could not be looked for")


@worker_ready.connect
def start_clock(**_more: Any) -> None:
    """Queue the periodic jobs from within this worker, unless `hule beat` does it for all of them (`BEAT`)."""
    from celery.beat import EmbeddedService

    if not settings.BEAT:
        # A thread, which ends with the worker: a process of its own would outlive one that is killed.
        EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler).start()


def periodic(
    *, every: timedelta, at_start: bool = True, enabled: bool = True
) -> Callable[[Callable[[], None]], Any]:
    """Make a function a task that is queued at every interval, by whichever process keeps the clock.

    `at_start`: when that process starts, too. Several workers without `hule beat` each queue it, so it has to do no
    harm when it is done twice.
    """

    def register(function: Callable[[], None]) -> Any:
        if enabled:
            app.conf.beat_schedule[function.__name__] = {
                "task": f"{function.__module__}.{function.__name__}",
                "schedule": every,
                # Not kept for a worker that is away: when it is back, the next one is soon enough.
                "options": {"expires": max(60.0, every.total_seconds())},
                "last_run_at": LONG_AGO if at_start else None,
            }
        return shared_task(function)

    return register


LOOK_UP_SECONDS = 0.2
"""How long the worker waits for a message before it looks up."""


class Transport(filesystem.Transport):
    """The queue over a folder, whose worker notices soon that it is to stop.

    Celery asks for two seconds of messages at a time, and sees only afterwards that it was told to stop.
    """

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> None:
        shorter = min(timeout or LOOK_UP_SECONDS, LOOK_UP_SECONDS)
        super().drain_events(connection, timeout=shorter, **kwargs)  # type: ignore[no-untyped-call]
