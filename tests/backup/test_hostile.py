"""A backup comes from anybody's hand: what is wrong with it is said in a sentence, and nothing has changed."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.backup.conftest import packed, parts_of
from tests.support.factories import SYSTEM, make_tournament, make_user
from tournament.backup import archive, manifest
from tournament.backup.archive import opened
from tournament.errors import Refused
from tournament.models import LogEntry, Player, Tournament
from tournament.services.backups import make_backup
from tournament.services.restores import restore_backup
from tournament.words.problems import sentence

pytestmark = pytest.mark.django_db

HANDS, PLAYERS, LOG = (f"rows/tournament.{name}.jsonl" for name in ("Hand", "Player", "LogEntry"))
Parts = dict[str, bytes]


@pytest.fixture
def good(tmp_path: Path) -> Path:
    make_tournament(players=8, sessions=1, played=1)
    make_user()
    return make_backup(SYSTEM, path=tmp_path / "good.hule")


def changed(good: Path, change: Callable[[dict[str, Any], Parts], None], *, honest: bool = True) -> Path:
    """The backup with something changed; `honest`: its manifest says the sizes and hashes that are."""
    parts = parts_of(good)
    said = json.loads(parts.pop(manifest.NAME))
    change(said, parts)
    for part in (said["parts"] or []) if honest else []:
        content = parts.get(part["name"], b"")
        part |= {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        part["rows"] = content.count(b"\n") - 1 if part["name"].startswith("rows/") else 0
    return packed(good.with_name("bad.hule"), parts | {manifest.NAME: json.dumps(said).encode()})


def refused(path: Path) -> str:
    """The code, once it is sure that everything stands as it did."""
    before = (Tournament.objects.get().version, LogEntry.objects.count(), User.objects.count())
    with pytest.raises(Refused) as refusal:
        restore_backup(SYSTEM, path)
    assert (Tournament.objects.get().version, LogEntry.objects.count(), User.objects.count()) == before
    assert sentence(refusal.value.problems[0])
    return refusal.value.problems[0].code


def test_it_is_the_change_that_is_refused(good: Path) -> None:
    restore_backup(SYSTEM, changed(good, lambda said, parts: None))


def renamed(name: str) -> Callable[[dict[str, Any], Parts], None]:
    def change(said: dict[str, Any], parts: Parts) -> None:
        said["parts"].append({"name": name, "rows": 0, "size": 1, "sha256": ""})
        parts[name] = b"x\n"

    return change


@pytest.mark.parametrize(
    "name",
    [
        "files/../../secret-key",
        "files/documents/../../secret-key",
        "/etc/passwd",
        "files//etc/passwd",
        "files/documents/.htaccess",
        "files/documents/a/b.pdf",
        "rows/auth.Permission.jsonl",
        "keys/secret-key",
    ],
)
def test_a_name_that_leads_elsewhere(good: Path, name: str) -> None:
    assert refused(changed(good, renamed(name))) == "backup_parts"


def test_a_part_that_the_manifest_does_not_name(good: Path) -> None:
    assert refused(changed(good, lambda said, parts: parts.update(more=b"x"))) == "backup_parts"


def test_a_table_that_is_missing(good: Path) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        del parts[HANDS]
        said["parts"] = [part for part in said["parts"] if part["name"] != HANDS]

    assert refused(changed(good, change)) == "backup_parts"


def test_a_part_that_was_changed_after_it_was_made(good: Path) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        parts[PLAYERS] = parts[PLAYERS].replace(b"CHN", b"CHM")

    assert refused(changed(good, change, honest=False)) == "backup_damaged"


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("format", 2, "backup_newer"),
        ("layout", "another", "backup_layout"),
        ("tournaments", {}, "backup_unreadable"),
        ("made_at", "2026-05-02", "backup_unreadable"),
        ("accounts", -1, "backup_unreadable"),
        ("accounts", True, "backup_unreadable"),
        ("version", "9" * 1000, "backup_unreadable"),
        ("parts", None, "backup_unreadable"),
    ],
)
def test_a_manifest_of_another_kind(good: Path, key: str, value: object, code: str) -> None:
    assert refused(changed(good, lambda said, parts: said.update({key: value}))) == code


def test_more_rows_than_any_installation_has(good: Path) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        said["parts"][0]["rows"] = 10**9

    assert refused(changed(good, change, honest=False)) == "backup_too_large"


def test_a_bomb_is_not_unpacked(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = changed(good, lambda said, parts: parts.update({HANDS: b"\0" * 30_000_000}))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("it was unpacked"))
    assert bomb.stat().st_size < 1_000_000
    assert refused(bomb) == "backup_too_large"


def test_a_part_that_is_longer_than_its_size_is_not_read_to_its_end(good: Path) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        parts[HANDS] += b"[]\n" * 10

    assert refused(changed(good, change, honest=False)) == "backup_damaged"


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive at all", b"PK\x05\x06" + b"\0" * 18])
def test_a_file_that_is_no_backup(good: Path, content: bytes) -> None:
    bad = good.with_name("bad.hule")
    bad.write_bytes(content)
    assert refused(bad) == "backup_unreadable"


@pytest.mark.parametrize("share", [0.3, 0.9, 0.999])
def test_a_file_that_was_cut_off(good: Path, share: float) -> None:
    bad = good.with_name("bad.hule")
    whole = good.read_bytes()
    bad.write_bytes(whole[: int(len(whole) * share)])
    assert refused(bad) == "backup_unreadable"


@pytest.mark.parametrize("part", [manifest.NAME, PLAYERS, HANDS, LOG])
def test_a_byte_that_turned(good: Path, part: str) -> None:
    """In what a part says; its head in the ZIP has bytes that nobody reads."""
    whole = bytearray(good.read_bytes())
    with zipfile.ZipFile(good) as file:
        info = file.getinfo(part)
    name, extra = (int.from_bytes(whole[info.header_offset + at :][:2], "little") for at in (26, 28))
    whole[info.header_offset + 30 + name + extra + info.compress_size // 2] ^= 0xFF
    bad = good.with_name("bad.hule")
    bad.write_bytes(whole)
    assert refused(bad) in ("backup_damaged", "backup_unreadable", "backup_parts")


def row_changed(part: str, column: str, value: object) -> Callable[[dict[str, Any], Parts], None]:
    def change(said: dict[str, Any], parts: Parts) -> None:
        names, first, *others = [json.loads(line) for line in parts[part].splitlines()]
        first[names.index(column)] = value
        parts[part] = b"".join(json.dumps(line).encode() + b"\n" for line in (names, first, *others))

    return change


@pytest.mark.parametrize(
    ("part", "column", "value", "code"),
    [
        (PLAYERS, "number", "seven", "backup_table"),
        (PLAYERS, "number", None, "backup_table"),
        (PLAYERS, "number", {}, "backup_table"),
        (PLAYERS, "id", 10**30, "backup_table"),
        (PLAYERS, "tournament_id", 4711, "backup_ties"),
        (LOG, "data", {"name": "another"}, "backup_chain"),
        (LOG, "at", "2026-01-01T00:00:00+00:00", "backup_chain"),
    ],
)
def test_a_row_that_does_not_belong(good: Path, part: str, column: str, value: object, code: str) -> None:
    assert refused(changed(good, row_changed(part, column, value))) == code


def test_scores_that_were_touched_up(good: Path) -> None:
    change = row_changed("rows/tournament.Seat.jsonl", "game_points", 4000)
    assert refused(changed(good, change)) == "backup_differs"


@pytest.mark.parametrize("line", [b"[1]\n", b"{}\n", b"[[[[\n", b"\xff\n", b"[" * 100_000 + b"\n"])
def test_a_row_that_cannot_be_read(good: Path, line: bytes) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        parts[HANDS] += line

    assert refused(changed(good, change)) == "backup_row"


def test_columns_of_another_version(good: Path) -> None:
    def change(said: dict[str, Any], parts: Parts) -> None:
        parts[PLAYERS] = parts[PLAYERS].replace(b'"club"', b'"clan"', 1)

    assert refused(changed(good, change)) == "backup_layout"


def test_no_more_of_a_line_is_held_than_a_row_may_have(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_LINE", 50)
    with opened(good) as file, pytest.raises(Refused):
        list(file.rows(Player))
