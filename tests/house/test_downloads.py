"""What a page lists can be taken away from there: a table in a template offers its list, or says why not."""

import re
from pathlib import Path

from tests.house.addresses import words_of
from tournament.exchange.lists import FORMATS, OPEN, STAFF
from tournament.web.api.base import ListFormat, OpenList, StaffList

TEMPLATES = Path(__file__).parents[2] / "templates"
ELSEWHERE = ("documents/", "book/", "django/")
"""Folders of papers and of the rule book with its calculator: nothing of an event is listed there."""
EXCUSES = {
    "components/gallery.html": "examples for developers",
    "ranking/_fans_plot.html": "its page offers the fans",
    "people/head_to_head.html": "two people beside each other",
    "site/home.html": "the events of an account; each has its own file",
    "events/timetable.html": "it goes out as a calendar, and is filled in there",
    "seating/_figures.html": "figures of a step",
    "staff/_passes.html": "cards with keys: they are printed, not listed",
    "backup/backups.html": "files of the installation, of no event",
    "staff/_invitations.html": "links that let somebody in",
    "messages/mail.html": "letters: contact data stays here",
    "seating/_tables.html": "seats of a step; the draw offers them",
    "staff/rota.html": "it is printed for each umpire",
    "messages/webhook.html": "messages to a program, which has them",
    "messages/webhooks.html": "addresses, some of them with a key in them",
    "play/paper_table.html": "figures of a sheet as they are typed",
}
PREVIEWS = {
    "dues/dues_reminders.html",
    "dues/dues_ask.html",
    "seating/draw_preview.html",
    "players/import_preview.html",
    "seating/_moved.html",
}
"""Of what is not stored yet."""
WITH_OWN_FILES = {
    "dues/dues.html",
    "registration/registrations.html",
    "ema/ema.html",
}
"""With their own columns."""
STEPS = {
    "seating/wrong_seats.html",
    "seating/finals.html",
    "seating/seats.html",
}
"""Taken there; not a list."""
WITHOUT_LIST = {*EXCUSES, *PREVIEWS, *WITH_OWN_FILES, *STEPS}
TEXTS = {str(path.relative_to(TEMPLATES)): path.read_text() for path in TEMPLATES.rglob("*.html")}


def test_a_table_can_be_taken_away_or_says_why_not() -> None:
    with_table = {name for name, text in TEXTS.items() if "<table" in text and not name.startswith(ELSEWHERE)}
    assert len(with_table) > 30
    assert {name for name in with_table if "{% downloads " not in TEXTS[name]} == WITHOUT_LIST


def test_what_pages_offer_is_there_at_addresses_of_that_name() -> None:
    offered = re.findall(r'{% downloads tournament "([^"]+)" %}', "".join(TEXTS.values()))
    assert {*offered, "teams", "nations"} == {*OPEN, *STAFF, "check-in"}
    assert set(words_of(OpenList.regex)) == set(OPEN)
    assert set(words_of(StaffList.regex)) == set(STAFF)
    assert set(words_of(ListFormat.regex)) == set(FORMATS)
