"""A backup holds all of it, and puts all of it back: by the worker, once, and soon or not at all."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile

from tests.house.source import ours
from tests.support.checks import refused_codes
from tests.support.factories import (
    SYSTEM,
    make_organiser,
    make_tournament,
    make_umpire,
    play_hands,
    record,
    win,
)
from tournament.backup import services as backup_services
from tournament.backup import status, storage, tasks
from tournament.backup.archive import manifest_of
from tournament.backup.display import sentence
from tournament.backup.manifest import standings_digest
from tournament.backup.restoring import losses
from tournament.backup.services import (
    back_up_if_changed,
    make_backup,
    request_backup,
    request_restore,
    restore_backup,
)
from tournament.backup.status import RESTORE
from tournament.backup.storage import BEFORE_RESTORE
from tournament.base import log
from tournament.base.access import Actor
from tournament.base.database import backup_folder
from tournament.base.engine.notices import Audience
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.documents import DocumentJob
from tournament.base.models.events import EventDocument
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.events.services import add_event_document, delete_tournament
from tournament.exchange.audit import audit
from tournament.ranking.selectors.standings import current_standings

pytestmark = pytest.mark.django_db(transaction=True)


def everything() -> dict[str, list[Any]]:
    return {label: list(model._base_manager.order_by("pk").values_list()) for label, model in ours().items()}


def without_moments(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """A restore makes tournaments anew and tells their logs."""
    remaining = {name: list(lines) for name, lines in rows.items()}
    remaining.pop("tournament.Tournament")
    remaining["tournament.LogEntry"] = [
        line for line in remaining["tournament.LogEntry"] if "backup_restored" not in line
    ]
    return remaining


@pytest.fixture
def event() -> Tournament:
    event = make_tournament(players=8, sessions=2, played=1, running=1)
    make_organiser(event)
    make_umpire(event, tables=[Table.objects.get(session__number=2, number=1)])
    return event


@pytest.fixture
def table(event: Tournament) -> Table:
    """At which a hand of the second session is played."""
    return Table.objects.get(session__number=2, number=1)


@pytest.mark.stored
@pytest.mark.thorough
def test_a_restore_brings_every_row_back(event: Tournament) -> None:
    before, standings = everything(), standings_digest(event)
    path = make_backup(SYSTEM)
    delete_tournament(event, SYSTEM, name=event.name)
    User.objects.all().delete()
    restore_backup(SYSTEM, path)
    assert without_moments(everything()) == without_moments(before)
    back = Tournament.objects.get()
    assert standings_digest(back) == standings
    assert list(audit(back)) == []


@pytest.mark.stored
@pytest.mark.thorough
def test_play_continues_after_a_restore_and_the_log_names_the_actor(event: Tournament, table: Table) -> None:
    """What stood is backed up first."""
    User.objects.filter(username="olga").update(is_superuser=True)
    olga = User.objects.get(username="olga")
    path = make_backup(SYSTEM)
    play_hands(table, 2)
    hands = Hand.objects.count()
    restore_backup(Actor.of(olga), path)
    (before,) = [
        backup
        for backup in storage.stored_backups()
        if backup.manifest and backup.manifest.reason == BEFORE_RESTORE
    ]
    entry = Tournament.objects.get().log.latest("seq")
    assert (entry.action, entry.actor) == ("backup_restored", olga)
    table.refresh_from_db()
    assert table.hands_played == 1
    play_hands(table, 1)
    assert log.first_broken_link(Tournament.objects.get()) is None
    restore_backup(SYSTEM, before.path)
    assert Hand.objects.count() == hands


def test_cached_standings_are_not_taken_for_a_later_version(event: Tournament, table: Table) -> None:
    """That has the same number."""
    path = make_backup(SYSTEM)
    east, south, west, north = table.seats.order_by("id").values_list("player__number", flat=True)
    record(table, win(east, south))
    record(table, win(east, south))
    undone = Tournament.objects.get()
    undone_standings = current_standings(undone, Audience.STAFF)
    restore_backup(SYSTEM, path)
    record(table, win(west, north))
    current = Tournament.objects.get()
    assert current.version == undone.version
    assert current_standings(current, Audience.STAFF) != undone_standings


def test_files_and_the_push_key_are_restored(event: Tournament, data_folder: Path) -> None:
    """A document that is gone hinders no backup; a backup is put back by its typed name."""
    DocumentJob.objects.create(tournament=event, kind="standings", language="en", file="documents/gone.pdf")
    job = DocumentJob.objects.create(tournament=event, kind="standings", language="en")
    job.file.save("standings.pdf", ContentFile(b"%PDF"))
    added = add_event_document(event, SYSTEM, "Way", b"%PDF-1", uuid=uuid4())
    key = data_folder / "push-key"
    key.write_text("old-key\n")
    path = make_backup(SYSTEM)
    Path(job.file.path).unlink()
    added.file.storage.delete(str(added.file.name))
    key.write_text("another\n")
    assert refused_codes(request_restore, SYSTEM, path, typed_name="hule") == ["backup_not_named"]
    request_restore(SYSTEM, path, typed_name=path.stem)
    missing_job, job = DocumentJob.objects.order_by("pk")
    assert missing_job.file.name == "documents/gone.pdf"
    assert Path(job.file.path).read_bytes() == b"%PDF"
    assert Path(EventDocument.objects.get().file.path).read_bytes() == b"%PDF-1"
    assert key.read_text() == "old-key\n"


def test_an_unchanged_installation_is_not_backed_up_again(event: Tournament, table: Table) -> None:
    assert back_up_if_changed(SYSTEM) is not None
    assert back_up_if_changed(SYSTEM) is None
    play_hands(table, 1)
    assert back_up_if_changed(SYSTEM) is not None


def test_only_a_keeper_makes_backups(event: Tournament) -> None:
    for service in (make_backup, request_backup):
        with pytest.raises(Forbidden):
            service(Actor.of(User.objects.get(username="olga")))


def test_a_full_disk_leaves_no_partial_file(event: Tournament, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tournament.backup.archive.os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        make_backup(SYSTEM)
    assert [path.name for path in backup_folder().iterdir() if "hule-" in path.name] == []


# --- what would be lost ---------------------------------------------------------------------------------
@pytest.mark.thorough
def test_losses_count_entries_since_the_backup(event: Tournament, table: Table) -> None:
    """And what comes and what goes; another course of the same tournament is told apart."""
    contents = manifest_of(make_backup(SYSTEM))
    assert [loss.kind for loss in losses(contents)] == ["same"]
    play_hands(table, 2)
    (loss,) = losses(contents)
    assert (loss.kind, loss.entries, loss.hands) == ("back", 2, 2)
    event.refresh_from_db()
    delete_tournament(event, SYSTEM, name=event.name)
    other = make_tournament(name="Autumn Open", players=8)
    kinds = [(loss.name, loss.kind) for loss in losses(contents)]
    assert kinds == [("Autumn Open", "gone"), ("Spring Open", "comes")]
    delete_tournament(other, SYSTEM, name=other.name)
    make_tournament(players=8, sessions=2, played=1, running=2)
    assert [loss.kind for loss in losses(contents)] == ["other"]


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What was asked of the worker, which does nothing by itself."""
    messages: list[tuple[object, ...]] = []
    monkeypatch.setattr(backup_services, "enqueue", lambda *arguments: messages.append(arguments) or True)
    return messages


