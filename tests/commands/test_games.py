"""`manage.py games`: what other programs made of a win, held against the score."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from scoring.games import Act, Deal, Event, Recorded
from scoring.games.deal import FourWalls
from tests.scoring.games.dealer import Dealer
from tests.scoring.games.writers import pku
from tests.scoring.random_hands import random_record


def games(file: Path, out: StringIO) -> str:
    call_command("games", str(file), stdout=out, stderr=out)
    return out.getvalue()


def made() -> Deal:
    random = Random(5)
    return Dealer(random_record(random) | {"flowers": 0}, random, FourWalls(21)).deal()


def test_a_difference_is_explained_and_ends_with_1(tmp_path: Path) -> None:
    deal = made()
    recorded = Recorded({"大四喜": 1, "天和": 1}, 88)
    (file := tmp_path / "games.txt").write_text(pku(replace(deal, recorded=recorded)), "utf-8")
    with pytest.raises(CommandError) as ended:
        games(file, out := StringIO())
    assert ended.value.returncode == 1
    assert "Big Four Winds was announced 1×, but counts 0×." in out.getvalue()
    assert "“天和” is no fan of these rules." in out.getvalue()
    assert "1 wins, 0 draws, 1 differ, 0 unreadable" in out.getvalue()


def test_draws_are_counted(tmp_path: Path) -> None:
    deal = made()
    unfinished = replace(deal, events=deal.events[:-2], recorded=None)
    (file := tmp_path / "games.txt").write_text(pku(unfinished) + "\nHuang\nScore 0 0 0 0", "utf-8")
    assert "0 wins, 1 draws, 0 differ, 0 unreadable" in games(file, StringIO())


def test_one_deal_that_cannot_be_keeps_nobody_from_the_next(tmp_path: Path) -> None:
    deal = made()
    broken = replace(deal, events=(Event(Act.ADDED_KONG, 0, "1m"), *deal.events), recorded=None)
    (file := tmp_path / "games.txt").write_text(f"{pku(broken)}\n{pku(deal)}", "utf-8")
    with pytest.raises(CommandError):
        games(file, out := StringIO())
    assert "1 wins" in out.getvalue()
    assert "1 unreadable" in out.getvalue()
    with pytest.raises(CommandError, match="nowhere"):
        games(tmp_path / "nowhere.txt", StringIO())
