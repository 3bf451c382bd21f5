"""Static files are collected anew when one of them, or how they are joined, is another than at the last start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tournament.management import static


@pytest.fixture
def collected(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The joining as it was at the last start; nothing is collected here."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    joining = tuple(tmp_path / "config" / path.name for path in static.JOINING)
    joining[0].parent.mkdir()
    for path in joining:
        path.write_text("# how files are joined, or kept")
    monkeypatch.setattr(static, "JOINING", joining)
    monkeypatch.setattr(static, "call_command", lambda *_, **__: None)
    static.collect()
    return tmp_path / "config"


@pytest.mark.thorough
def test_what_is_as_it_was_is_left(collected: Path) -> None:
    assert not static.has_changed()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["storage.py", "joined.py"])
def test_what_is_joined_otherwise_is_collected_anew(collected: Path, name: str) -> None:
    (collected / name).write_text("# in another way")
    assert static.has_changed()


def test_the_joining_is_where_it_is_looked_for() -> None:
    assert [path for path in static.JOINING if not path.exists()] == []
