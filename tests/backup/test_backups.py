"""A backup comes from anybody's hand: what is wrong with it is said; and its keeper's page says what would be lost."""

import hashlib
import json
import zipfile
from collections.abc import Callable
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
from tournament.backup import archive, manifest, shelf, status
from tournament.backup import services as backup_services
from tournament.backup.archive import opened
from tournament.backup.services import make_backup, restore_backup
from tournament.backup.shelf import gone
from tournament.base import database
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.play import Hand, Table
from tournament.base.models.tournament import Tournament
from tournament.base.problems import sentence
from tournament.events.services import delete_tournament

pytestmark = pytest.mark.django_db
HANDS, PLAYERS, LOG = (f"rows/tournament.{name}.jsonl" for name in ("Hand", "Player", "LogEntry"))
SEATS = "rows/tournament.Seat.jsonl"
Parts = dict[str, bytes]
Change = Callable[[dict[str, Any], Parts], object]
EVENT_WITH = {"players": 8, "sessions": 1, "running": 1}


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, settings: Any) -> Path:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "files"
    return tmp_path


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

    from tournament.backup import tasks

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


@pytest.fixture
def good(tmp_path: Path) -> Path:
    make_tournament(players=8, sessions=1, played=1)
    make_user()
    return make_backup(SYSTEM, path=tmp_path / "good.hule")


