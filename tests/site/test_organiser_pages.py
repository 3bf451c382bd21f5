"""Every organiser's page in each state of an event: navigation, the next step, and one filled button."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.house.addresses import ADDRESSES, parameters_of
from tests.support.factories import SYSTEM, make_organiser, make_tournament
from tests.support.registrations import confirmed, make_plan
from tournament.base.models.tournament import Tournament
from tournament.ranking.services import publish_standings
from tournament.site.selectors.next_step import Code, next_step

MANY = 20
"""So many pages there are at the least."""
FILLED = re.compile(r'<(?:a|button)\b[^>]*\bclass="btn[^"]*\bprimary\b[^>]*>')
STEP = re.compile(
    r'<section class="next-step.*?</section>|<a class="btn[^>]*id="next-step-go".*?</a>', re.DOTALL
)
"""The bar; on the page before the first session a button in one of its rows."""
TARGET = re.compile(r'id="next-step-go"\s+href="([^"]+)"')
PROGRAMMERS = re.compile(
    r"\b(?:seed|TP|transcript|webhooks?|check values|SITE_ADDRESS|EMAIL_URL|0\.0\.0\.0)\b", re.IGNORECASE
)
"""Words that organisers read only in folds and below headings that say Advanced."""
ADVANCED = re.compile(r"<details.*?</details>|<section[^>]*>\s*<h2[^>]*>Advanced.*?</section>", re.DOTALL)
DIALOG = re.compile(r"<dialog.*?</dialog>", re.DOTALL)


def nobody() -> Tournament:
    return make_tournament(players=0)


def registering() -> Tournament:
    event = make_tournament(players=0)
    make_plan(event, places=16)
    confirmed(event, 1)
    return event


def full() -> Tournament:
    event = make_tournament(players=0)
    make_plan(event, places=4)
    for number in (1, 2, 3, 4):
        confirmed(event, number)
    return event


def over() -> Tournament:
    event = make_tournament(players=8, sessions=1, played=1)
    publish_standings(event, SYSTEM)
    event.sessions.update(closed_at="2026-01-01T12:00:00Z")
    return event


STATES: dict[str, tuple[Callable[[], Tournament], Code]] = {
    "nobody yet": (nobody, Code.IMPORT),
    "registration is open": (registering, Code.REGISTERING),
    "registration is full": (full, Code.ENTER),
    "two players are missing": (lambda: make_tournament(players=6, drawn=False), Code.FILL),
    "drawn": (lambda: make_tournament(players=8), Code.START),
    "being played": (lambda: make_tournament(players=8, sessions=2, running=1), Code.PLAYING),
    "between two sessions": (lambda: make_tournament(players=8, sessions=2, played=1), Code.PUBLISH),
    "over": (over, Code.ARCHIVE),
}


def pages(event: Tournament, client: Client) -> Iterator[tuple[str, str, str]]:
    """Every page of the event, as an organiser reads it: its name, path and text."""
    known: dict[str, Any] = {"slug": event.slug, "screen": "main", "key": "late", "who": "p1"}
    if event.sessions.exists():
        known["number"] = 1
    for name, entry in ADDRESSES:
        parts = parameters_of(entry)
        if name.startswith("organiser_") and "slug" in parts and parts <= known.keys():
            path = reverse(name, kwargs={part: known[part] for part in parts})
            response = client.get(path)
            templates = {template.name for template in response.templates}
            if response.status_code == 200 and "web/base_organiser.html" in templates:
                yield name, path, response.text


@pytest.mark.parametrize("state", STATES)
@pytest.mark.thorough
def test_every_page_has_the_navigation_and_one_thing_to_do(state: str, client: Client) -> None:
    make, code = STATES[state]
    event = make()
    client.force_login(make_organiser(event))
    event.refresh_from_db()
    assert next_step(event).code is code
    count, wrong = 0, []
    for name, path, text in pages(event, client):
        count += 1
        main = DIALOG.sub("", text.partition("<main")[2])
        steps = STEP.findall(main)
        if len(steps) != 1:
            wrong.append(f"{name}: the next step {len(steps)} times")
            continue
        if any(target.partition("#")[0] == path for target in TARGET.findall(main) if "#" not in target):
            wrong.append(f"{name}: the next step leads to the page itself")
        if len(FILLED.findall(STEP.sub("", main))) > 1:
            wrong.append(f"{name}: several filled buttons")
        nav = text.partition('<nav class="places-nav')[2].partition("</nav>")[0]
        if nav.count('class="group"') != 4 or nav.count('class="here"') != 1:
            wrong.append(f"{name}: navigation")
        shown = re.sub(r"<[^>]+>", " ", ADVANCED.sub("", main))
        wrong += [f"{name}: {word!r}" for word in PROGRAMMERS.findall(shown)]
        if "data-refresh=" not in main.partition(steps[0])[0]:
            wrong.append(f"{name}: the next step is not live")
    assert wrong == []
    assert count >= MANY


@pytest.mark.thorough
def test_an_address_that_is_wrong_keeps_the_navigation_of_the_event(client: Client) -> None:
    event = make_tournament(players=4)
    path = reverse("organiser_board", args=[event.slug]) + "nothing/"
    assert "places-nav" not in client.get(path).text
    client.force_login(make_organiser(event))
    response = client.get(path)
    assert (response.status_code, response.text.count('<nav class="places-nav')) == (404, 1)
