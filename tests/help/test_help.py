"""The documentation as pages of the site in reading order, its search, and the "?" that leads there."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.house.source import ROOT
from tests.support.pages import every_language
from tournament.help.order import INDEX, LANGUAGES, reading_order
from tournament.help.selectors import DOCS, FOLDERS, anchors_of, contents, help_page, page_names, search
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


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_first_page_of_a_folder_leads_to_all_others_in_their_order(folder: str) -> None:
    first = (DOCS / folder / f"{INDEX}.md").read_text("utf-8")
    names = page_names(folder)
    places = [first.find(f"]({name}.md") for name in names[1:]]
    assert names[0] == INDEX
    assert -1 not in places
    assert places == sorted(places)


def test_pages_that_the_first_does_not_name_come_last(tmp_path: Path) -> None:
    for name in ("README", "b", "a", "d", "c", "d.zh-hans"):
        (tmp_path / f"{name}.md").write_text("# Title\n\n[D](d.md#part), [B](b.md), [D](d.md)\n", "utf-8")
    assert reading_order(tmp_path) == ["README", "d", "b", "a", "c"]


@every_language
def test_contents_are_in_reading_order_and_english_pages_last(language: str) -> None:
    for folder, links in contents(language).items():
        translated = [
            name
            for name in page_names(folder)
            if language == "en" or (DOCS / folder / f"{name}.{language}.md").is_file()
        ]
        others = [name for name in page_names(folder) if name not in translated]
        assert [link.name or INDEX for link in links] == [*translated, *others]
        assert [link.name or INDEX for link in links if link.language != language] == others


@every_language
def test_no_page_leads_to_another_language(language: str) -> None:
    for folder in FOLDERS:
        page = help_page(folder, INDEX, language, address)
        assert page
        if page.language == "en":
            assert not re.search("[\u4e00-\u9fff]", page.html)
        else:
            assert page.language == language


@every_language
def test_a_search_finds_sections_in_one_language(language: str) -> None:
    words = {"en": "waiting LIST", "zh-hans": "候补名单", "zh-hant": "候補名單"}[language]
    hits = search(words, language)
    assert {hit.section.page.language for hit in hits} >= {language}
    own = [hit for hit in hits if hit.section.page.language == language]
    assert hits[: len(own)] == own
    assert any(hit.section.page.name == "registration" for hit in own)
    anchors = anchors_of(DOCS / "organisers" / "registration.md")
    assert {hit.section.anchor for hit in own if hit.section.page.name == "registration"} <= set(anchors)


def test_a_search_finds_words_of_titles_headings_and_texts() -> None:
    assert search("  ", "en") == []
    assert search("pinochle", "en") == []
    first = search("stand-ins", "en")[0]
    assert (first.section.page.name, first.section.anchor) == ("on-the-day", "stand-ins")
    hits = search("certificate printing", "en")
    assert hits
    assert all("certificate" in hit.section.searchable for hit in hits)


@pytest.mark.django_db
def test_the_search_is_a_page_without_a_script(client: Client) -> None:
    page = client.get(reverse("help_search"), {"q": "stand-ins"})
    assert '<a href="/help/organisers/on-the-day/#stand-ins"' in page.text
    assert 'value="stand-ins"' in page.text
    assert "No passage contains all these words" in client.get("/help/search/", {"q": "pinochle"}).text
    assert client.get("/help/search/").status_code == 200
    assert 'action="/help/search/"' in client.get("/help/umpires/").text


@pytest.mark.django_db
def test_a_page_leads_to_the_next_one(client: Client) -> None:
    after = client.get("/help/umpires/desk/").context["following"]
    assert after.name == "fouls"
    assert client.get("/help/umpires/keyboard/").context["following"] is None


@pytest.mark.django_db
def test_an_english_page_is_marked_for_readers_of_chinese(client: Client) -> None:
    english = client.get("/help/api/webhooks/", headers={"accept-language": "zh-hans"}).text
    assert '<article lang="en">' in english
    assert english.count('class="banner"') == 1
    chinese = client.get("/help/umpires/desk/", headers={"accept-language": "zh-hans"}).text
    assert '<article lang="zh-hans">' in chinese
    assert 'class="banner"' not in chinese


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
