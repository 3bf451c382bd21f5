"""What a page lists can be taken away from there: a table in a template offers its list, or says why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.house.addresses import words_of
from tournament.api.converters import ListFormat, OpenList, StaffList
from tournament.exchange.lists import FORMATS, OPEN, STAFF

TEMPLATES = Path(__file__).parents[2] / "templates"
ELSEWHERE = ("documents/", "book/", "calculator/", "classical/", "django/", "fouls/", "registration/")
"""Folders of papers, of the book and of what is reckoned on the page: nothing of an event is listed there."""
PREVIEW = "a preview of what is not stored yet"
OWN = "has its own files, with their own columns"
STEP = "a step that is taken there, not a list"
EXCUSES = {
    "components/gallery.html": "examples for developers",
    "public/_fans_plot.html": "its page offers the fans",
    "public/head_to_head.html": "two people beside each other",
    "organiser/home.html": "the events of an account; each has its own file",
    "organiser/wrong_seats.html": STEP,
    "organiser/dues_reminders.html": PREVIEW,
    "organiser/dues_ask.html": PREVIEW,
    "organiser/dues.html": OWN,
    "organiser/registrations.html": OWN,
    "organiser/ema.html": OWN,
    "organiser/timetable.html": "it goes out as a calendar, and is filled in there",
    "organiser/finals.html": STEP,
    "organiser/_figures.html": "figures of a step",
    "organiser/_passes.html": "cards with keys: they are printed, not listed",
    "organiser/draw_preview.html": PREVIEW,
    "organiser/backups.html": "files of the installation, of no event",
    "organiser/_invitations.html": "links that let somebody in",
    "organiser/mail.html": "letters: contact data stays here",
    "organiser/seats.html": STEP,
    "organiser/_tables.html": "seats of a step; the draw offers them",
    "organiser/import_preview.html": PREVIEW,
    "organiser/_moved.html": PREVIEW,
    "organiser/rota.html": "it is printed for each umpire",
    "organiser/webhook.html": "messages to a program, which has them",
    "organiser/webhooks.html": "addresses, some of them with a key in them",
    "umpire/paper_table.html": "figures of a sheet as they are typed",
}


def tabled() -> list[str]:
    found = [
        str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html") if "<table" in path.read_text()
    ]
    return sorted(name for name in found if not name.startswith(ELSEWHERE))


@pytest.mark.parametrize("name", tabled())
def test_a_table_can_be_taken_away_or_says_why_not(name: str) -> None:
    offers = "{% downloads " in (TEMPLATES / name).read_text()
    assert offers != (name in EXCUSES)


def test_no_excuse_is_for_a_page_without_a_table() -> None:
    assert set(EXCUSES) <= set(tabled())


def test_what_pages_offer_is_there() -> None:
    found = {
        name
        for path in TEMPLATES.rglob("*.html")
        for name in re.findall(r'{% downloads tournament "([^"]+)" %}', path.read_text())
    }
    assert found | {"teams", "nations"} == {*OPEN, *STAFF, "check-in"}


def test_addresses_have_the_names_of_the_lists() -> None:
    assert set(words_of(OpenList.regex)) == set(OPEN)
    assert set(words_of(StaffList.regex)) == set(STAFF)
    assert set(words_of(ListFormat.regex)) == set(FORMATS)
