"""One filled button beside the bar: on an organiser's page it is the page's own form's, and the bar has the step's."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.house.addresses import ADDRESSES, filled_in
from tests.support.factories import make_organiser, make_tournament
from tournament.models import Tournament

pytestmark = pytest.mark.thorough

FILLED = re.compile(r'<(a|button)\b[^>]*\bclass="btn[^"]*\bprimary\b[^>]*>')
BAR = re.compile(r'<section class="next-step.*?</section>', re.DOTALL)
DIALOG = re.compile(r"<dialog.*?</dialog>", re.DOTALL)
MANY = 20
"""So many pages there are at the least."""

STATES: list[dict[str, Any]] = [
    {"players": 8, "sessions": 2, "played": 1},
    {"players": 0},
    {"players": 6, "drawn": False},
    {"players": 8, "drawn": False},
    {"players": 8},
    {"players": 8, "sessions": 2, "running": 1},
    {"players": 8, "sessions": 1, "played": 1},
]


def pages(tournament: Tournament, client: Client) -> Iterator[tuple[str, str]]:
    """Every page of the event, as an organiser reads it: its name and its text."""
    session = {"number": 1} if tournament.sessions.exists() else {}
    known = {"slug": tournament.slug, "screen": "main", "key": "late", **session}
    for name, entry in ADDRESSES:
        parts = filled_in(entry)
        if name.startswith("organiser_") and "slug" in parts and parts <= set(known):
            response = client.get(reverse(name, kwargs={part: known[part] for part in parts}))
            templates = {template.name for template in response.templates}
            if response.status_code == 200 and "organiser/base.html" in templates:
                yield name, response.text


@pytest.mark.parametrize("arranged", STATES)
def test_beside_the_bar_only_a_form_has_a_filled_button(arranged: dict[str, Any], client: Client) -> None:
    tournament = make_tournament(**arranged)
    client.force_login(make_organiser(tournament))
    count, wrong = 0, []
    for name, text in pages(tournament, client):
        count += 1
        bars = BAR.findall(text)
        assert len(bars) == 1, f"{name} has the bar {len(bars)} times"
        places = [text.index(part) for part in ("data-live=", "data-refresh=", bars[0])]
        assert places == sorted(places), f"{name}: not live"
        beside = FILLED.findall(DIALOG.sub("", BAR.sub("", text)))
        its_step = not FILLED.findall(bars[0]) and "next-step-go" not in bars[0]
        if len(beside) > 1 or ("a" in beside and not its_step):
            wrong.append((name, beside))
    assert wrong == []
    assert count >= MANY
