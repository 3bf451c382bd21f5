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
    joining = tmp_path / "config" / "storage.py"
    (joining.parent / "joined").mkdir(parents=True)
    joining.write_text("# how files are kept")
    (joining.parent / "joined" / "sheets.py").write_text("# how sheets are joined")
    monkeypatch.setattr(static, "JOINING", joining)
    monkeypatch.setattr(static, "call_command", lambda *_, **__: None)
    static.collect()
    return joining


@pytest.mark.thorough
def test_what_is_as_it_was_is_left(collected: Path) -> None:
    assert not static.has_changed()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["storage.py", "joined/sheets.py"])
def test_what_is_joined_otherwise_is_collected_anew(collected: Path, name: str) -> None:
    (collected.parent / name).write_text("# in another way")
    assert static.has_changed()


def test_the_joining_is_where_it_is_looked_for() -> None:
    assert static.JOINING.exists()
    assert list(static.JOINING.parent.glob("joined/*.py"))
