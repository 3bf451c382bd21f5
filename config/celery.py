"""The Celery application; its settings are the CELERY_… names of `config.settings`."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

A_DAY = 24 * 3600.0

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("hule")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def every_day(sender: Any, **_more: Any) -> None:
    """When a worker starts, and every day after that: several workers do it several times, and it is done once."""
    from tournament.tasks import forget_phones

    forget_phones.delay()
    sender.timer.call_repeatedly(A_DAY, forget_phones.delay)
