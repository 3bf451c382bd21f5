"""`manage.py replay`: prints the standings of a transcript as CSV, or one line that says what is wrong."""

import csv
import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def replay(file: Path, **options: bool) -> tuple[list[list[str]], str]:
    out, err = StringIO(), StringIO()
    call_command("replay", str(file), stdout=out, stderr=err, **options)
    return list(csv.reader(StringIO(out.getvalue()))), err.getvalue()


def first_session(tmp_path: Path) -> Path:
    """The evening's first session as a tournament of its own."""
    data = json.loads((DATA / "evening.json").read_text("utf-8"))
    data["tournament"]["sessions"] = 1
    del data["sessions"][1:]
    file = tmp_path / "first-session.json"
    file.write_text(json.dumps(data), "utf-8")
    return file


@pytest.mark.thorough
@pytest.mark.django_db
def test_it_prints_the_true_standings_with_the_names_and_keeps_the_tournament() -> None:
    rows, said = replay(DATA / "evening.json")
    assert rows[0] == ["rank", "number", "name", "table_points", "game_points"]
    without_names = [[rank, number, points, game] for rank, number, _, points, game in rows]
    with (DATA / "evening-standings.csv").open(newline="") as file:
        assert without_names == list(csv.reader(file))
    assert [row[2] for row in rows[1:5]] == ["Mātīss 陈", "静 Zhang", "Tünde Dupont", "张伟"]
    assert Tournament.objects.get().slug == "evening-of-16"
    assert "evening-of-16" in said
    assert "To be corrected: session 2, table 1, hand 3: " in said


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_dry_run_keeps_nothing(tmp_path: Path) -> None:
    rows, said = replay(first_session(tmp_path), dry_run=True)
    assert len(rows) == 17
    assert not Tournament.objects.exists()
    assert "Nothing was kept" in said


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_contradiction_is_one_line_and_keeps_nothing(tmp_path: Path) -> None:
    file = first_session(tmp_path)
    data = json.loads(file.read_text("utf-8"))
    data["sessions"][0]["tables"][0]["hands"][5]["winner"] = 99
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(CommandError) as caught:
        replay(file)
    assert str(caught.value) == "session 1, table 1, hand 6: Player 99 does not sit at this table."
    assert not any(model.objects.exists() for model in (Tournament, Player, LogEntry))


def test_a_file_that_is_not_text_is_said(tmp_path: Path) -> None:
    """A byte order mark is no fault."""
    lines = {b"\xef\xbb\xbf[]": "format: this is not a hule-transcript", b"\xff\xfe{}": "not text in UTF-8"}
    for content, line in lines.items():
        (file := tmp_path / "marked.json").write_bytes(content)
        with pytest.raises(CommandError, match=line):
            replay(file)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("nowhere.json", "nowhere.json cannot be read: No such file or directory."),
        ("tests/data/evening.json", "The database is not prepared. Run first: python manage.py upgrade"),
    ],
)
def test_a_fault_is_a_line_and_not_a_traceback(tmp_path: Path, file: str, line: str) -> None:
    """In a process of its own, with an empty data folder."""
    environment = os.environ | {"HULE_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "replay", file]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"CommandError: {line}\n")
