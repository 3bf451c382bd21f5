"""Every form can be sent as it was drawn: nothing that a page filled in itself is refused.

The pages are walked from link to link, so that a new one is tested the day something leads to it. Each of their forms
is sent with nothing typed in, by each of its buttons, and may complain only about what was left empty.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import ERROR, get_messages
from django.core.cache import caches
from django.db import transaction
from django.forms import BaseForm
from django.forms.formsets import BaseFormSet
from django.urls import Resolver404, resolve

from tests.house.addresses import drain
from tests.house.event import client_for
from tests.support.blank_forms import Page, Submission
from tests.support.factories import SYSTEM, make_member, make_tournament
from tests.support.rights import RIGHTS
from tests.support.sampling import EXHAUSTIVE, SEED, sample
from tests.support.scene import Scene
from tournament.base.models.tournament import Membership, Role, Tournament

pytestmark = pytest.mark.django_db

EVENTS = ("running", "not drawn", "closed")
WRITES = (
    *("mail.send_again", "play.raise_call", "play.set_extra_time", "fouls.give_penalty", "fouls.open_appeal"),
    *("play.record_absence", "events.set_timetable", "events.set_event_page", "events.add_event_document"),
    *("events.set_play_settings", "fouls.add_foul", "fouls.change_foul", "fouls.set_attendance"),
    *(
        "ema.set_ema_columns",
        "prizes.set_prizes",
        "privacy.set_contact_retention",
        "documents.set_certificates",
    ),
    *("documents.request_document", "mail.change_letter", "webhooks.send_test", "registration.register"),
    *("registration.decide", "registration.set_questions", "dues.set_fees", "dues.set_account"),
    *("dues.record_payment", "players.add_player", "players.replace_player", "players.set_check_in"),
    *("people.link_player", "people.link_players", "staff.invite", "staff.make_passes", "staff.set_rota"),
    *("announcements.announce", "screens.add_puzzle", "screens.add_screen", "screens.arrange_screen"),
    "screens.start_ceremony",
)
"""Services that give the events something of everything, with their scenarios in tests/support/rights.py."""
MOST = None if EXHAUSTIVE else 100
"""Pages of an event whose forms are tried; None: all of them."""
WITHOUT_EVENT = ("scoring.book", "tournament.book", "tournament.help", "tournament.screens.views.overlay")
"""Modules whose pages have nothing of an event to fill in."""


@pytest.fixture
def events() -> dict[str, Tournament]:
    """An event being played, one before its draw and one after its last session, with something of everything."""
    running = make_tournament(sessions=3, played=1, running=(0, 1, 1, 1), hands=1)
    not_drawn = make_tournament(name="Not drawn", players=12, drawn=False)
    closed = make_tournament(name="Closed", players=8, sessions=1, played=1)
    make_member(running, Role.UMPIRE, "ute")
    for name in WRITES:
        _who, scenario = RIGHTS[name]
        scenario(Scene(running, not_drawn, closed))(SYSTEM)
    return dict(zip(EVENTS, (running, not_drawn, closed), strict=True))


@pytest.fixture
def owner(events: dict[str, Tournament]) -> User:
    """The owner of all three events, who also looks after the installation."""
    odile = User.objects.create_superuser("odile")
    for event in events.values():
        Membership.objects.create(tournament=event, user=odile, role=Role.OWNER)
    return odile


@pytest.mark.parametrize(
    ("event", "pages"),
    [(event, 40) for event in sample(EVENTS, 1)]
    + [pytest.param(event, MOST, marks=pytest.mark.thorough) for event in sample(EVENTS, 1, key="whole")],
)
def test_every_form_is_accepted_as_it_was_drawn(
    events: dict[str, Tournament], owner: User, event: str, pages: int | None
) -> None:
    """Before each commit some pages of one event, in `.ci/run` most of one; other ones each run."""
    faults = {
        str(submission): list(faults_of(submission, response))
        for submission, response in submit_forms(owner, events[event], pages)
    }
    assert faults
    assert {submission: sentences for submission, sentences in faults.items() if sentences} == {}


@pytest.mark.parametrize("event", sample(EVENTS, 1, key="forged"))
def test_no_forged_value_crashes_a_form(events: dict[str, Tournament], owner: User, event: str) -> None:
    """What a browser never sends: hidden fields, choices and counts that were changed by hand. The client raises."""
    order, sent = Random(SEED), 0
    for submission, _response in submit_forms(owner, events[event], 12):
        for name in order.sample(sorted(submission.data), min(3, len(submission.data))):
            forged = order.choice([["x"], ["-1"], ["9" * 5000], ["\0"], [""], []])
            undone(submission, owner, {name: forged})
            sent += 1
    assert sent


class Kind(NamedTuple):
    """What a page is of: its name, its event, and the names in its query."""

    name: str
    slug: str | None
    query: tuple[str, ...]


def kind_of(url: str) -> Kind | None:
    """Return the kind of a page that may have forms; None of a file and of what is elsewhere."""
    parts = urlsplit(url)
    try:
        match = resolve(parts.path)
    except Resolver404:
        return None
    name = match.url_name or ""
    is_file = name.endswith("_file") or "_list_" in name
    if parts.netloc or is_file or name.startswith("api_") or match.func.__module__.startswith(WITHOUT_EVENT):
        return None
    return Kind(name, match.kwargs.get("slug"), tuple(parse_qs(parts.query, keep_blank_values=True)))


def submit_forms(user: User, event: Tournament, pages: int | None) -> Iterator[tuple[Submission, Any]]:
    """Yield each submission of an event's pages with its response, from one page of a kind, in a random order.

    What a form shows by GET is a page too. What one writes is undone.
    """
    client, order = client_for(user), Random(SEED)
    waiting: dict[Kind, tuple[str, Submission | None]] = {}
    visited: set[Kind] = set()
    tried: set[tuple[object, ...]] = set()

    def add(link: str, submission: Submission | None = None) -> None:
        kind = kind_of(link)
        if kind and kind not in visited and kind.slug in (None, event.slug):
            waiting.setdefault(kind, (link, submission))

    for place in ("organiser", "umpire", "t"):
        add(f"/{place}/{event.slug}/")
    while waiting and len(visited) != pages:
        visited.add(kind := order.choice(list(waiting)))
        link, submission = waiting.pop(kind)
        response = client.get(link)
        if submission is not None:
            yield submission, response
        if response.streaming or not response["Content-Type"].startswith("text/html"):
            drain(response)
            continue
        page = Page(link, response.text)
        for address in page.links:
            add(address)
        for submission in page.submissions():
            if submission.method == "get":
                add(submission.url_with_data, submission)
            elif (form := (kind_of(submission.url), *submission.data, submission.step)) not in tried:
                tried.add(form)
                yield submission, undone(submission, user)


def undone(submission: Submission, user: User, forged: Mapping[str, list[str]] | None = None) -> Any:
    """Send a form, with `forged` values, in a browser of its own, undo what it wrote, and return the response."""
    caches["limits"].clear()
    with transaction.atomic():
        response = submission.send(client_for(user), forged or {})
        transaction.set_rollback(True)
    drain(response)
    return response


def faults_of(submission: Submission, response: Any) -> Iterator[str]:
    """Yield what is wrong with the response, beside complaints about what was left empty."""
    errors, left_empty = list(errors_of(response)), submission.left_empty
    is_refused = response.status_code == 422
    if response.status_code >= 400 and not (is_refused and (errors or left_empty)):
        yield str(response.status_code)
    for name, error in errors:
        if not (name in left_empty if name else left_empty):
            yield f"{name} {submission.data.get(name, '')}: {error}"


def errors_of(response: Any) -> Iterator[tuple[str, str]]:
    """Yield each error with the name of its field, if it has one."""
    for message in get_messages(response.wsgi_request):
        if message.level >= ERROR:
            yield "", str(message)
    for form in forms_of(response):
        for name, errors in form.errors.items():
            for error in errors:
                yield form.add_prefix(name) if name in form.fields else "", str(error)


def forms_of(response: Any) -> list[BaseForm]:
    """Return the bound forms that a page was drawn from, those of its formsets too."""
    values = [value for context in response.context or () for layer in context for value in layer.values()]
    rows = [form for value in values if isinstance(value, BaseFormSet) for form in value.forms]
    forms = {id(form): form for form in (*values, *rows) if isinstance(form, BaseForm) and form.is_bound}
    return list(forms.values())
