"""The pages of the rules say what the engine does."""

from pathlib import Path

import pytest

from scoring.engine import FANS, MCR, RULEBOOKS, Fan

RULES = Path(__file__).parents[2] / "docs" / "rules"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for page in sorted(RULES.glob("fans-*.md"))
    for line in page.read_text(encoding="utf-8").splitlines()
    if line.startswith(("| MCR", "| Botzone"))
]


def test_every_fan_has_one_row() -> None:
    assert sorted(row[0] for row in ROWS) == sorted(fan.clause for fan in FANS)


@pytest.mark.parametrize("fan", FANS, ids=lambda fan: fan.key)
def test_its_name_points_and_exclusions(fan: Fan) -> None:
    (row,) = [row for row in ROWS if row[0] == fan.clause]
    assert row[1:3] == [f"{fan.en} {fan.zh_hans}", str(fan.points)]
    barred = [exclusion.bars.en for exclusion in MCR.exclusions if exclusion.fan is fan]
    assert all(name in row[4] for name in barred)
    assert bool(row[4]) == bool(barred)


def test_every_decision_is_written_down() -> None:
    text = (RULES / "decisions.md").read_text(encoding="utf-8")
    assert all(f"`{rule}`" in text for rule in MCR.clauses)
    assert all(clause in text for rulebook in RULEBOOKS for clause in rulebook.clauses.values())
