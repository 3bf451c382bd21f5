"""docs/roles.md has the rights as the code has them; docs/security.md promises nothing that no test holds."""

import re
from pathlib import Path

from django.utils.translation import override

from tournament.base.access import RIGHTS, Right
from tournament.base.models.tournament import Role
from tournament.web.texts.words import ROLES

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/security.md").read_text("utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(?:\w+::)?(\w+)`", TEXT)


def test_the_page_has_the_rights_and_the_table_of_the_code() -> None:
    with override("en"):
        rows = [
            f"| {role.label} | {' | '.join('x' if right in RIGHTS[role] else '' for right in Right)} |"
            for role in Role
        ]
    wanted = [row.replace("|  |", "| |").replace("|  |", "| |") for row in rows]
    assert [row for row in wanted if row not in PAGE.read_text("utf-8")] == []
    text = PAGE.read_text("utf-8")
    assert [right.value for right in Right if f"\n| {right.value} | " not in text] == []


def test_every_role_has_rights_and_is_said() -> None:
    assert set(RIGHTS) == set(ROLES) == set(Role)


def functions(file: str) -> set[str]:
    return set(re.findall(r"^ *(?:async )?def (\w+)\(", (ROOT / file).read_text("utf-8"), re.MULTILINE))


def test_every_promise_names_tests_that_there_are() -> None:
    known = {file: functions(file) for file in {file for file, _ in NAMED}}
    assert [f"{file}::{name}" for file, name in NAMED if name not in known[file]] == []
    lines = [line for line in TEXT.splitlines() if line.startswith("| ")]
    promises = [line for line in lines if not line.startswith(("| who would", "| what happens"))]
    assert len(promises) > 30
    assert [line for line in promises if "::" not in line] == []
