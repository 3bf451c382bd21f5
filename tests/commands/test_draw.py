"""`manage.py draw`: a draw with its certificate as JSON, or one line that says what is wrong and what is near."""

import json
import os
import subprocess
import sys
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tournament.seating.engine.draw import draw

ROOT = Path(__file__).parents[2]


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


def test_it_is_the_draw_of_the_engine() -> None:
    expected = draw(range(1, 17), 5, seed="one").to_json()
    assert printed("--players", "16", "--sessions", "5", "--seed", "one") == json.loads(json.dumps(expected))


def test_another_seed_is_another_draw() -> None:
    first, second = (printed("--players", "16", "--sessions", "2", "--seed", seed) for seed in "12")
    assert first["sessions"] != second["sessions"]
    assert first == printed("--players", "16", "--sessions", "2")


def test_team_mates_never_meet_and_club_mates_rarely() -> None:
    asked = ("--players", "32", "--sessions", "7")
    plain, by_team, by_club = (
        printed(*asked, *more) for more in ((), ("--teams-of", "4"), ("--clubs-of", "8"))
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


REFUSALS = {
    "18 5": "18 players do not fill whole tables. Still needed: 2.",
    "4 5": "4 players are too few: a draw starts at 8.",
    "10000 5": "10000 players are too many: a draw ends at 9996.",
    "16 0": "A tournament has at least one session.",
    "16 6 --no-repeats": "Nobody meeting twice is possible for 5 sessions, not for 6.",
    "16 5 --teams-of 4 --no-repeats": (
        "With 5 sessions nobody can meet twice only if team-mates or pairs to be kept apart meet."
        " For --sessions 4 both can be had."
    ),
    "16 5 --teams-of 3": "16 players do not make teams of 3: 12 or 24 players would.",
    "8 5 --teams-of 3": "8 players do not make teams of 3: 12 players would.",
    "16 5 --teams-of 0": "--teams-of must be at least 1.",
    "16 5 --clubs-of 0": "--clubs-of must be at least 1.",
    "16 5 --teams-of 8": "Team “1” has 8 players, more than the 4 tables.",
}
"""Players, sessions, and what else is asked for."""


def test_what_cannot_be_is_one_sentence_with_the_nearest_possible() -> None:
    asked = {line: line.split() for line in REFUSALS}
    refusals = {
        line: refusal("--players", players, "--sessions", sessions, *more)
        for line, (players, sessions, *more) in asked.items()
    }
    assert refusals == REFUSALS


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "code"), [("16", 0), ("18", 1)])
def test_a_shell_sees_json_or_an_exit_code(tmp_path: Path, players: str, code: int) -> None:
    """Without any database."""
    environment = os.environ | {"HULE_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "draw", "--players", players, "--sessions", "3"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (bool(done.stdout), bool(done.stderr)) == ((True, False) if code == 0 else (False, True))
    assert not list(tmp_path.glob("*.sqlite3"))
