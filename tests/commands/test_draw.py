"""`manage.py draw`, `replay` and `games`: what they print, or one line that says what is wrong."""

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from scoring.games import Act, Deal, Event, RecordedScore
from scoring.games.deal import FourWalls
from tests.scoring.games.dealer import Dealer
from tests.scoring.games.writers import pku
from tests.scoring.random_hands import random_record
from tests.support.data import read_json
from tournament.base.models.log import LogEntry
from tournament.base.models.people import Player
from tournament.base.models.tournament import Tournament
from tournament.seating.engine.draw import draw

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


def printed(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("draw", *arguments, stdout=out)
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer


def met(answer: dict[str, Any]) -> list[tuple[int, int]]:
    tables = [table for session in answer["sessions"] for table in session["tables"]]
    return [pair for table in tables for pair in combinations(sorted(table.values()), 2)]


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as caught:
        printed(*arguments)
    return str(caught.value)


def test_it_prints_every_session_with_its_tables_and_the_certificate() -> None:
    answer = printed("--players", "24", "--sessions", "6", "--seed", "3 · 17")
    assert (answer["players"], answer["seed"], len(answer["sessions"])) == (24, "3 · 17", 6)
    for session in answer["sessions"]:
        assert all(list(table) == ["E", "S", "W", "N"] for table in session["tables"])
        seated = [player for table in session["tables"] for player in table.values()]
        assert sorted(seated) == list(range(1, 25))
    assert len(met(answer)) == len(set(met(answer)))
    quality = answer["quality"]
    assert (quality["repeats"], quality["repeats_minimum"]) == (0, 0)
    assert quality["wind_spread"] <= 1
    assert quality["table_most"] <= 2


def test_it_is_the_draw_of_the_engine_by_its_seed_or_by_1() -> None:
    plan = ("--players", "16", "--sessions", "5")
    for seed, arguments in (("one", (*plan, "--seed", "one")), ("1", plan)):
        expected = draw(range(1, 17), 5, seed=seed).to_json()
        assert printed(*arguments) == json.loads(json.dumps(expected))


def test_team_mates_never_meet_and_club_mates_rarely() -> None:
    options = ("--players", "32", "--sessions", "7")
    plain, by_team, by_club = (
        printed(*options, *more) for more in ((), ("--teams-of", "4"), ("--clubs-of", "8"))
    )
    assert by_team["quality"]["team_meetings"] == mates_met(by_team, 4) == 0
    assert by_club["quality"]["club_meetings"] == mates_met(by_club, 8) < mates_met(plain, 8) / 2


def mates_met(answer: dict[str, Any], size: int) -> int:
    """How often players met of one team or club of so many."""
    return sum((player - 1) // size == (other - 1) // size for player, other in met(answer))


def test_repeats_are_counted_against_the_proven_minimum() -> None:
    """Within the bound there need be none."""
    answer = printed("--players", "16", "--sessions", "7")
    assert answer["quality"]["repeats"] == len(met(answer)) - len(set(met(answer)))
    assert answer["quality"]["repeats"] >= answer["quality"]["repeats_minimum"] == 48
    assert printed("--players", "16", "--sessions", "5", "--no-repeats")["quality"]["repeats"] == 0


REFUSALS: dict[str, str] = read_json("draws-refused.json")
"""Players, sessions, and what else is asked for."""


def test_an_impossible_plan_names_the_nearest_possible() -> None:
    arguments = {line: line.split() for line in REFUSALS}
    refusals = {
        line: refusal("--players", players, "--sessions", sessions, *more)
        for line, (players, sessions, *more) in arguments.items()
    }
    assert refusals == REFUSALS


def started(data: Path, *words: str) -> tuple[int, str, str]:
    """Run manage.py in a process of its own; return its code, output and errors."""
    environment = os.environ | {"HULE_DATA_DIR": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.thorough
def test_a_shell_sees_json_without_any_database(tmp_path: Path) -> None:
    code, output, errors = started(tmp_path, "draw", "--players", "16", "--sessions", "3")
    assert (code, json.loads(output)["players"], errors) == (0, 16, "")
    assert not list(tmp_path.glob("*.sqlite3"))


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
    rows, output = replay(DATA / "evening.json")
    assert rows[0] == ["rank", "number", "name", "table_points", "game_points"]
    without_names = [[rank, number, points, game] for rank, number, _, points, game in rows]
    with (DATA / "evening-standings.csv").open(newline="") as file:
        assert without_names == list(csv.reader(file))
    assert [row[2] for row in rows[1:5]] == ["Mātīss 陈", "静 Zhang", "Tünde Dupont", "张伟"]
    assert Tournament.objects.get().slug == "evening-of-16"
    assert "evening-of-16" in output
    assert "To be corrected: session 2, table 1, hand 3: " in output


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_dry_run_saves_nothing(tmp_path: Path) -> None:
    rows, output = replay(first_session(tmp_path), dry_run=True)
    assert len(rows) == 17
    assert not Tournament.objects.exists()
    assert "Nothing was kept" in output


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_contradiction_is_one_line_and_saves_nothing(tmp_path: Path) -> None:
    file = first_session(tmp_path)
    data = json.loads(file.read_text("utf-8"))
    data["sessions"][0]["tables"][0]["hands"][5]["winner"] = 99
    file.write_text(json.dumps(data), "utf-8")
    with pytest.raises(CommandError) as caught:
        replay(file)
    assert str(caught.value) == "session 1, table 1, hand 6: Player 99 does not sit at this table."
    assert not any(model.objects.exists() for model in (Tournament, Player, LogEntry))


def test_a_binary_file_is_reported(tmp_path: Path) -> None:
    """A byte order mark is no fault."""
    lines = {b"\xef\xbb\xbf[]": "format: this is not a hule-transcript", b"\xff\xfe{}": "not text in UTF-8"}
    for content, line in lines.items():
        (file := tmp_path / "marked.json").write_bytes(content)
        with pytest.raises(CommandError, match=line):
            replay(file)
    with pytest.raises(CommandError, match=r"nowhere\.json cannot be read: No such file or directory\."):
        replay(tmp_path / "nowhere.json")


@pytest.mark.thorough
def test_a_fault_is_a_line_and_not_a_traceback(tmp_path: Path) -> None:
    """In a process of its own, with an empty data folder."""
    line = "The database is not prepared. Run first: python manage.py upgrade"
    assert started(tmp_path, "replay", "tests/data/evening.json") == (1, "", f"CommandError: {line}\n")


def games(file: Path, out: StringIO) -> str:
    call_command("games", str(file), stdout=out, stderr=out)
    return out.getvalue()


def random_deal() -> Deal:
    random = Random(5)
    return Dealer(random_record(random) | {"flowers": 0}, random, FourWalls(21)).deal()


def test_a_difference_is_explained_and_ends_with_1(tmp_path: Path) -> None:
    deal = random_deal()
    recorded = RecordedScore({"大四喜": 1, "天和": 1}, 88)
    (file := tmp_path / "games.txt").write_text(pku(replace(deal, recorded=recorded)), "utf-8")
    with pytest.raises(CommandError) as ended:
        games(file, out := StringIO())
    assert ended.value.returncode == 1
    assert "Big Four Winds was announced 1×, but counts 0×." in out.getvalue()
    assert "“天和” is no fan of these rules." in out.getvalue()
    assert "1 wins, 0 draws, 1 differ, 0 unreadable" in out.getvalue()


def test_draws_are_counted(tmp_path: Path) -> None:
    deal = random_deal()
    unfinished = replace(deal, events=deal.events[:-2], recorded=None)
    (file := tmp_path / "games.txt").write_text(pku(unfinished) + "\nHuang\nScore 0 0 0 0", "utf-8")
    assert "0 wins, 1 draws, 0 differ, 0 unreadable" in games(file, StringIO())


def test_an_invalid_deal_does_not_stop_the_next(tmp_path: Path) -> None:
    deal = random_deal()
    broken = replace(deal, events=(Event(Act.ADDED_KONG, 0, "1m"), *deal.events), recorded=None)
    (file := tmp_path / "games.txt").write_text(f"{pku(broken)}\n{pku(deal)}", "utf-8")
    with pytest.raises(CommandError):
        games(file, out := StringIO())
    assert "1 wins" in out.getvalue()
    assert "1 unreadable" in out.getvalue()
    with pytest.raises(CommandError, match="nowhere"):
        games(tmp_path / "nowhere.txt", StringIO())