def changed(good: Path, change: Change, *, honest: bool = True) -> Path:
    """The backup with something changed; `honest`: its manifest says the sizes and hashes that are."""
    parts = parts_of(good)
    content = json.loads(parts.pop(manifest.NAME))
    change(content, parts)
    for part in (content["parts"] or []) if honest else []:
        data = parts.get(part["name"], b"")
        part |= {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        part["rows"] = data.count(b"\n") - 1 if part["name"].startswith("rows/") else 0
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


# --- changes to a good one ------------------------------------------------------------------------------------------
def with_part(name: str) -> Change:
    def change(content: dict[str, Any], parts: Parts) -> None:
        content["parts"].append({"name": name, "rows": 0, "size": 1, "sha256": ""})
        parts[name] = b"x\n"

    return change


def without_hands(content: dict[str, Any], parts: Parts) -> None:
    del parts[HANDS]
    content["parts"] = [part for part in content["parts"] if part["name"] != HANDS]


def with_field(name: str, value: object) -> Change:
    return lambda content, parts: content.update({name: value})


def replaced(part: str, old: bytes, new: bytes) -> Change:
    """At the first place."""
    return lambda content, parts: parts.update({part: parts[part].replace(old, new, 1)})


def longer(part: str, more: bytes) -> Change:
    return lambda content, parts: parts.update({part: parts[part] + more})


def row(part: str, column: str, value: object) -> Change:
    """A value in the first row."""

    def change(content: dict[str, Any], parts: Parts) -> None:
        names, first, *others = [json.loads(line) for line in parts[part].splitlines()]
        first[names.index(column)] = value
        parts[part] = b"".join(json.dumps(line).encode() + b"\n" for line in (names, first, *others))

    return change


ELSEWHERE = (
    "files/../../secret-key",
    "files/documents/../../secret-key",
    "/etc/passwd",
    "files//etc/passwd",
    "files/documents/.htaccess",
    "files/documents/a/b.pdf",
    "rows/auth.Permission.jsonl",
    "keys/secret-key",
)
UNREADABLE_ROWS = (b"[1]\n", b"{}\n", b"[[[[\n", b"\xff\n", b"[" * 100_000 + b"\n")
CHANGES: list[tuple[str, str, Change]] = [
    *(("backup_parts", f"a part {name}", with_part(name)) for name in ELSEWHERE),
    ("backup_parts", "not in the manifest", lambda content, parts: parts.update(more=b"x")),
    ("backup_parts", "a table is missing", without_hands),
    ("backup_newer", "another format", with_field("format", 2)),
    ("backup_layout", "another layout", with_field("layout", "another")),
    ("backup_unreadable", "tournaments that are no list", with_field("tournaments", {})),
    ("backup_unreadable", "no moment", with_field("made_at", "2026-05-02")),
    ("backup_unreadable", "negative accounts", with_field("accounts", -1)),
    ("backup_unreadable", "accounts that are no number", with_field("accounts", True)),
    ("backup_unreadable", "a version without end", with_field("version", "9" * 1000)),
    ("backup_unreadable", "no parts", with_field("parts", None)),
    ("backup_table", "a number that is a text", row(PLAYERS, "number", "seven")),
    ("backup_table", "no number", row(PLAYERS, "number", None)),
    ("backup_table", "a number that is an object", row(PLAYERS, "number", {})),
    ("backup_table", "a key too large", row(PLAYERS, "id", 10**30)),
    ("backup_ties", "of no tournament", row(PLAYERS, "tournament_id", 4711)),
    ("backup_chain", "an entry with other data", row(LOG, "data", {"name": "another"})),
    ("backup_chain", "an entry of another time", row(LOG, "at", "2026-01-01T00:00:00+00:00")),
    ("backup_differs", "scores that were touched up", row(SEATS, "game_points", 4000)),
    ("backup_layout", "columns of another version", replaced(PLAYERS, b'"club"', b'"clan"')),
    *(("backup_row", f"a row {line[:8]!r}", longer(HANDS, line)) for line in UNREADABLE_ROWS),
]
DISHONEST: list[tuple[str, str, Change]] = [
    ("backup_damaged", "changed after it was made", replaced(PLAYERS, b"CHN", b"CHM")),
    ("backup_damaged", "longer than its size", longer(HANDS, b"[]\n" * 10)),
    ("backup_too_large", "rows without end", lambda content, _: content["parts"][0].update(rows=10**9)),
]


@pytest.mark.thorough
def test_a_change_is_refused_and_the_unchanged_is_not(good: Path) -> None:
    codes = {name: refused(changed(good, change)) for _, name, change in CHANGES}
    codes |= {name: refused(changed(good, change, honest=False)) for _, name, change in DISHONEST}
    assert codes == {name: code for code, name, _ in CHANGES + DISHONEST}
    assert refused(changed(good, lambda content, parts: None)) == "it is put back"


@pytest.mark.thorough
def test_a_bomb_is_not_unpacked(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = changed(good, lambda content, parts: parts.update({HANDS: b"\0" * 30_000_000}))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert bomb.stat().st_size < 1_000_000
    assert refused(bomb) == "backup_too_large"


def test_a_file_that_is_no_backup_or_was_changed(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut off; or a byte turned in what a part says: its head in the ZIP has bytes that nobody reads."""
    whole = good.read_bytes()
    contents = [b"", b"PK", b"no archive at all", b"PK\x05\x06" + b"\0" * 18]
    contents += [whole[: int(len(whole) * share)] for share in (0.3, 0.9, 0.999)]
    codes = [refused(of_bytes(good, content)) for content in contents]
    assert codes == ["backup_unreadable"] * len(contents)
    for part in (manifest.NAME, PLAYERS, HANDS, LOG):
        changed_file = bytearray(whole)
        with zipfile.ZipFile(good) as file:
            info = file.getinfo(part)
        name, extra = (int.from_bytes(whole[info.header_offset + at :][:2], "little") for at in (26, 28))
        changed_file[info.header_offset + 30 + name + extra + info.compress_size // 2] ^= 0xFF
        code = refused(of_bytes(good, bytes(changed_file)))
        assert code in ("backup_damaged", "backup_unreadable", "backup_parts"), part
    # No more of a line is held than a row may have.
    monkeypatch.setattr(archive, "MOST_LINE", 50)
    with opened(good) as file, pytest.raises(Refused):
        list(file.rows(Player))


NOW = datetime(2026, 5, 2, 14, 35, tzinfo=UTC)


def every(minutes: int, hours: int) -> list[datetime]:
    """The newest five minutes ago."""
    return [NOW - timedelta(minutes=5 + minutes * step) for step in range(hours * 60 // minutes)]


def test_the_last_twelve_stay_then_the_newest_of_each_hour() -> None:
    assert gone(every(10, 2), NOW) == set()
    made = every(10, 10)
    kept = sorted(set(made) - gone(made, NOW), reverse=True)
    assert kept[:12] == made[:12]
    assert [f"{moment:%H:%M}" for moment in kept[12:]] == [f"{hour:02}:50" for hour in range(11, 3, -1)]


def test_after_a_day_the_newest_of_each_day_for_two_weeks() -> None:
    made = every(60, 24 * 30)
    kept = sorted(set(made) - gone(made, NOW), reverse=True)
    assert len(kept) == 24 + 13
    assert kept[-1] > NOW - timedelta(days=14)
    assert {moment.hour for moment in kept[25:]} == {23}


def test_whoever_comes_back_after_a_month_finds_the_last_evening() -> None:
    made = [moment - timedelta(days=30) for moment in every(10, 5)]
    assert set(made) - gone(made, NOW) == set(made[:12])
