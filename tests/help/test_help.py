"""The documentation as pages of the site, and the "?" that leads there."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.house.source import ROOT
from tournament.help.selectors import DOCS, FOLDERS, LANGUAGES, anchors_of, help_page, page_names
from tournament.web.sections import every_section

PLACES = re.compile(r"(?:\{% block help %\}|help\.html\" with place=\")([a-z][^\"{%]*)")
PAGES = [(folder, name) for folder in FOLDERS for name in page_names(folder)]


def address(folder: str, name: str) -> str:
    return f"/help/{folder}/{name}"


def test_every_page_is_rendered_in_every_language() -> None:
    for folder, name in PAGES:
        for language in ("en", *LANGUAGES):
            page = help_page(folder, name, language, address)
            assert page
            assert page.title
            assert "<h1" in page.html


def test_places_that_pages_link_to_exist() -> None:
    templates = Path(settings.BASE_DIR, "templates").rglob("*.html")
    places = {section.help for section in every_section()}.union(
        *(PLACES.findall(template.read_text("utf-8")) for template in templates)
    )
    missing = []
    for place in places:
        path, _, anchor = place.partition("#")
        page = DOCS / f"{path.rstrip('/')}.md"
        if not page.is_file() or (anchor and anchor not in anchors_of(page)):
            missing.append(place)
    assert missing == []


@pytest.mark.parametrize(
    ("headings", "anchors"),
    [
        ("# Fees, dues & refunds\n\n## The *waiting* list", "fees-dues--refunds the-waiting-list"),
        ("## `bin/run`\n\n## Set up `bin/run`", "binrun set-up-binrun"),
        ("## E-mail & `hule run`\n## 2. Set up a tournament", "e-mail--hule-run 2-set-up-a-tournament"),
        ("## [The draw](x.md), *again*\n### Café 和了", "the-draw-again café-和了"),
        ("## Limits\n## Limits\n```\n# no heading\n```", "limits limits-1"),
    ],
)
def test_anchors_are_those_of_github(tmp_path: Path, headings: str, anchors: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(headings, "utf-8")
    assert anchors_of(page) == anchors.split()


def test_links_lead_to_pages_of_the_site() -> None:
    page = help_page("api", "tournament-file", "en", address)
    assert page
    assert 'href="/help/api/transcript"' in page.html
    relative = [
        link
        for link in re.findall(r'href="([^"]*)"', page.html)
        if not link.startswith(("http", "/help/", "#"))
    ]
    assert relative == []


def test_links_of_a_translation_lead_to_the_anchors_of_the_english_page() -> None:
    page = help_page("organisers", "people", "zh-hans", address)
    assert page
    assert page.language == "zh-hans"
    assert 'href="#questions-about-the-list"' in page.html
    assert 'href="/help/organisers/on-the-day#stand-ins"' in page.html
    assert 'href="/help/organisers/privacy#erase-someone"' in page.html


def test_pictures_are_static_files_with_a_text() -> None:
    page = help_page("organisers", "tour", "en", address)
    assert page
    pictures = re.findall(r'<img src="/static/(help/[^"]+)" alt="([^"]+)"', page.html)
    assert len(pictures) == page.html.count("<img ") > 10
    assert [name for name, _ in pictures if finders.find(name) is None] == []


@pytest.mark.django_db
def test_only_pages_of_the_documentation_are_served(client: Client) -> None:
    assert client.get(reverse("help"), follow=True).status_code == 200
    for path in ("adr/README", "organisers/README", "organisers/..", "api/nothing", "umpires/desk.zh-hans"):
        assert client.get(f"/help/{path}/").status_code == 404


def test_the_wheel_carries_what_is_served() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert [
        folder
        for folder in (*FOLDERS, "pictures")
        if f'"docs/{folder}" = "hule/site/docs/{folder}"' not in project
    ] == []
