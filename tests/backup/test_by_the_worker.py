"""A restore is made by the worker, once, and soon or not at all."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.support.factories import SYSTEM, make_tournament, play_hands
from tournament import tasks
from tournament.backup import services as backup_services
from tournament.backup import status
from tournament.backup.display import sentence
from tournament.backup.services import make_backup, request_restore
from tournament.backup.status import RESTORE
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.play import Hand, Table

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


@pytest.fixture(autouse=True)
def queue(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What was asked of the worker, which does nothing by itself."""
    messages: list[tuple[object, ...]] = []
    monkeypatch.setattr(backup_services, "later", lambda *arguments: messages.append(arguments) or True)
    return messages


@pytest.fixture
def table() -> Table:
    event = make_tournament(players=8, sessions=1, running=1)
    return event.sessions.get().tables.get(number=1)


@pytest.fixture
def backup(table: Table) -> Path:
    """Made at the beginning; three hands are played since."""
    path = make_backup(SYSTEM)
    play_hands(table, 3)
    return path


def hands(table: Table) -> int:
    return Hand.objects.filter(table=table).count()


def work_off(queue: list[tuple[object, ...]]) -> None:
    for name, *arguments in queue:
        getattr(tasks, str(name))(*arguments)


@pytest.mark.thorough
def test_what_was_asked_for_is_done_once(
    backup: Path, table: Table, queue: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells how far it is."""
    before, shares, say = hands(table), list[float](), status.say

    def hear(state: str, done: int = 0, of: int = 1, **more: Any) -> None:
        if state == status.RUNNING:
            shares.append(done / of)
        say(state, done, of, **more)

    monkeypatch.setattr(status, "say", hear)
    request_restore(SYSTEM, backup, named=backup.stem)
    assert hands(table) == before
    work_off(queue)
    assert hands(table) < before
    assert "Everything is as it stood" in str(sentence(status.now()))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1] > 0.9, len(shares) > 50) == (0, True, True)
    play_hands(Table.objects.get(pk=table.pk), 2)
    before = hands(table)
    work_off(queue)
    assert hands(table) == before, "the message came again"


def test_a_worker_that_died_or_comes_late_takes_nothing_back(
    backup: Path, table: Table, queue: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hands(table)
    request_restore(SYSTEM, backup, named=backup.stem)
    status.say(status.RUNNING, 2, 3, what=RESTORE)
    work_off(queue)
    assert hands(table) == before
    assert "The background worker stopped on the way. Nothing was changed." in str(sentence(status.now()))
    queue.clear()
    request_restore(SYSTEM, backup, named=backup.stem)
    monkeypatch.setattr(status, "BEGUN_WITHIN", timedelta(0))
    work_off(queue)
    assert hands(table) == before
    assert "The backup was not put back" in str(sentence(status.now()))


def test_a_queue_that_is_away_is_said(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_services, "later", lambda *_: False)
    with pytest.raises(Refused, match="worker_unreachable"):
        request_restore(SYSTEM, backup, named=backup.stem)
    assert not status.now().is_waiting


def test_who_is_no_keeper_any_more_puts_nothing_back(
    backup: Path, table: Table, queue: list[tuple[object, ...]]
) -> None:
    kim = User.objects.create_superuser("kim")
    before = hands(table)
    request_restore(Actor.of(kim), backup, named=backup.stem)
    User.objects.filter(pk=kim.pk).update(is_superuser=False)
    with pytest.raises(Forbidden):
        work_off(queue)
    assert hands(table) == before
    assert status.now().state == status.FAILED
