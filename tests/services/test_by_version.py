"""What is read once for each version of a tournament."""

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.models import Tournament
from tournament.selectors.by_version import by_version
from tournament.services.embargo import hide_results

pytestmark = [pytest.mark.django_db, pytest.mark.stored]


class Counted:
    """A selector that notes how often it is really asked."""

    def __init__(self, most: int = 8) -> None:
        self.asked: list[str] = []
        self.select = by_version(most)(self._select)

    def _select(self, tournament: Tournament, what: str) -> str:
        self.asked.append(what)
        return f"{what} of {tournament.version}"


def test_a_version_is_asked_once_for_each_thing_and_a_write_asks_anew() -> None:
    event, counted = make_tournament(played=1), Counted()
    first = [counted.select(event, what) for what in ("rows", "rows", "teams", "rows")]
    assert first == [f"{what} of {event.version}" for what in ("rows", "rows", "teams", "rows")]
    assert counted.asked == ["rows", "teams"]
    hide_results(event.sessions.get(number=1), SYSTEM)
    event.refresh_from_db()
    assert counted.select(event, "rows") == f"rows of {event.version}"
    assert counted.asked == ["rows", "teams", "rows"]


def test_only_the_newest_answers_are_kept() -> None:
    event, counted = make_tournament(), Counted(most=2)
    for what in ("one", "two", "three", "three", "one"):
        counted.select(event, what)
    assert counted.asked == ["one", "two", "three", "one"]
