"""A day is written in one way, on every page and in every document."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.template import engines
from django.utils import translation

from tournament.words.days import days_text, time_text

TEMPLATES = Path(__file__).parents[2] / "templates"
SAID = re.compile(r"""\|(?:date|time):(_\()?["']([^"']*)["']""")
ALLOWED = {"c", "H:i", "H:i:s"}
"""For machines, and the time alone; days have names of formats (config/formats)."""


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda p: p.name)
def test_a_page_names_no_format_of_its_own(path: Path) -> None:
    formats = {found[2] for found in SAID.finditer(path.read_text())}
    assert {name for name in formats if not name.endswith("_FORMAT")} <= ALLOWED


@pytest.mark.parametrize(
    ("language", "first", "last", "said"),
    [
        ("en", date(2026, 11, 14), date(2026, 11, 14), "14 November 2026"),
        ("en", date(2026, 11, 14), date(2026, 11, 15), "14–15 November 2026"),
        ("en", date(2026, 11, 30), date(2026, 12, 1), "30 November 2026 – 1 December 2026"),
        ("zh-hans", date(2026, 11, 14), date(2026, 11, 15), "2026年11月14–15日"),
        ("zh-hant", date(2026, 11, 30), date(2026, 12, 1), "2026年11月30日 – 2026年12月1日"),
    ],
)
def test_the_days_of_a_tournament(language: str, first: date, last: date, said: str) -> None:
    with translation.override(language):
        assert days_text(first, last) == said


@pytest.mark.parametrize(
    ("language", "said"), [("en", "14 November 2026, 18:42"), ("zh-hant", "2026年11月14日 18:42")]
)
def test_a_moment(language: str, said: str) -> None:
    moment = datetime(2026, 11, 14, 18, 42, tzinfo=UTC)
    with translation.override(language):
        assert time_text(moment) == said
        page = engines["django"].from_string('{{ at|date:"DATETIME_FORMAT" }}')
        assert page.render({"at": moment}) == said
