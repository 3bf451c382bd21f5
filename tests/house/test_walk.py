"""The walk of tests/browser/pages.py leaves out no page, so that a new one is looked at the day it is added."""

import re
import traceback

import pytest
from django.db import transaction
from django.urls import resolve

from tests.browser.pages import PAGES, STATUS
from tests.browser.steps import THEN
from tests.house.addresses import NAMES
from tests.house.url_rights import URL_RIGHTS
from tests.support.data import DATA
from tests.support.factories import SYSTEM
from tests.support.rights import EVERYBODY, RIGHTS, Deed
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


def test_every_page_is_walked_or_it_is_said_why_not() -> None:
    pages = {name for name in NAMES if not name.startswith("api_")}
    assert pages - walked() - NOT_WALKED == set()
    assert NOT_WALKED - set(NAMES) == set()
    assert NOT_WALKED & walked() == set()
    assert (set(THEN) | set(STATUS)) - set(PAGES) == set()


pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.mark.parametrize("size", [25, pytest.param(None, marks=pytest.mark.thorough)], ids=["some", "all"])
def test_a_role_may_do_what_is_its_own_and_no_more(scene: Scene, size: int | None) -> None:
    """A refusal leaves nothing behind: everybody refused tries the same deed. What is done is prepared each time."""
    people = make_people(scene)
    assert set().union(*(who for who, _scenario in RIGHTS.values())) - EVERYBODY <= set(people)
    wrong: dict[tuple[str, str], str] = {}
    for name in RIGHTS if size is None else sample(RIGHTS, size):
        who, scenario = RIGHTS[name]
        permitted = [role for role in people if who == EVERYBODY or role in who]
        refused = [role for role in people if role not in permitted]
        if size is not None:
            permitted, refused = sample(permitted, 1, key=name), sample(refused, 1, key=name)
        for trying, expected in ((refused, "forbidden"), *(([role], "done") for role in permitted)):
            with transaction.atomic():
                deed = scenario(scene)
                outcomes = {(name, role): outcome(deed, people[role]) for role in trying}
                transaction.set_rollback(True)
            wrong |= {case: got for case, got in outcomes.items() if got != expected}
    assert wrong == {}


@pytest.mark.thorough
def test_what_somebody_else_has_deleted_is_said_to_be_gone(scene: Scene) -> None:
    """The tournament itself, between the look and the press: no service crashes over it."""
    make_people(scene)
    wrong = {}
    for name, (_who, scenario) in RIGHTS.items():
        with transaction.atomic():
            deed = scenario(scene)
            here = Tournament.objects.get(pk=scene.tournament.pk)
            delete_tournament(here, SYSTEM, name=here.name)
            try:
                got = outcome(deed, SYSTEM)
            except Exception as crash:
                frames = traceback.extract_tb(crash.__traceback__)
                ours = [frame.line for frame in frames if "/tournament/" in frame.filename]
                got = f"{type(crash).__name__} at {ours[-1]}" if ours else "the scene itself is gone"
            transaction.set_rollback(True)
        if " at " in got:
            wrong[name] = got
    assert wrong == {}


def outcome(deed: Deed, actor: Actor) -> str:
    """ "done", "forbidden", or what else came of it."""
    before = LogEntry.objects.count()
    try:
        with transaction.atomic():
            deed(actor)
    except Forbidden:
        return "forbidden" if LogEntry.objects.count() == before else "forbidden, and logged all the same"
    except Refused as refused:
        return f"refused: {refused}"
    return "done"
