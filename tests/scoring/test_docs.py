"""The pages of the rules say what the engine does."""

from pathlib import Path

import pytest
from django.utils.translation import override

from penalties.engine import FOUL_BOOKS
from penalties.texts import foul_book_name
from scoring.engine import FANS, MCR, RULEBOOKS, Fan
from scoring.texts import rulebook_name

RULES = Path(__file__).parents[2] / "docs" / "rules"


def cells(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


ROWS = [
    cells(line)
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
    assert row[4] == barred_by(fan)


def barred_by(fan: Fan) -> str:
    """What the default rulebook bars beside a fan, clause by clause."""
    by_clause: dict[str, list[str]] = {}
    for one in MCR.exclusions:
        if one.fan is fan:
            at_most = f" (at most {one.at_most})" if one.at_most else ""
            by_clause.setdefault(one.clause, []).append(one.bars.en + at_most)
    return "; ".join(f"{', '.join(names)} ({clause})" for clause, names in by_clause.items())


def test_every_decision_is_written_down() -> None:
    text = (RULES / "decisions.md").read_text(encoding="utf-8")
    written = {
        row[0].strip("`"): [cell.replace("as `mcr`", row[1]) for cell in row[1:]]
        for row in (cells(line) for line in text.splitlines() if line.startswith("| `"))
        if len(row) == 1 + len(RULEBOOKS)
    }
    assert written == {rule: [book.clauses[rule] for book in RULEBOOKS] for rule in MCR.clauses}


def test_every_rulebook_and_its_one_name_is_written_down() -> None:
    text = (RULES / "decisions.md").read_text(encoding="utf-8")
    written = {
        row[0].strip("`"): row[1:4]
        for row in (cells(line) for line in text.splitlines() if line.startswith("| `"))
        if len(row) == 7
    }
    assert set(written) == {rulebook.key for rulebook in RULEBOOKS} | FOUL_BOOKS.keys()
    for place, language in enumerate(("en", "zh-hans", "zh-hant")):
        with override(language):
            names = {key: foul_book_name(book) for key, book in FOUL_BOOKS.items()}
            names |= {rulebook.key: rulebook_name(rulebook) for rulebook in RULEBOOKS}
        assert {key: row[place] for key, row in written.items()} == names
    assert {rulebook.key: written[rulebook.key][0] for rulebook in RULEBOOKS} == {
        rulebook.key: rulebook.name for rulebook in RULEBOOKS
    }
