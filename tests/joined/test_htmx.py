"""htmx comes with every page that asks by it, and with no other: it is twice as large as all that a visitor needs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

from config.joined.kinds import HTMX, SCRIPTS

TEMPLATES = Path(settings.BASE_DIR, "templates")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')
INCLUDED = re.compile(r'\{% include "([^"]+)"')
KIND = re.compile(r'\{% scripts "([^"]+)" %\}')
ASKS = re.compile(r"\bhx-(?:get|post|put|delete|trigger)\b")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)


def text_of(name: str) -> str:
    return COMMENT.sub("", (TEMPLATES / name).read_text("utf-8"))


def asks(name: str) -> bool:
    """Whether this template, or a part of it, asks by htmx."""
    text = text_of(name)
    return bool(ASKS.search(text)) or any(asks(part) for part in INCLUDED.findall(text))


def bases(name: str) -> list[str]:
    """The template and those it stands in, inside out."""
    found = EXTENDS.search(text_of(name))
    return [name, *(bases(found[1]) if found else [])]


PAGES = [
    name
    for path in sorted(TEMPLATES.rglob("*.html"))
    if "base_document.html" in bases(name := path.relative_to(TEMPLATES).as_posix())
]


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_asks_by_htmx_has_it(name: str) -> None:
    kinds = [kind for each in bases(name) for kind in KIND.findall(text_of(each))]
    if any(asks(each) for each in bases(name)):
        assert HTMX in SCRIPTS[kinds[0]]


def test_pages_are_found_and_some_ask() -> None:
    assert len(PAGES) > 60
    assert {name for name in PAGES if asks(name)} >= {
        "organiser/swap.html",
        "umpire/tables.html",
        "calculator/page.html",
    }
