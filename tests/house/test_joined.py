"""One way to join texts: `scoring.texts.lists`, whose signs are translated."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIGNS = {", ", "; ", "、", "，", "；"}
MACHINE = """
    penalties/engine/rules/amounts.py penalties/engine/rules/cases.py penalties/engine/sanctions.py
    scoring/book/data.py scoring/book/terms.py scoring/engine/problems.py tournament/audit/__init__.py
    tournament/audit/fouls.py tournament/backup/tables.py tournament/engine/criteria.py
    tournament/engine/seating/errors.py tournament/errors.py tournament/exchange/ema_file.py
    tournament/exchange/records.py tournament/forms/fouls.py tournament/forms/numbers.py
    tournament/forms/staff.py tournament/live/page_keys.py tournament/management/upgrade.py
    tournament/models/prepared.py tournament/selectors/closing.py tournament/selectors/particulars.py
    tournament/views/organiser/draw.py
"""
"""Codes and params, faults for programmers and operators, SQL, cookies, what is typed on in a field: in no language."""


@pytest.mark.thorough
def test_nothing_that_people_read_is_joined_by_hand() -> None:
    """A sign between texts comes from `scoring.texts.lists`; elsewhere no comma and no semicolon joins strings."""
    by_hand = {
        str(path.relative_to(ROOT))
        for room in ("scoring", "penalties", "tournament")
        for path in (ROOT / room).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "join"
        if path.name != "lists.py"
        for sign in ast.walk(call.func.value)
        if isinstance(sign, ast.Constant) and sign.value in SIGNS
    }
    assert by_hand == set(MACHINE.split())
