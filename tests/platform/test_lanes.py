"""A flood of strangers: whoever is signed in goes ahead, and no place keeps the others waiting."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils.functional import SimpleLazyObject

from config.front import lanes
from config.front.lanes import Full, Lane, SignedInFirst
from tests.support.processes import PATIENCE

Response = HttpResponse


class Hall:
    """People who come to a lane one after the other; what they do lasts until they are let go."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.inside: list[str] = []
        self.turned_away: list[str] = []
        self._go = threading.Semaphore(0)
        self._threads: list[threading.Thread] = []

    def come(self, place: str) -> None:
        thread = threading.Thread(target=self._visit, args=[place], daemon=True)
        before = self._standing()
        thread.start()
        self._threads.append(thread)
        until(lambda: self._standing() > before or not thread.is_alive())

    def let_one_go(self) -> None:
        """Who is inside leaves; whoever waits the longest is in when this returns."""
        there, somebody_waits = len(self.inside), bool(self.lane._waiting)
        self._go.release()
        until(lambda: not somebody_waits or len(self.inside) > there)

    def close(self) -> None:
        for _ in self._threads:
            self._go.release()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _visit(self, place: str) -> None:
        try:
            with self.lane.turn(place):
                self.inside.append(place)
                self._go.acquire()
        except Full:
            self.turned_away.append(place)

    def _standing(self) -> int:
        return len(self.inside) + sum(map(len, self.lane._waiting.values()))


def until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.001)


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall(Lane(at_once=1))
    yield made
    made.close()


def test_places_take_turns_and_each_keeps_its_order(hall: Hall) -> None:
    for place in ("flood", "flood", "flood", "flood", "ada", "bo", "ada"):
        hall.come(place)
    for _ in range(6):
        hall.let_one_go()
    assert hall.inside == ["flood", "flood", "ada", "bo", "flood", "ada", "flood"]


def test_from_one_place_only_so_many_wait(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_WAITING", 2)
    for place in ("flood", "flood", "flood", "flood", "ada"):
        hall.come(place)
    until(lambda: hall.turned_away == ["flood"])
    assert hall.inside == ["flood"]


def test_in_all_only_so_many_wait(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_WAITING_IN_ALL", 2)
    for place in ("ada", "bo", "cy", "di"):
        hall.come(place)
    until(lambda: hall.turned_away == ["di"])
    assert list(hall.lane._waiting) == ["bo", "cy"]


def test_who_waits_too_long_is_asked_to_come_back_and_holds_up_nobody(hall: Hall) -> None:
    hall.come("flood")
    hall.lane.patience = 0.05
    hall.come("ada")
    until(lambda: hall.turned_away == ["ada"])
    hall.lane.patience = PATIENCE
    hall.come("bo")
    hall.let_one_go()
    assert hall.inside == ["flood", "bo"]


def test_without_patience_nobody_is_turned_away(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_WAITING", 1)
    monkeypatch.setattr(lanes, "MOST_WAITING_IN_ALL", 1)
    hall.lane.patience = None
    for place in ("uma", "uma", "uma", "vic"):
        hall.come(place)
    assert hall.inside == ["uma"]
    hall.let_one_go()
    hall.let_one_go()
    assert (hall.inside, hall.turned_away) == (["uma", "uma", "vic"], [])


def test_a_turn_that_ends_in_a_fault_ends(hall: Hall) -> None:
    with pytest.raises(ZeroDivisionError), hall.lane.turn("ada"):
        raise ZeroDivisionError
    hall.come("bo")
    assert hall.inside == ["bo"]


class Door:
    """The middleware before a view that looks at who asks, or does not."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.user: User | AnonymousUser = AnonymousUser()
        self.looks = True
        self.door = SignedInFirst(self._view)
        self.full = False
        monkeypatch.setattr(self.door._lane, "_stand_in_line", self._stand)

    def ask(self, key: str = "", path: str = "/") -> HttpResponse:
        request = RequestFactory().get(path, headers={"Cookie": f"sessionid={key}"} if key else {})
        return self.door(request)

    def _stand(self, place: str) -> None:
        if self.full:
            raise Full

    def _view(self, request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(lambda: self.user)  # type: ignore[assignment]
        if self.looks:
            assert request.user.is_authenticated in (True, False)
        return HttpResponse("here you are")


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    return Door(monkeypatch)


def test_who_was_seen_to_be_signed_in_goes_ahead(door: Door) -> None:
    door.user = User(username="uma")
    assert door.ask("good").status_code == 200
    door.full = True
    assert door.ask("good").status_code == 200
    assert door.ask("another").status_code == 429
    assert door.ask().status_code == 429


def test_those_ahead_are_worked_on_eight_at_a_time(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    for _ in range(lanes.SIGNED_IN_AT_ONCE):
        door.door._ahead._stand_in_line("vic")
    asking = threading.Thread(target=door.ask, args=["good"], daemon=True)
    asking.start()
    until(lambda: bool(door.door._ahead._waiting))
    assert asking.is_alive()
    door.door._ahead._call_next()
    asking.join(PATIENCE)
    assert not asking.is_alive()


def test_a_key_that_opens_nothing_is_a_stranger_s(door: Door) -> None:
    door.ask("made up")
    door.full = True
    assert door.ask("made up").status_code == 429


def test_who_is_signed_out_is_a_stranger_again(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    door.user = AnonymousUser()
    door.ask("good")
    door.full = True
    assert door.ask("good").status_code == 429


def test_a_page_that_does_not_look_at_who_asks_changes_nothing(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    door.looks = False
    door.ask("good")
    door.full = True
    assert door.ask("good").status_code == 200


def test_it_is_said_to_people_and_to_programs(door: Door) -> None:
    door.full = True
    page, answer = door.ask(), door.ask(path="/api/v1/tournaments/")
    assert "Wait a minute, then try again." in page.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (429, "application/problem+json")
    assert page["Retry-After"] == answer["Retry-After"] == "10"


def test_only_so_many_keys_are_known(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "MOST_KNOWN", 3)
    door.user = User(username="uma")
    for number in range(5):
        door.ask(f"key {number}")
    assert len(door.door._known) == 3
