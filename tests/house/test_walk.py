"""The walk of tests/browser/pages.py leaves out no page, so that a new one is looked at the day it is added."""

import re
import traceback
from collections import defaultdict
from itertools import chain

import pytest
from django.db import transaction
from django.urls import resolve

from tests.browser.pages import PAGES, STATUS
from tests.browser.steps import STEPS_OF
from tests.house.addresses import NAMES
from tests.house.url_rights import URL_RIGHTS
from tests.support.data import DATA
from tests.support.factories import SYSTEM
from tests.support.rights import EVERYBODY, RIGHTS, Attempt
from tests.support.sampling import sample
from tests.support.scene import Scene, make_people, make_scene
from tournament.base.access import Actor
from tournament.base.errors import Forbidden, Refused
from tournament.base.models.log import LogEntry
from tournament.base.models.tournament import Tournament
from tournament.events.services import delete_tournament

STEPS = {name for name, (readers, _) in URL_RIGHTS.items() if not readers and not name.startswith("api_")}
EXCUSES = (DATA / "pages-not-walked.txt").read_text("utf-8")
"""Why other addresses are not looked at in a browser, and their names: a reason a line, or several indented ones."""
NOT_WALKED = STEPS | {
    name for line in re.split(r"\n(?=\S)", EXCUSES) for name in line.partition(": ")[2].split()
}
WORDS = {
    "slug": "evening",
    "umpire": "1",
    "penalty": "00000000-0000-4000-8000-000000000000",
    "token": "t",
    "link": "t",
    "unconfirmed": "t",
    "backup": "hule-2026-05-02-1431",
}


def walked() -> set[str | None]:
    return {
        resolve(address.format(**WORDS).partition("?")[0].partition("#")[0]).url_name
        for _, address in PAGES.values()
    }


def test_every_page_is_walked_or_listed_with_a_reason() -> None:
    pages = {name for name in NAMES if not name.startswith("api_")}
    assert pages - walked() - NOT_WALKED == set()
    assert NOT_WALKED - set(NAMES) == set()
    assert NOT_WALKED & walked() == set()
    assert (set(STEPS_OF) | set(STATUS)) - set(PAGES) == set()


pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.mark.parametrize("size", [2, pytest.param(None, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_each_role_may_use_exactly_its_services(scene: Scene, size: int | None) -> None:
    """All services, or some of those that the same roles may use, so that each right is tried in every run.

    A refusal leaves nothing behind: everybody refused tries the same attempt. What is done is prepared each time.
    """
    people = make_people(scene)
    assert set().union(*(who for who, _scenario in RIGHTS.values())) - EVERYBODY <= set(people)
    services = defaultdict(list)
    for name, (who, _scenario) in RIGHTS.items():
        services[who].append(name)
    wrong: dict[tuple[str, str], str] = {}
    for name in chain.from_iterable(sample(names, size or len(names)) for names in services.values()):
        who, scenario = RIGHTS[name]
        permitted = [role for role in people if who == EVERYBODY or role in who]
        refused = [role for role in people if role not in permitted]
        permitted = sample(permitted, 1 if size else 2, key=name)
        for trying, expected in ((refused, "forbidden"), *(([role], "done") for role in permitted)):
            with transaction.atomic():
                attempt = scenario(scene)
                outcomes = {(name, role): outcome(attempt, people[role]) for role in trying}
                transaction.set_rollback(True)
            wrong |= {case: result for case, result in outcomes.items() if result != expected}
    assert wrong == {}


@pytest.mark.thorough
def test_services_refuse_writes_to_a_deleted_tournament(scene: Scene) -> None:
    """The tournament itself, between the look and the press: none of the drawn services crashes over it."""
    make_people(scene)
    wrong = {}
    for name, (_who, scenario) in sample(RIGHTS.items(), 100):
        with transaction.atomic():
            attempt = scenario(scene)
            here = Tournament.objects.get(pk=scene.tournament.pk)
            delete_tournament(here, SYSTEM, name=here.name)
            try:
                result = outcome(attempt, SYSTEM)
            except Exception as crash:
                frames = traceback.extract_tb(crash.__traceback__)
                lines = [frame.line for frame in frames if "/tournament/" in frame.filename]
                result = f"{type(crash).__name__} at {lines[-1]}" if lines else "the scene itself is gone"
            transaction.set_rollback(True)
        if " at " in result:
            wrong[name] = result
    assert wrong == {}


def outcome(attempt: Attempt, actor: Actor) -> str:
    """ "done", "forbidden", or what else came of it."""
    before = LogEntry.objects.count()
    try:
        with transaction.atomic():
            attempt(actor)
    except Forbidden:
        return "forbidden" if LogEntry.objects.count() == before else "forbidden, and logged anyway"
    except Refused as refused:
        return f"refused: {refused}"
    return "done"
