"""A day is written in one way, on every page and in every document."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.template import engines
from django.utils import translation

from tournament.words.days import days_text, time_text

TEMPLATES = Path(__file__).parents[2] / "templates"
FORMAT = re.compile(r"""\|(?:date|time):(?:_\()?["']([^"']*)["']""")
ALLOWED = {"c", "H:i", "H:i:s"}
"""For machines, and the time alone; days have names of formats (config/formats)."""


def test_no_page_names_a_format_of_its_own() -> None:
    formats = {path: FORMAT.findall(path.read_text()) for path in TEMPLATES.rglob("*.html")}
    own = {
        str(path): [name for name in names if not name.endswith("_FORMAT") and name not in ALLOWED]
        for path, names in formats.items()
    }
    assert {path: names for path, names in own.items() if names} == {}
    assert sum(map(bool, formats.values())) > 20


@pytest.mark.parametrize(
    ("language", "first", "last", "text"),
    [
        ("en", date(2026, 11, 14), date(2026, 11, 14), "14 November 2026"),
        ("en", date(2026, 11, 14), date(2026, 11, 15), "14–15 November 2026"),
        ("en", date(2026, 11, 30), date(2026, 12, 1), "30 November 2026 – 1 December 2026"),
        ("zh-hans", date(2026, 11, 14), date(2026, 11, 15), "2026年11月14–15日"),
        ("zh-hant", date(2026, 11, 30), date(2026, 12, 1), "2026年11月30日 – 2026年12月1日"),
    ],
)
def test_the_days_of_a_tournament(language: str, first: date, last: date, text: str) -> None:
    with translation.override(language):
        assert days_text(first, last) == text


@pytest.mark.parametrize(
    ("language", "text"), [("en", "14 November 2026, 18:42"), ("zh-hant", "2026年11月14日 18:42")]
)
def test_a_moment(language: str, text: str) -> None:
    moment = datetime(2026, 11, 14, 18, 42, tzinfo=UTC)
    with translation.override(language):
        assert time_text(moment) == text
        page = engines["django"].from_string('{{ at|date:"DATETIME_FORMAT" }}')
        assert page.render({"at": moment}) == text
