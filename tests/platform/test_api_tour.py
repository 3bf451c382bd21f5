"""docs/api.md is the tour for programs: every block of it runs, in its order, against a server with a worker."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import ROOT, make_place

PAGE = ROOT / "docs" / "api.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TOKEN = """
from django.contrib.auth.models import User
from tournament.services.signed_in import make_token
print(make_token(User.objects.create_user("olga", is_staff=True))[1])
"""


@contextmanager
def importing(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("hule_client", None)


def test_every_block_of_the_page_is_python() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python"}


@pytest.mark.thorough
def test_the_tour_runs_from_the_first_block_to_the_last(
    monkeypatch: pytest.MonkeyPatch, migrated: Path, collected: Path
) -> None:
    known: dict[str, Any] = {}
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
        importing(PAGE.parent / "client"),
    ):
        monkeypatch.setenv("HULE_URL", site.url)
        monkeypatch.setenv("HULE_TOKEN", place.python(TOKEN).strip())
        for _, block in BLOCKS:
            exec(compile(block, str(PAGE), "exec"), known)