@pytest.fixture
def played_table() -> Table:
    event = make_tournament(players=8, sessions=1, running=1)
    return event.sessions.get().tables.get(number=1)


@pytest.fixture
def backup(played_table: Table, queue: list[tuple[object, ...]]) -> Path:
    """Made at the beginning; three hands are played since."""
    path = make_backup(SYSTEM)
    play_hands(played_table, 3)
    return path


def hands(played_table: Table) -> int:
    return Hand.objects.filter(table=played_table).count()


def work_off(queue: list[tuple[object, ...]]) -> None:
    for name, *arguments in queue:
        getattr(tasks, str(name).removeprefix("backup."))(*arguments)


@pytest.mark.thorough
def test_a_requested_restore_runs_once(
    backup: Path, played_table: Table, queue: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells how far it is."""
    before, shares, write_status = hands(played_table), list[float](), status.write

    def record_share(state: str, done: int = 0, of: int = 1, **more: Any) -> None:
        if state == status.RUNNING:
            shares.append(done / of)
        write_status(state, done, of, **more)

    monkeypatch.setattr(status, "write", record_share)
    request_restore(SYSTEM, backup, typed_name=backup.stem)
    assert hands(played_table) == before
    work_off(queue)
    assert hands(played_table) < before
    assert "Everything has been restored" in str(sentence(status.current()))
    assert shares == [0, 1 / 3, 2 / 3]
    play_hands(Table.objects.get(pk=played_table.pk), 2)
    before = hands(played_table)
    work_off(queue)
    assert hands(played_table) == before, "the message came again"


def test_a_restore_of_a_dead_or_late_worker_is_not_run(
    backup: Path, played_table: Table, queue: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hands(played_table)
    request_restore(SYSTEM, backup, typed_name=backup.stem)
    status.write(status.RUNNING, 2, 3, what=RESTORE)
    work_off(queue)
    assert hands(played_table) == before
    assert "The background worker stopped. Nothing was changed." in str(sentence(status.current()))
    queue.clear()
    request_restore(SYSTEM, backup, typed_name=backup.stem)
    monkeypatch.setattr(status, "BEGUN_WITHIN", timedelta(0))
    work_off(queue)
    assert hands(played_table) == before
    assert "The backup was not restored" in str(sentence(status.current()))


def test_an_unreachable_queue_refuses_a_restore(backup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backup_services, "enqueue", lambda *_: False)
    with pytest.raises(Refused, match="worker_unreachable"):
        request_restore(SYSTEM, backup, typed_name=backup.stem)
    assert not status.current().is_waiting


def test_a_restore_is_refused_when_the_actor_is_no_keeper_any_more(
    backup: Path, played_table: Table, queue: list[tuple[object, ...]]
) -> None:
    kim = User.objects.create_superuser("kim")
    before = hands(played_table)
    request_restore(Actor.of(kim), backup, typed_name=backup.stem)
    User.objects.filter(pk=kim.pk).update(is_superuser=False)
    with pytest.raises(Forbidden):
        work_off(queue)
    assert hands(played_table) == before
    assert status.current().state == status.FAILED
