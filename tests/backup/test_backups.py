"""A backup comes from anybody's hand: what is wrong with it is said; and its keeper's page says what would be lost."""

import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.backup.conftest import packed, parts_of
from tests.support.factories import PASSWORD, SYSTEM, make_organiser, make_tournament, make_user, play_hands
from tests.support.pages import missing
from tournament.accounts import setup_code
from tournament.backup import manifest, status, storage
from tournament.backup import services as backup_services
from tournament.backup.services import make_backup, restore_backup
from tournament.backup.storage import expired
from tournament.base import database
from tournament.base.database import backup_folder
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Visit
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.events.services import delete_tournament

pytestmark = pytest.mark.django_db(transaction=True)
DATABASE = "database.sqlite3"
TRIGGER = "CREATE TRIGGER more AFTER INSERT ON auth_user BEGIN DELETE FROM auth_user; END"
Parts = dict[str, bytes]
Change = Callable[[dict[str, Any], Parts], object]
EVENT_WITH = {"players": 8, "sessions": 1, "running": 1}


@pytest.fixture
def keeper(client: Client, event: Tournament) -> Client:
    User.objects.create_superuser("olga", password=PASSWORD)
    assert client.login(username="olga", password=PASSWORD)
    return client


def uploaded(path: Path) -> SimpleUploadedFile:
    return SimpleUploadedFile("mine.hule", path.read_bytes())


def test_an_organiser_may_not_open_backup_pages(client: Client, event: Tournament) -> None:
    client.force_login(make_organiser(event))
    urls = [reverse(f"organiser_{name}") for name in ("backups", "backup_make", "backup_upload")]
    for url in (*urls, reverse("organiser_backup_file", args=["hule-2026-05-02-1431"])):
        assert (client.get(url).status_code, client.post(url).status_code) == (403, 403), url


