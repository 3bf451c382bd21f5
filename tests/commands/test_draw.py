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

from tournament.engine.seating import draw

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
    one, two = (printed("--players", "16", "--sessions", "2", "--seed", seed) for seed in "12")
    assert one["sessions"] != two["sessions"]
    assert one == printed("--players", "16", "--sessions", "2")


def test_team_mates_never_meet() -> None:
    answer = printed("--players", "32", "--sessions", "7", "--teams-of", "4")
    assert not any((one - 1) // 4 == (other - 1) // 4 for one, other in met(answer))
    assert answer["quality"]["team_meetings"] == 0


def test_club_mates_rarely_meet() -> None:
    asked = ("--players", "32", "--sessions", "7")
    plain, kept = printed(*asked), printed(*asked, "--clubs-of", "8")
    clubs_met = [
        sum((one - 1) // 8 == (other - 1) // 8 for one, other in met(answer)) for answer in (plain, kept)
    ]
    assert kept["quality"]["club_meetings"] == clubs_met[1] < clubs_met[0] / 2


def test_past_the_bound_repeats_are_counted_against_the_proven_minimum() -> None:
    answer = printed("--players", "16", "--sessions", "7")
    assert answer["quality"]["repeats"] == len(met(answer)) - len(set(met(answer)))
    assert answer["quality"]["repeats"] >= answer["quality"]["repeats_minimum"] == 48


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--players", "18", "--sessions", "5"), "18 players do not fill whole tables. Still needed: 2."),
        (("--players", "4", "--sessions", "5"), "4 players are too few: a draw starts at 8."),
        (("--players", "10000", "--sessions", "5"), "10000 players are too many: a draw ends at 9996."),
        (("--players", "16", "--sessions", "0"), "A tournament has at least one session."),
        (
            ("--players", "16", "--sessions", "6", "--no-repeats"),
            "Nobody meeting twice is possible for 5 sessions, not for 6.",
        ),
        (
            ("--players", "16", "--sessions", "5", "--teams-of", "4", "--no-repeats"),
            "With 5 sessions nobody can meet twice only if team-mates or pairs to be kept apart meet."
            " For --sessions 4 both can be had.",
        ),
        (
            ("--players", "16", "--sessions", "5", "--teams-of", "3"),
            "16 players do not make teams of 3: 12 or 24 players would.",
        ),
        (
            ("--players", "8", "--sessions", "5", "--teams-of", "3"),
            "8 players do not make teams of 3: 12 players would.",
        ),
        (("--players", "16", "--sessions", "5", "--teams-of", "0"), "--teams-of must be at least 1."),
        (("--players", "16", "--sessions", "5", "--clubs-of", "0"), "--clubs-of must be at least 1."),
        (
            ("--players", "16", "--sessions", "5", "--teams-of", "8"),
            "Team “1” has 8 players, more than the 4 tables.",
        ),
    ],
)
def test_what_cannot_be_is_one_sentence_with_the_nearest_possible(
    arguments: tuple[str, ...], said: str
) -> None:
    assert refusal(*arguments) == said


def test_without_repeats_as_far_as_that_goes() -> None:
    assert printed("--players", "16", "--sessions", "5", "--no-repeats")["quality"]["repeats"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("players", "code"), [("16", 0), ("18", 1)])
def test_a_shell_without_any_database_sees_json_or_an_exit_code(
    tmp_path: Path, players: str, code: int
) -> None:
    environment = os.environ | {"HULE_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "draw", "--players", players, "--sessions", "3"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert (bool(done.stdout), bool(done.stderr)) == ((True, False) if code == 0 else (False, True))
    assert not list(tmp_path.glob("*.sqlite3"))
