"""What the desk fetches to go on without a network: the engines' sources, the words, the service worker."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import TILES, make_tournament, make_umpire
from tournament.base.engine.rules import rules_named
from tournament.base.models.tournament import Tournament
from tournament.play.views import desk

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from {module} import answer
print(answer(sys.stdin.read()))
"""


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(sessions=1, running=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where nothing but the engines is installed."""
    folder = tmp_path_factory.mktemp("engines")
    zipfile.ZipFile(io.BytesIO(desk.engines())).extractall(folder)
    return folder


def preview_offline(folder: Path, hand: dict[str, object], **more: object) -> dict[str, Any]:
    seats = {"E": 1, "S": 2, "W": 3, "N": 4}
    return ask_engine(
        folder, "tournament.play.engine.preview", {"seats": seats, "number": 1, "hand": hand, **more}
    )


def ask_engine(folder: Path, module: str, question: dict[str, object]) -> dict[str, Any]:
    """What the engines say in a process of their own."""
    question = {"rules": rules_named("mcr").to_json(), **question}
    command = [sys.executable, "-I", "-S", "-c", ASK.format(module=module), str(folder)]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def won(**how: object) -> dict[str, object]:
    return {"outcome": "win", "winner": 1, "discarder": 2, **how}


@pytest.mark.thorough
def test_the_engines_judge_a_hand_with_nothing_else_installed(folder: Path) -> None:
    verdict = preview_offline(folder, won(tiles=TILES["seven_pairs"]))
    assert verdict["points"] == 25
    assert verdict["payments"] == {"1": 49, "2": -33, "3": -8, "4": -8}
    tiles = dict(TILES["seven_pairs"], concealed=TILES["seven_pairs"]["concealed"][:-1], winning_tile=None)
    assert preview_offline(folder, won(tiles=tiles))["outlook"]["tiles"] == ["9s"]


@pytest.mark.thorough
def test_problems_come_as_codes_with_their_place(folder: Path) -> None:
    """An empty seat wins nothing without a network either."""
    for hand, code, where in (
        (won(discarder=1, points=12), "discarder_is_winner", "discarder"),
        (won(points=12, absent=[1]), "seat_empty", "winner"),
    ):
        problems = preview_offline(folder, hand)["problems"]
        assert [(problem["code"], problem["where"]) for problem in problems] == [(code, where)]
    about = {"name": "Håkan", "hand": 1, "foul": "False hu"}
    claimed = won(winner=3, discarder=1, points=12, claimants=[2])
    assert preview_offline(folder, claimed, barred={"2": about})["problems"] == []
    verdict = preview_offline(folder, claimed | {"winner": 2, "claimants": [3]}, barred={"2": about})
    assert verdict["problems"] == [{"code": "dead_hand", "where": "winner", "params": about}]


@pytest.mark.thorough
def test_the_engines_judge_a_foul_with_nothing_else_installed(folder: Path) -> None:
    question: dict[str, object] = {"session": 1, "scores": {"1": 0, "2": 0, "3": 0, "4": 0}, "earlier": []}
    accusation = {"player": 1, "foul": "false_hu", "hand_number": 1}
    verdict = ask_engine(folder, "tournament.fouls.engine", question | {"accusation": accusation})
    assert verdict["proposal"]["effects"] == {"1": -60, "2": 20, "3": 20, "4": 20}


def test_the_engines_are_kept_and_the_service_worker_is_asked_for_anew(client: Client) -> None:
    first = desk.engines()
    desk.engines.cache_clear()
    assert desk.engines() == first
    answer = client.get(reverse("desk_engines", args=[desk.engines_digest()]))
    assert answer["Content-Type"] == "application/zip"
    assert "immutable" in answer["Cache-Control"]
    assert client.get(reverse("desk_engines", args=["0123456789ab"])).status_code == 404
    url = reverse("desk_service_worker")
    assert url == "/umpire/service-worker.js"
    answer = client.get(url)
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]


def test_words_and_rules_are_for_the_people_of_the_event(client: Client, tournament: Tournament) -> None:
    client.force_login(make_umpire(tournament))
    client.cookies["django_language"] = "zh-hans"
    words = client.get(reverse("desk_words", args=[tournament.slug])).json()
    assert words["sentences"]["winner_missing"] == "谁和牌？请选择和牌者。"
    assert words["rules"] == tournament.rules_snapshot
    client.force_login(make_umpire(make_tournament(name="Elsewhere", sessions=1), "ueli"))
    assert client.get(reverse("desk_words", args=[tournament.slug])).status_code == 403
