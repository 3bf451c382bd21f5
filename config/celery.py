"""The Celery application, whose settings are the CELERY_… names of `config.settings`, and its queue over a folder."""

import logging
import os
import threading
import time
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from django.conf import settings
from kombu.transport import filesystem

logger = logging.getLogger(__name__)

A_DAY = 24 * 3600.0
A_MINUTE = 60.0

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("hule")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def take_up_documents(**_more: Any) -> None:
    """What a worker left behind that was killed: the queue over a folder forgets what was taken from it."""
    from tournament import tasks

    try:
        tasks.take_up_documents.delay()
    except Exception:
        # Whoever waits for it is told after a while that nobody works on it.
        logger.exception("The documents left behind could not be looked for")


@worker_ready.connect
def start_every_day(**_more: Any) -> None:
    if settings.BEAT:
        return
    # A thread of its own: Celery's timer would let the worker end only after its next tick.
    threading.Thread(target=every_day, name="every day", daemon=True).start()
    if settings.BACKUP_MINUTES:
        threading.Thread(target=every_few_minutes, name="backups", daemon=True).start()
    threading.Thread(target=every_minute, name="every minute", daemon=True).start()


def every_day() -> None:
    """When a worker starts, and every day after that: several workers do it several times, and it is done once."""
    from tournament.tasks import (
        forget_contacts,
        forget_deliveries,
        forget_phones,
        forget_sign_ins,
        forget_unconfirmed,
    )

    while True:
        try:
            forget_phones.delay()
            forget_sign_ins.delay()
            forget_unconfirmed.delay()
            forget_contacts.delay()
            forget_deliveries.delay()
        except Exception:
            # The queue may be away for a moment; it is tried again tomorrow.
            logger.exception("What is done every day could not be queued")
        time.sleep(A_DAY)


def every_few_minutes() -> None:
    """From the first minutes of a worker on: a backup, if anything was written since the newest one."""
    from tournament.tasks import keep_backups

    while True:
        time.sleep(settings.BACKUP_MINUTES * 60)
        try:
            # Not kept for a worker that is away: when it is back, the next one is soon enough.
            keep_backups.apply_async(expires=max(60.0, settings.BACKUP_MINUTES * 60))
        except Exception:
            logger.exception("The backup could not be queued")


def every_minute() -> None:
    """From the start of a worker on: letters and messages to programs that are due, those that were posted while the
    queue was away too."""
    from tournament.tasks import send_mail_due, send_webhooks_due

    while True:
        try:
            if settings.EMAIL_HOST:
                send_mail_due.apply_async(expires=A_MINUTE)
            send_webhooks_due.apply_async(expires=A_MINUTE)
        except Exception:
            logger.exception("What is due every minute could not be queued")
        time.sleep(A_MINUTE)


LOOK_UP_SECONDS = 0.2
"""How long the worker waits for a message before it looks up."""


class Transport(filesystem.Transport):
    """The queue over a folder, whose worker notices soon that it is to stop.

    Celery asks for two seconds of messages at a time, and sees only afterwards that it was told to stop.
    """

    def drain_events(self, connection: Any, timeout: Any = None, **kwargs: Any) -> None:
        shorter = min(timeout or LOOK_UP_SECONDS, LOOK_UP_SECONDS)
        super().drain_events(connection, timeout=shorter, **kwargs)  # type: ignore[no-untyped-call]
