"""The Celery application, with its settings (CELERY_… in `config.settings`) and its queue in a folder."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from celery import Celery, shared_task
from celery.signals import worker_ready
from django.conf import settings
from kombu.transport import filesystem

LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("hule")
app.config_from_object("django.conf:settings", namespace="CELERY")


@worker_ready.connect
def start_beat(**_more: Any) -> None:
    """Queue the periodic tasks from within this worker, unless `hule beat` does it for all workers (`BEAT`)."""
    from celery.beat import EmbeddedService

    if not settings.BEAT:
        # A thread ends with the worker; a process would outlive a worker that is killed.
        EmbeddedService(app, thread=True, scheduler_cls=app.conf.beat_scheduler).start()


def periodic(
    *, every: timedelta, at_start: bool = True, enabled: bool = True
) -> Callable[[Callable[[], None]], Any]:
    """Turn a function into a task that is queued every `every`, by whichever process runs beat.

    With `at_start` it is also queued when that process starts. The task has to be idempotent: several workers without
    `hule beat` each queue it.
    """

    def register(function: Callable[[], None]) -> Any:
        if enabled:
            app.conf.beat_schedule[function.__name__] = {
                "task": f"{function.__module__}.{function.__name__}",
                "schedule": every,
                # Not stored up while no worker runs: the next one is soon enough.
                "options": {"expires": max(60.0, every.total_seconds())},
                "last_run_at": LONG_AGO if at_start else None,
            }
        return shared_task(function)

    return register


POLL_SECONDS = 0.2
"""Longest wait for a message."""


class Transport(filesystem.Transport):
    """The queue in a folder; its worker checks every `POLL_SECONDS` whether to stop, not every two seconds."""

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> None:
        shorter = min(timeout or POLL_SECONDS, POLL_SECONDS)
        super().drain_events(connection, timeout=shorter, **kwargs)  # type: ignore[no-untyped-call]
