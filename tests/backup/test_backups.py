"""The page of backups: for whoever set Hule up, with what would be lost said before anything is put back."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.support.factories import PASSWORD, SYSTEM, make_organiser, make_tournament, play_hands
from tests.support.pages import missing
from tournament.accounts import setup_code
from tournament.backup import services as backup_services
from tournament.backup import shelf, status
from tournament.backup.services import make_backup
from tournament.base import database
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.events.services import delete_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"
    return tmp_path


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, sessions=1, running=1)


@pytest.fixture
def keeper(client: Client, event: Tournament) -> Client:
    User.objects.create_superuser("olga", password=PASSWORD)
    assert client.login(username="olga", password=PASSWORD)
    return client


def uploaded(path: Path) -> SimpleUploadedFile:
    return SimpleUploadedFile("mine.hule", path.read_bytes())


def test_an_organiser_sees_nothing_of_them(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    urls = [reverse(f"organiser_{name}") for name in ("backups", "backup_make", "backup_upload")]
    for url in (*urls, reverse("organiser_backup_file", args=["hule-2026-05-02-1431"])):
        assert (client.get(url).status_code, client.post(url).status_code) == (403, 403), url


def test_a_disk_that_is_full_is_said_where_its_keeper_looks(
    keeper: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    from tournament import tasks

    monkeypatch.setattr(backup_services, "write", full)
    tasks.keep_backups()
    assert "No space left" in caplog.text
    for page in ("organiser_backups", "organiser_home"):
        assert "No space left on device. Play goes on" in keeper.get(reverse(page)).text
    monkeypatch.undo()
    tasks.keep_backups()
    assert "No space left" not in keeper.get(reverse("organiser_home")).text


def test_one_is_downloaded_deleted_and_made(keeper: Client, django_capture_on_commit_callbacks: Any) -> None:
    path = make_backup(SYSTEM)
    response = keeper.get(reverse("organiser_backup_file", args=[path.stem]))
    assert b"".join(response) == path.read_bytes()
    assert path.name in response["Content-Disposition"]
    keeper.post(reverse("organiser_backup_delete", args=[path.stem]))
    assert shelf.all_kept() == []
    with django_capture_on_commit_callbacks(execute=True):
        keeper.post(reverse("organiser_backup_make"))
    page = keeper.get(reverse("organiser_backups")).text
    assert missing(page, "asked for (olga)", "Spring Open") == []


@pytest.mark.thorough
def test_what_would_be_lost_is_said_and_its_name_asked_for(keeper: Client) -> None:
    path, table = make_backup(SYSTEM), Table.objects.get(number=1)
    play_hands(table, 2)
    page = keeper.get(reverse("organiser_backup", args=[path.stem])).text
    assert "Entries of the log lost: 2, of them hands and fouls: 2" in page
    response = keeper.post(reverse("organiser_backup", args=[path.stem]), {"name": "yes"})
    assert (response.status_code, Hand.objects.filter(table=table).count()) == (422, 3)
    response = keeper.post(reverse("organiser_backup", args=[path.stem]), {"name": path.stem})
    assert response["Location"] == reverse("organiser_backups")
    assert Hand.objects.filter(table=table).count() == 1
    after = keeper.get(response["Location"])
    assert after.status_code == 200, "who is signed in stays so"
    assert "Everything is as it stood on" in after.text


def test_one_from_elsewhere_is_looked_at_first(keeper: Client, event: Tournament, tmp_path: Path) -> None:
    path = make_backup(SYSTEM, path=tmp_path / "mine.hule")
    delete_tournament(event, SYSTEM, name=event.name)
    response = keeper.post(reverse("organiser_backup_upload"), {"file": uploaded(path)})
    (backup,) = shelf.all_kept()
    assert response["Location"] == reverse("organiser_backup", args=[backup.name])
    assert "comes back" in keeper.get(response["Location"]).text
    assert not Tournament.objects.exists()


def test_what_is_no_backup_is_not_kept_and_not_found(keeper: Client) -> None:
    response = keeper.post(reverse("organiser_backup_upload"), {"file": SimpleUploadedFile("a.hule", b"no")})
    assert (response.status_code, shelf.all_kept()) == (422, [])
    assert "This file is not a backup" in response.text
    for name in ("hule-2026-05-02-1431", "..", "restored"):
        for url in (f"/organiser/backups/{name}/file/", f"/organiser/backups/{name}/"):
            assert keeper.get(url).status_code in (301, 404), url


def test_who_writes_during_a_restore_is_asked_to_come_back(keeper: Client, event: Tournament) -> None:
    address = reverse("organiser_new")
    with database.replacing():
        response = keeper.post(address, {})
        program = keeper.post("/api/v1/tournaments/", data="{}", content_type="application/json")
        assert keeper.get(reverse("organiser_home")).status_code == 200
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "A backup is being put back" in response.text
    assert (program.status_code, program.json()["status"]) == (503, 503)
    assert keeper.post(address, {}).status_code == 422


def test_two_at_a_time_are_one_too_many(keeper: Client) -> None:
    """Neither while one is under way nor while one is waited for."""
    path = make_backup(SYSTEM)
    restore = reverse("organiser_backup", args=[path.stem])
    with database.alone():
        response = keeper.post(restore, {"name": path.stem}, follow=True)
    assert "The backup was not put back. Another backup or restore is under way." in response.text
    status.say(status.QUEUED)
    response = keeper.post(restore, {"name": path.stem})
    assert (response.status_code, status.now().what) == (422, status.BACKUP)
    assert "Another backup or restore is under way" in response.text


def test_how_far_it_is(keeper: Client) -> None:
    status.say(status.RUNNING, 3, 20)
    assert "Writing everything down" in keeper.get(reverse("organiser_backups")).text
    address = reverse("organiser_backup_status")
    mark = status.now().mark
    assert keeper.get(f"{address}?seen={mark}", headers={"HX-Request": "true"}).status_code == 204
    status.say(status.DONE)
    response = keeper.get(f"{address}?seen={mark}", headers={"HX-Request": "true"})
    assert response["HX-Refresh"] == "true"


@pytest.fixture
def elsewhere(tmp_path: Path, event: Tournament) -> Path:
    """A backup, of which nothing is here any more."""
    User.objects.create_superuser("olga", password=PASSWORD)
    path = make_backup(SYSTEM, path=tmp_path / "mine.hule")
    delete_tournament(event, SYSTEM, name=event.name)
    User.objects.all().delete()
    return path


@pytest.mark.thorough
def test_into_an_empty_installation_with_the_printed_code_alone(client: Client, elsewhere: Path) -> None:
    setup_code.code()
    address = reverse("setup_restore")
    wrong = {"code": "AAAA-AAAA"}
    for fields in ({}, wrong):
        assert client.post(address, fields | {"file": uploaded(elsewhere)}).status_code == 422
    assert client.post(address, wrong).status_code == 422
    assert not Tournament.objects.exists()
    assert address in client.get(reverse("setup")).text
    client.post(address, {"code": setup_code.code()})
    response = client.post(address, {"file": uploaded(elsewhere)}, follow=True)
    assert response.redirect_chain[-1][0] == reverse("login")
    assert "Everything has come back. Sign in as you did then." in response.text
    assert Tournament.objects.get().name == "Spring Open"
    assert client.login(username="olga", password=PASSWORD)
    assert client.get(address).status_code == 404


def test_how_far_it_is_is_told_to_who_brought_it(client: Client, elsewhere: Path) -> None:
    address, ask = reverse("setup_restore"), reverse("setup_restore_status")
    assert client.get(ask).status_code == 404
    client.post(address, {"code": setup_code.code()})
    assert "progress" not in client.get(address).text
    status.say(status.RUNNING, 1, 3, what=status.RESTORE)
    assert "The backup is being put back" in client.get(address).text
    assert client.get(f"{ask}?seen={status.now().mark}").status_code == 204
    assert "The backup is being put back" in client.get(ask).text
    User.objects.create_superuser("olga", password=PASSWORD)
    assert client.get(ask)["HX-Redirect"] == reverse("login")
    assert client.get(ask).status_code == 404
