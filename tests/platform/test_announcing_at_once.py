"""Two organisers speak at the same time, each through a process of their own: everything that was said stands."""

import pytest

from tests.support.processes import PATIENCE, Place

pytestmark = pytest.mark.thorough

MAKE = "from tests.support.factories import make_tournament; make_tournament()"
SAY = """
from uuid import uuid4
from tests.support.factories import SYSTEM
from tournament.models import Tournament
from tournament.services.announcements import Message, announce
for number in range(20):
    announce(Tournament.objects.get(), SYSTEM, Message(f"{name} {{number}}"), uuid=uuid4())
"""
COUNT = """
from tournament.log import first_broken_link
from tournament.models import Tournament
from tournament.selectors.announcements import standing
event = Tournament.objects.get()
print(len({one.text for one in standing(event)}), event.log.filter(action="announcement_made").count())
print(first_broken_link(event))
"""


def test_nothing_is_lost_between_two_at_once(place: Place) -> None:
    place.python(MAKE)
    speakers = [
        place.start("-c", f"import django; django.setup()\n{SAY.format(name=name)}")
        for name in ("Olga", "Otto")
    ]
    for speaker in speakers:
        output, _ = speaker.communicate(timeout=PATIENCE)
        assert speaker.returncode == 0, output
    assert place.python(COUNT).split() == ["40", "40", "None"]