def test_a_full_disk_is_reported_on_the_keepers_pages(
    keeper: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    from tournament.backup import tasks

    monkeypatch.setattr(backup_services, "write", full)
    tasks.keep_backups()
    assert "No space left" in caplog.text
    for page in ("organiser_backups", "organiser_home"):
        assert "No space left on device. Play continues" in keeper.get(reverse(page)).text
    monkeypatch.undo()
    tasks.keep_backups()
    assert "No space left" not in keeper.get(reverse("organiser_home")).text


def test_a_backup_is_downloaded_deleted_and_made(
    keeper: Client, django_capture_on_commit_callbacks: Any
) -> None:
    path = make_backup(SYSTEM)
    response = keeper.get(reverse("organiser_backup_file", args=[path.stem]))
    assert b"".join(response) == path.read_bytes()
    assert path.name in response["Content-Disposition"]
    keeper.post(reverse("organiser_backup_delete", args=[path.stem]))
    assert storage.stored_backups() == []
    with django_capture_on_commit_callbacks(execute=True):
        keeper.post(reverse("organiser_backup_make"))
    page = keeper.get(reverse("organiser_backups")).text
    assert missing(page, "on request (olga)", "Spring Open") == []


@pytest.mark.thorough
def test_a_restore_lists_losses_and_requires_the_name(keeper: Client) -> None:
    path, table = make_backup(SYSTEM), Table.objects.get(number=1)
    play_hands(table, 2)
    Client().login(username=make_user("later").username, password=PASSWORD)
    page = keeper.get(reverse("organiser_backup", args=[path.stem])).text
    assert "Log entries lost: 2, including hands and fouls: 2" in page
    response = keeper.post(reverse("organiser_backup", args=[path.stem]), {"name": "yes"})
    assert (response.status_code, Hand.objects.filter(table=table).count()) == (422, 3)
    response = keeper.post(reverse("organiser_backup", args=[path.stem]), {"name": path.stem})
    assert response["Location"] == reverse("organiser_backups")
    assert Hand.objects.filter(table=table).count() == 1
    after = keeper.get(response["Location"])
    assert after.status_code == 200, "who is signed in stays so"
    assert Visit.objects.count() == 1, "unless their account is not in the backup"
    assert "Everything has been restored to its state on" in after.text


def test_a_backup_tells_nobody_who_is_signed_in(keeper: Client) -> None:
    assert Visit.objects.exists()
    with closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(parts_of(make_backup(SYSTEM))[DATABASE])
        for table in ("tournament_visit", "axes_accesslog"):
            assert database.execute(f"SELECT count(*) FROM {table}").fetchall() == [(0,)]


def test_an_uploaded_backup_is_checked_before_a_restore(
    keeper: Client, event: Tournament, tmp_path: Path
) -> None:
    path = make_backup(SYSTEM, path=tmp_path / "mine.hule")
    delete_tournament(event, SYSTEM, name=event.name)
    response = keeper.post(reverse("organiser_backup_upload"), {"file": uploaded(path)})
    (backup,) = storage.stored_backups()
    assert response["Location"] == reverse("organiser_backup", args=[backup.name])
    assert "is restored" in keeper.get(response["Location"]).text
    assert not Tournament.objects.exists()


def test_an_invalid_file_is_not_stored(keeper: Client) -> None:
    response = keeper.post(reverse("organiser_backup_upload"), {"file": SimpleUploadedFile("a.hule", b"no")})
    assert (response.status_code, storage.stored_backups()) == (422, [])
    assert "This file is not a backup" in response.text
    for name in ("hule-2026-05-02-1431", "..", "restored"):
        for url in (f"/organiser/backups/{name}/file/", f"/organiser/backups/{name}/"):
            assert keeper.get(url).status_code in (301, 404), url


def test_a_write_during_a_restore_gets_503(keeper: Client, event: Tournament) -> None:
    address = reverse("organiser_new")
    with database.restore_lock():
        response = keeper.post(address, {})
        program = keeper.post("/api/v1/tournaments/", data="{}", content_type="application/json")
        assert keeper.get(reverse("organiser_home")).status_code == 200
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert "A backup is being restored" in response.text
    assert (program.status_code, program.json()["status"]) == (503, 503)
    assert keeper.post(address, {}).status_code == 422


def test_two_backups_do_not_run_at_the_same_time(keeper: Client) -> None:
    """Neither while one is under way nor while one is waited for."""
    path = make_backup(SYSTEM)
    restore = reverse("organiser_backup", args=[path.stem])
    with database.backup_lock():
        response = keeper.post(restore, {"name": path.stem}, follow=True)
    assert "The backup was not restored. Another backup or restore is under way." in response.text
    status.write(status.QUEUED)
    response = keeper.post(restore, {"name": path.stem})
    assert (response.status_code, status.current().what) == (422, status.BACKUP)
    assert "Another backup or restore is under way" in response.text


def test_the_progress_of_a_backup_is_shown(keeper: Client) -> None:
    status.write(status.RUNNING, 3, 20)
    assert "Creating the backup" in keeper.get(reverse("organiser_backups")).text
    address = reverse("organiser_backup_status")
    mark = status.current().mark
    assert keeper.get(f"{address}?seen={mark}", headers={"HX-Request": "true"}).status_code == 204
    status.write(status.DONE)
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
def test_a_first_restore_requires_the_setup_code(client: Client, elsewhere: Path) -> None:
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
    assert "Everything has been restored. Sign in with the account you had then." in response.text
    assert Tournament.objects.get().name == "Spring Open"
    assert client.login(username="olga", password=PASSWORD)
    assert client.get(address).status_code == 404


def test_the_progress_of_a_first_restore_is_shown_to_its_uploader(client: Client, elsewhere: Path) -> None:
    address, ask = reverse("setup_restore"), reverse("setup_restore_status")
    assert client.get(ask).status_code == 404
    client.post(address, {"code": setup_code.code()})
    assert "progress" not in client.get(address).text
    status.write(status.RUNNING, 1, 3, what=status.RESTORE)
    assert "Restoring the backup" in client.get(address).text
    assert client.get(f"{ask}?seen={status.current().mark}").status_code == 204
    assert "Restoring the backup" in client.get(ask).text
    User.objects.create_superuser("olga", password=PASSWORD)
    assert client.get(ask)["HX-Redirect"] == reverse("login")
    assert client.get(ask).status_code == 404


@pytest.fixture
def good(tmp_path: Path) -> Path:
    make_tournament(players=8, sessions=1, played=1)
    make_user()
    return make_backup(SYSTEM, path=tmp_path / "good.hule")


def changed(good: Path, change: Change, *, honest: bool = True) -> Path:
    """The backup with something changed; `honest`: its manifest has the hash of the database as it is."""
    parts = parts_of(good)
    content = json.loads(parts.pop(manifest.NAME))
    change(content, parts)
    if honest and DATABASE in parts:
        content["sha256"] = hashlib.sha256(parts[DATABASE]).hexdigest()
    return packed(good.with_name("bad.hule"), parts | {manifest.NAME: json.dumps(content).encode()})


def of_bytes(good: Path, content: bytes) -> Path:
    path = good.with_name("bad.hule")
    path.write_bytes(content)
    return path


def refused(path: Path) -> str:
    """The code, once it is sure that everything stands as it did."""
    before = (Tournament.objects.get().version, LogEntry.objects.count(), User.objects.count())
    try:
        restore_backup(SYSTEM, path)
    except Refused as refusal:
        problem = refusal.problems[0]
    else:
        return "it is put back"
    assert (Tournament.objects.get().version, LogEntry.objects.count(), User.objects.count()) == before
    assert sentence(problem)
    return problem.code


def test_what_a_killed_process_left_is_deleted_after_a_day(good: Path) -> None:
    new, old = (backup_folder() / name for name in (".dump-new", ".dump-old"))
    for folder in (new, old):
        folder.mkdir()
        (folder / DATABASE).touch()
    os.utime(old, (0, 0))
    make_backup(SYSTEM)
    assert (new.exists(), old.exists()) == (True, False)


# --- changes to a good one ------------------------------------------------------------------------------------------
def with_part(name: str) -> Change:
    return lambda content, parts: parts.update({name: b"x"})


def with_field(name: str, value: object) -> Change:
    return lambda content, parts: content.update({name: value})


def with_migration(name: str) -> Change:
    return lambda content, parts: content["migrations"].append(name)


def after(*statements: str) -> Change:
    """The database after these statements."""

    def change(content: dict[str, Any], parts: Parts) -> None:
        with closing(sqlite3.connect(":memory:")) as database:
            database.deserialize(parts[DATABASE])
            for statement in statements:
                database.execute(statement)
            database.commit()
            parts[DATABASE] = database.serialize()

    return change


def overwritten(content: dict[str, Any], parts: Parts) -> None:
    """A page in the middle of the database is not one."""
    parts[DATABASE] = parts[DATABASE][: 4096 * 9] + b"\x99" * 4096 + parts[DATABASE][4096 * 10 :]


ELSEWHERE = (
    "files/../../secret-key",
    "files/documents/../../secret-key",
    "/etc/passwd",
    "files//etc/passwd",
    "files/documents/.htaccess",
    "files/documents/a/b.pdf",
    "database.dump",
    "keys/secret-key",
)
CHANGES: list[tuple[str, str, Change]] = [
    *(("backup_parts", f"a part {name}", with_part(name)) for name in ELSEWHERE),
    ("backup_parts", "no database", lambda content, parts: parts.pop(DATABASE)),
    ("backup_newer", "another format", with_field("format", 2)),
    ("backup_newer", "a later migration", with_migration("tournament.0002_later")),
    ("backup_other_database", "another kind", with_field("database", "postgresql")),
    ("backup_unreadable", "tournaments that are none", with_field("tournaments", [{}])),
    ("backup_unreadable", "no moment", with_field("made_at", "yesterday")),
    ("backup_unreadable", "negative accounts", with_field("accounts", -1)),
    ("backup_unreadable", "accounts that are no number", with_field("accounts", True)),
    ("backup_unreadable", "a version without end", with_field("version", "9" * 1000)),
    ("backup_unreadable", "no migrations", with_field("migrations", None)),
    ("backup_unreadable", "a field too many", with_field("layout", "x")),
    ("backup_database", "no database at all", lambda content, parts: parts.update({DATABASE: b"no" * 5000})),
    ("backup_database", "a damaged page", overwritten),
    ("backup_database", "a trigger", after(TRIGGER)),
    ("backup_database", "a view", after("CREATE VIEW more AS SELECT 1")),
    ("backup_database", "a virtual table", after("CREATE VIRTUAL TABLE more USING fts5(text)")),
    ("backup_database", "a generated column", after("ALTER TABLE auth_user ADD one AS (1)")),
    ("backup_database", "a column too many", after("ALTER TABLE auth_user ADD one integer")),
    ("backup_database", "a table is missing", after("DROP TABLE tournament_announcement")),
    ("backup_database", "of no tournament", after("UPDATE tournament_player SET tournament_id = 4711")),
    ("backup_database", "a text for a number", after("UPDATE tournament_seat SET game_points = 'many'")),
    ("backup_differs", "another migration", with_migration("axes.0001_initial")),
    ("backup_differs", "scores that were touched up", after("UPDATE tournament_seat SET game_points = 4000")),
    (
        "backup_chain",
        "an entry with other data",
        after("""UPDATE tournament_logentry SET data = '{"name": "x"}'"""),
    ),
    (
        "backup_chain",
        "an entry of another time",
        after("UPDATE tournament_logentry SET at = '2026-01-01 00:00:00'"),
    ),
]
DISHONEST = after("UPDATE tournament_player SET club = 'Another'")


@pytest.mark.thorough
def test_only_an_unchanged_backup_is_accepted(good: Path) -> None:
    codes = {name: refused(changed(good, change)) for _, name, change in CHANGES}
    assert codes == {name: code for code, name, _ in CHANGES}
    assert refused(changed(good, DISHONEST, honest=False)) == "backup_damaged"
    assert refused(changed(good, lambda content, parts: None)) == "it is put back"


@pytest.mark.thorough
def test_a_zip_bomb_is_not_unpacked(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = changed(good, lambda content, parts: parts.update({DATABASE: b"\0" * 30_000_000}))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert bomb.stat().st_size < 1_000_000
    assert refused(bomb) == "backup_too_large"


def test_an_invalid_or_changed_file_is_refused(good: Path) -> None:
    """Cut off; or a byte turned in what a part says: its head in the ZIP has bytes that nobody reads."""
    original = good.read_bytes()
    contents = [b"", b"PK", b"no archive at all", b"PK\x05\x06" + b"\0" * 18]
    contents += [original[: int(len(original) * share)] for share in (0.3, 0.9, 0.999)]
    codes = [refused(of_bytes(good, content)) for content in contents]
    assert codes == ["backup_unreadable"] * len(contents)
    for part in (manifest.NAME, DATABASE):
        changed_file = bytearray(original)
        with zipfile.ZipFile(good) as file:
            info = file.getinfo(part)
        name, extra = (int.from_bytes(original[info.header_offset + at :][:2], "little") for at in (26, 28))
        changed_file[info.header_offset + 30 + name + extra + info.compress_size // 2] ^= 0xFF
        code = refused(of_bytes(good, bytes(changed_file)))
        assert code in ("backup_damaged", "backup_unreadable", "backup_parts"), part


NOW = datetime(2026, 5, 2, 14, 35, tzinfo=UTC)


def moments_every(minutes: int, hours: int) -> list[datetime]:
    """The newest five minutes ago."""
    return [NOW - timedelta(minutes=5 + minutes * step) for step in range(hours * 60 // minutes)]


def test_rotation_keeps_the_last_twelve_and_the_newest_of_each_hour() -> None:
    assert expired(moments_every(10, 2), NOW) == set()
    moments = moments_every(10, 10)
    remaining = sorted(set(moments) - expired(moments, NOW), reverse=True)
    assert remaining[:12] == moments[:12]
    assert [f"{moment:%H:%M}" for moment in remaining[12:]] == [f"{hour:02}:50" for hour in range(11, 3, -1)]
    month_ago = [moment - timedelta(days=30) for moment in moments_every(10, 5)]
    assert set(month_ago) - expired(month_ago, NOW) == set(month_ago[:12])


def test_rotation_keeps_the_newest_of_each_day_for_two_weeks() -> None:
    moments = moments_every(60, 24 * 30)
    remaining = sorted(set(moments) - expired(moments, NOW), reverse=True)
    assert len(remaining) == 24 + 13
    assert remaining[-1] > NOW - timedelta(days=14)
    assert {moment.hour for moment in remaining[25:]} == {23}
