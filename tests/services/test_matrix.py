"""Every service × every role: what may be done is done, everything else is refused and leaves no trace.

The services are read from the code: a new one that writes is missing here until it is said who may use it.
"""

from __future__ import annotations

import traceback

import pytest
from django.db import transaction

from tests.house.test_parity import INSIDE, NOT_FOR_PROGRAMS, services, writing
from tests.services import rights_at_tables, rights_of_events
from tests.services.rights import EVERYBODY, RIGHTS, Deed
from tests.services.scene import Scene, make_people, make_scene
from tests.support.factories import SYSTEM
from tournament.access import Actor
from tournament.errors import Forbidden, Refused
from tournament.models import LogEntry, Tournament
from tournament.services.deletion import delete_tournament

assert rights_at_tables, rights_of_events  # they say who may do what

pytestmark = pytest.mark.django_db

NOT_OF_AN_EVENT = {
    "accounts.make_first_organiser": "there is no account yet; it asks for the printed code",
    "contacts.delete_old_contacts": "by the worker, of every event",
    "registration_expiry.forget_unconfirmed": "by the worker, of every event",
}
OF_THE_INSTALLATION = ("backups.", "restores.")
"""For whoever set Hule up: tests/backup/test_there_and_back.py, tests/web/test_backups.py."""
OF_WHOEVER_HAS_THE_LINK = {
    "invitations.accept_invitation": "it asks for the token of an open invitation",
    "invitations.join": "likewise, and makes the account",
}
"""tests/services/test_invitations.py."""
OF_ONE_S_OWN_ACCOUNT = ("second_factor.", "signed_in.")
"""They take the account and no other: tests/web/test_account.py, tests/web/test_second_factor.py."""


def test_every_service_that_writes_says_who_may_use_it() -> None:
    inside = {name for name, why in NOT_FOR_PROGRAMS.items() if why == INSIDE}
    others = OF_ONE_S_OWN_ACCOUNT + OF_THE_INSTALLATION
    of_events = {name for name in writing(services()) if not name.startswith(others)}
    assert of_events - inside - set(NOT_OF_AN_EVENT) - set(OF_WHOEVER_HAS_THE_LINK) == set(RIGHTS)


def test_every_role_that_may_do_something_is_tried(scene: Scene) -> None:
    named = set().union(*(who for who, _scenario in RIGHTS.values()))
    assert named - EVERYBODY <= set(make_people(scene))


@pytest.fixture
def scene() -> Scene:
    return make_scene()


@pytest.mark.parametrize("roles", [{"card here", "scorer"}, pytest.param(None, marks=pytest.mark.thorough)])
def test_a_role_may_do_what_is_its_own_and_no_more(scene: Scene, roles: set[str] | None) -> None:
    """A refusal leaves nothing behind: everybody refused tries the same deed. What is done is prepared each time."""
    people = {role: actor for role, actor in make_people(scene).items() if roles is None or role in roles}
    assert roles is None or len(people) == len(roles)
    wrong: dict[tuple[str, str], str] = {}
    for name, (who, scenario) in RIGHTS.items():
        permitted = [role for role in people if who == EVERYBODY or role in who]
        refused = [role for role in people if role not in permitted]
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
