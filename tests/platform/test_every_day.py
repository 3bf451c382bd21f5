"""The periodic jobs, whichever process keeps the clock; a worker's queue that needs no server."""

import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from celery.beat import Scheduler
from django.utils import timezone
from kombu.connection import Connection

from config import celery
from tests.support.factories import make_api_token, make_user
from tournament.accounts.tasks import forget_sign_ins
from tournament.base.models.people import ApiToken, Visit

A_DAY, A_MINUTE = timedelta(days=1), timedelta(minutes=1)
JOBS = {
    "accounts.tasks.forget_sign_ins": A_DAY,
    "backup.tasks.keep_backups": timedelta(minutes=10),
    "messages.push.tasks.forget_phones": A_DAY,
    "messages.webhooks.tasks.forget_deliveries": A_DAY,
    "messages.webhooks.tasks.send_webhooks_due": A_MINUTE,
    "privacy.tasks.forget_contacts": A_DAY,
    "registration.tasks.forget_unconfirmed": A_DAY,
}


def in_a_worker() -> Scheduler:
    started: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", lambda thread: started.append(thread))
        celery.start_beat()
    (clock,) = started
    return clock.service.scheduler


def as_a_program() -> Scheduler:
    beat = celery.app.Beat(quiet=True)
    return beat.Service(app=celery.app, scheduler_cls=beat.scheduler_cls).scheduler


@pytest.mark.parametrize("clock", [in_a_worker, as_a_program])
def test_embedded_and_separate_beat_queue_every_task(
    clock: Callable[[], Scheduler], monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[str] = []
    monkeypatch.setattr(Scheduler, "producer", None)
    monkeypatch.setattr(Scheduler, "apply_entry", lambda _self, entry, producer: queued.append(entry.task))
    scheduler = clock()
    jobs = {entry.task: entry.schedule.run_every for entry in scheduler.schedule.values()}
    assert jobs == {f"tournament.{name}": interval for name, interval in JOBS.items()}
    assert jobs.keys() <= celery.app.tasks.keys()
    while scheduler.tick() == 0:
        pass
    at_start = jobs.keys() - {"tournament.backup.tasks.keep_backups"}
    assert sorted(queued) == sorted(at_start)


def test_workers_run_no_beat_beside_a_separate_one(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.BEAT = True
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: pytest.fail("a second clock"))
    celery.start_beat()


@pytest.mark.django_db
def test_data_that_expired_a_month_ago_is_deleted() -> None:
    olga = make_user()
    for days in (31, 29):
        make_api_token(olga, timezone.now() - timedelta(days=days))
        Visit.objects.create(session_key=f"over {days}", expire_date=timezone.now() - timedelta(days=days))
    forget_sign_ins()
    assert ApiToken.objects.count() == 1, "a program is still told that it has expired"
    assert Visit.objects.get().session_key == "over 29"


AN_HOUR = 3600


def test_waiting_for_messages_is_short(tmp_path: Path) -> None:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path))
    with Connection(transport="config.celery:Transport", transport_options=folders) as connection:
        queue = connection.SimpleQueue("jobs")
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=AN_HOUR)
        queue.close()
