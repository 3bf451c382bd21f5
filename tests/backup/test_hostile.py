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
from tournament.backup.services import make_backup, restore_backup
from tournament.base.errors import Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.web.texts.problems import sentence

pytestmark = pytest.mark.django_db

HANDS, PLAYERS, LOG = (f"rows/tournament.{name}.jsonl" for name in ("Hand", "Player", "LogEntry"))
SEATS = "rows/tournament.Seat.jsonl"
Parts = dict[str, bytes]
Change = Callable[[dict[str, Any], Parts], object]


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
