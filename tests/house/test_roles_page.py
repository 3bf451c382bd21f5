"""docs/roles.md has the table of roles and rights as the code has it."""

from pathlib import Path

from django.utils.translation import override

from tournament.base.access import RIGHTS, Right
from tournament.base.models.tournament import Role
from tournament.web.texts.words import ROLES

PAGE = Path(__file__).parents[2] / "docs" / "roles.md"


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
