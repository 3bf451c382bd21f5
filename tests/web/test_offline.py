"""What the desk fetches to go on without a network: the engines' sources, the words, the service worker."""

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import TILES, make_tournament, make_umpire
from tournament.engine.rules import rules_named
from tournament.models import Tournament
from tournament.views.umpire import engines

pytestmark = pytest.mark.django_db

ASK = """
import sys
sys.path.insert(0, sys.argv[1])
from tournament.engine.opinion import answer
print(answer(sys.stdin.read()))
"""


@pytest.fixture
def tournament() -> Tournament:
    return make_tournament(sessions=1, running=0)


def asked(tmp_path: Path, hand: dict[str, object], **more: object) -> dict[str, object]:
    """What the engines say where nothing but them is installed."""
    zipfile.ZipFile(io.BytesIO(engines.engines())).extractall(tmp_path)
    question = {
        "rules": rules_named("mcr").to_json(),
        "seats": {"E": 1, "S": 2, "W": 3, "N": 4},
        "number": 1,
        "hand": hand,
        **more,
    }
    command = [sys.executable, "-I", "-S", "-c", ASK, str(tmp_path)]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_the_engines_judge_a_hand_with_nothing_else_installed(tmp_path: Path) -> None:
    hand = {"outcome": "win", "winner": 1, "discarder": 2, "tiles": TILES["seven_pairs"]}
    found = asked(tmp_path, hand)
    assert found["points"] == 25
    assert found["payments"] == {"1": 49, "2": -33, "3": -8, "4": -8}


def test_they_look_ahead_while_tiles_are_missing(tmp_path: Path) -> None:
    tiles = dict(TILES["seven_pairs"], concealed=TILES["seven_pairs"]["concealed"][:-1], winning_tile=None)
    found = asked(tmp_path, {"outcome": "win", "winner": 1, "discarder": 2, "tiles": tiles})
    assert found["outlook"]["tiles"] == ["9s"]  # type: ignore[index]


def test_problems_come_as_codes_with_their_place(tmp_path: Path) -> None:
    found = asked(tmp_path, {"outcome": "win", "winner": 1, "discarder": 1, "points": 12})
    assert [(one["code"], one["where"]) for one in found["problems"]] == [  # type: ignore[attr-defined]
        ("discarder_is_winner", "discarder")
    ]


def test_who_has_a_dead_hand_wins_nothing_there_either(tmp_path: Path) -> None:
    about = {"name": "Håkan", "hand": 1, "foul": "False hu"}
    claimed = {"outcome": "win", "winner": 3, "discarder": 1, "points": 12, "claimants": [2]}
    assert asked(tmp_path, claimed, barred={"2": about})["problems"] == []
    found = asked(tmp_path, claimed | {"winner": 2, "claimants": [3]}, barred={"2": about})
    assert found["problems"] == [{"code": "dead_hand", "where": "winner", "params": about}]


def test_an_empty_seat_wins_nothing_without_a_network_either(tmp_path: Path) -> None:
    found = asked(tmp_path, {"outcome": "win", "winner": 1, "discarder": 2, "points": 12, "absent": [1]})
    assert [(one["code"], one["where"]) for one in found["problems"]] == [  # type: ignore[attr-defined]
        ("seat_empty", "winner")
    ]


def test_the_same_sources_make_the_same_file() -> None:
    first = engines.engines()
    engines.engines.cache_clear()
    assert engines.engines() == first


def test_the_engines_are_kept_for_good_under_their_digest(client: Client) -> None:
    answer = client.get(reverse("desk_engines", args=[engines.engines_digest()]))
    assert answer["Content-Type"] == "application/zip"
    assert "immutable" in answer["Cache-Control"]
    assert client.get(reverse("desk_engines", args=["0123456789ab"])).status_code == 404


def test_every_code_has_its_words_in_the_reader_s_language(client: Client, tournament: Tournament) -> None:
    client.force_login(make_umpire(tournament))
    client.cookies["django_language"] = "zh-hans"
    words = client.get(reverse("desk_words", args=[tournament.slug])).json()
    assert words["sentences"]["winner_missing"] == "谁和牌？请选择和牌者。"
    assert words["rules"] == tournament.rules_snapshot


def test_the_words_are_for_the_people_of_the_tournament(client: Client, tournament: Tournament) -> None:
    client.force_login(make_umpire(make_tournament(name="Elsewhere", sessions=1), "ueli"))
    assert client.get(reverse("desk_words", args=[tournament.slug])).status_code == 403


def test_the_service_worker_rules_the_umpire_s_pages_and_is_asked_for_anew(client: Client) -> None:
    url = reverse("desk_service_worker")
    assert url == "/umpire/service-worker.js"
    answer = client.get(url)
    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-cache" in answer["Cache-Control"]
