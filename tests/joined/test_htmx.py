"""htmx comes with every page that asks by it, and with no other: it is twice as large as all that a visitor needs."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.conf import settings

from config.joined import HTMX, SCRIPTS

TEMPLATES = Path(settings.BASE_DIR, "templates")
EXTENDS = re.compile(r'\{% extends "([^"]+)" %\}')
INCLUDED = re.compile(r'\{% include "([^"]+)"')
KIND = re.compile(r'\{% scripts "([^"]+)" %\}')
ASKS = re.compile(r"\bhx-(?:get|post|put|delete|trigger)\b")
COMMENT = re.compile(r"\{% comment %\}.*?\{% endcomment %\}", re.DOTALL)


@cache
def text_of(name: str) -> str:
    return COMMENT.sub("", (TEMPLATES / name).read_text("utf-8"))


def asks(name: str) -> bool:
    """Whether this template, or a part of it, asks by htmx."""
    text = text_of(name)
    return bool(ASKS.search(text)) or any(asks(part) for part in INCLUDED.findall(text))


def bases(name: str) -> list[str]:
    """The template and those it stands in, inside out."""
    extended = EXTENDS.search(text_of(name))
    return [name, *(bases(extended[1]) if extended else [])]


def has_htmx(name: str) -> bool:
    kinds = [kind for base in bases(name) for kind in KIND.findall(text_of(base))]
    return HTMX in SCRIPTS[kinds[0]]


def test_every_page_that_asks_by_htmx_has_it() -> None:
    names = [path.relative_to(TEMPLATES).as_posix() for path in sorted(TEMPLATES.rglob("*.html"))]
    pages = [name for name in names if "base_document.html" in bases(name)]
    assert len(pages) > 60
    asking = [name for name in pages if any(asks(base) for base in bases(name))]
    assert {"seating/swap.html", "site/tables.html", "book/calculator/page.html"} <= set(asking)
    assert [name for name in asking if not has_htmx(name)] == []
