"""The pages of the rules say what the engine does."""

import re
from pathlib import Path

from django.utils.translation import override

from penalties.engine import FOUL_BOOKS
from penalties.texts import foul_book_name
from scoring.book.decisions import rulebooks
from scoring.engine import FANS, MCR, RULEBOOKS, Fan
from scoring.texts import rulebook_name

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"


def cells(line: str) -> list[str]:
    """The cells of a line of a table."""
    return [cell.strip() for cell in line.strip("|").split("|")]


ROWS = [
    cells(line)
    for page in sorted(RULES.glob("fans-*.md"))
    for line in page.read_text(encoding="utf-8").splitlines()
    if line.startswith(("| MCR", "| Botzone"))
]


def barred_by(fan: Fan) -> str:
    """What the default rulebook bars beside a fan, clause by clause."""
    by_clause: dict[str, list[str]] = {}
    for bar in MCR.exclusions:
        if bar.fan is fan:
            at_most = f" (at most {bar.at_most})" if bar.at_most else ""
            by_clause.setdefault(bar.clause, []).append(bar.bars.en + at_most)
    return "; ".join(f"{', '.join(names)} ({clause})" for clause, names in by_clause.items())


def test_every_fan_has_one_row_with_its_name_points_and_exclusions() -> None:
    assert sorted(row[0] for row in ROWS) == sorted(fan.clause for fan in FANS)
    rows = {row[0]: [*row[1:3], row[4]] for row in ROWS}
    engine = {fan.clause: [f"{fan.en} {fan.zh_hans}", str(fan.points), barred_by(fan)] for fan in FANS}
    assert rows == engine


def test_every_rulebook_has_its_one_name() -> None:
    books = {book.key: book.name for book in rulebooks()}
    assert set(books) == {rulebook.key for rulebook in RULEBOOKS} | FOUL_BOOKS.keys()
    for language in ("en", "zh-hans", "zh-hant"):
        with override(language):
            names = {key: foul_book_name(book) for key, book in FOUL_BOOKS.items()}
            names |= {rulebook.key: rulebook_name(rulebook) for rulebook in RULEBOOKS}
        assert {key: name.in_language(language) for key, name in books.items()} == names
    assert [book.key for book in RULEBOOKS if books[book.key].en != book.name] == []


def test_the_pointer_to_the_decisions_leads_somewhere() -> None:
    text = (RULES / "decisions.md").read_text(encoding="utf-8")
    named = re.findall(r"`([\w/]+\.(?:py|toml|txt))`", text)
    data = {path.name for path in (ROOT / "scoring/book/pages/decisions").iterdir()}
    assert data == {Path(name).name for name in named if name.endswith(".toml")}
    assert all((ROOT / name).exists() for name in named if "/" in name)
