"""What a worker sees to when it starts and every day after; its queue that needs no server."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from kombu.connection import Connection

from config import celery
from tests.support.factories import make_user
from tournament.base.models.people import ApiToken, Visit
from tournament.tasks import (
    forget_contacts,
    forget_deliveries,
    forget_phones,
    forget_sign_ins,
    forget_unconfirmed,
    send_mail_due,
    send_webhooks_due,
)


class Stopped(Exception):
    """The worker has ended."""


def test_a_queue_that_is_away_is_tried_again_a_day_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slept: list[float] = []

    def away() -> None:
        raise ConnectionError("no queue")

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            raise Stopped

    monkeypatch.setattr(forget_phones, "delay", away)
    monkeypatch.setattr("config.celery.time.sleep", sleep)
    with pytest.raises(Stopped):
        celery.every_day()
    assert slept == [celery.A_DAY, celery.A_DAY]
    assert caplog.text.count("could not be queued") == 2


@pytest.mark.django_db
def test_what_ran_out_a_month_ago_is_forgotten() -> None:
    olga = make_user()
    for days in (31, 29):
        ApiToken.objects.create(user=olga, expiry=timedelta(days=-days))
        Visit.objects.create(session_key=f"over {days}", expire_date=timezone.now() - timedelta(days=days))
    forget_sign_ins()
    assert ApiToken.objects.count() == 1, "a program is still told that it has expired"
    assert Visit.objects.get().session_key == "over 29"


def test_it_is_seen_to_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[str] = []

    def sleep(_seconds: float) -> None:
        raise Stopped

    for task in (forget_phones, forget_sign_ins, forget_unconfirmed, forget_contacts, forget_deliveries):
        monkeypatch.setattr(task, "delay", lambda name=task.name: queued.append(name.rpartition(".")[2]))
    monkeypatch.setattr("config.celery.time.sleep", sleep)
    with pytest.raises(Stopped):
        celery.every_day()
    assert queued == [
        *("forget_phones", "forget_sign_ins", "forget_unconfirmed", "forget_contacts", "forget_deliveries"),
    ]


@pytest.mark.parametrize(
    ("mail_server", "task"), [("mail.example.org", send_mail_due), ("", send_webhooks_due)]
)
def test_what_is_due_is_looked_for_every_minute_and_a_queue_that_is_away_stops_nothing(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: Any,
    mail_server: str,
    task: Any,
) -> None:
    """Letters where there is a mail server, messages to programs anywhere."""
    settings.EMAIL_HOST = mail_server
    looked: list[float] = []

    def away(expires: float) -> None:
        looked.append(expires)
        raise ConnectionError("no queue")

    def sleep(seconds: float) -> None:
        assert seconds == celery.A_MINUTE
        if len(looked) == 2:
            raise Stopped

    monkeypatch.setattr(task, "apply_async", away)
    monkeypatch.setattr("config.celery.time.sleep", sleep)
    with pytest.raises(Stopped):
        celery.every_minute()
    assert looked == [celery.A_MINUTE] * 2
    assert caplog.text.count("could not be queued") == 2


AN_HOUR = 3600


def test_waiting_for_messages_ends_soon_however_long_it_was_asked_for(tmp_path: Path) -> None:
    folders = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(tmp_path))
    with Connection(transport="config.celery:Transport", transport_options=folders) as connection:
        queue = connection.SimpleQueue("jobs")
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=AN_HOUR)
        queue.close()
