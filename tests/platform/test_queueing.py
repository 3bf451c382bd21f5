"""Requests on their way: strangers keep nobody signed in waiting, one thread from the first signal to the last."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.backends.base import SessionBase
from django.core.signals import request_finished, request_started
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory, override_settings
from django.urls import path
from django.utils import translation
from django.utils.functional import SimpleLazyObject

from config.front import limits, queueing
from config.front.one_thread import OneThread
from config.front.queueing import FairQueue, QueueFull, SignedInFirst
from tests.support.processes import PATIENCE

Response = HttpResponse

calls: list[tuple[str, int]] = []


class Hall:
    """People who come to a lane one after the other; what they do lasts until they are let go."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.inside: list[str] = []
        self.refused: list[str] = []
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
        before, somebody_waits = len(self.inside), bool(self.queue._waiting)
        self._go.release()
        until(lambda: not somebody_waits or len(self.inside) > before)

    def close(self) -> None:
        for _ in self._threads:
            self._go.release()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _visit(self, place: str) -> None:
        try:
            with self.queue.turn(place):
                self.inside.append(place)
                self._go.acquire()
        except QueueFull:
            self.refused.append(place)

    def _standing(self) -> int:
        return len(self.inside) + sum(map(len, self.queue._waiting.values()))


def until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.001)


@pytest.fixture
def hall() -> Iterator[Hall]:
    queue_hall = Hall(FairQueue(at_once=1))
    yield queue_hall
    queue_hall.close()


def test_addresses_take_turns_and_keep_their_order(hall: Hall) -> None:
    for place in ("flood", "flood", "flood", "flood", "ada", "bo", "ada"):
        hall.come(place)
    for _ in range(6):
        hall.let_one_go()
    assert hall.inside == ["flood", "flood", "ada", "bo", "flood", "ada", "flood"]


def test_the_queue_of_one_address_is_limited(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "MAX_WAITING", 2)
    for place in ("flood", "flood", "flood", "flood", "ada"):
        hall.come(place)
    until(lambda: hall.refused == ["flood"])
    assert hall.inside == ["flood"]


def test_the_whole_queue_is_limited(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "MAX_WAITING_IN_ALL", 2)
    for place in ("ada", "bo", "cy", "di"):
        hall.come(place)
    until(lambda: hall.refused == ["di"])
    assert list(hall.queue._waiting) == ["bo", "cy"]


def test_a_request_that_waits_too_long_is_refused(hall: Hall) -> None:
    hall.come("flood")
    hall.queue.patience = 0.05
    hall.come("ada")
    until(lambda: hall.refused == ["ada"])
    hall.queue.patience = PATIENCE
    hall.come("bo")
    hall.let_one_go()
    assert hall.inside == ["flood", "bo"]


def test_without_patience_nobody_is_refused(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queueing, "MAX_WAITING", 1)
    monkeypatch.setattr(queueing, "MAX_WAITING_IN_ALL", 1)
    hall.queue.patience = None
    for place in ("uma", "uma", "uma", "vic"):
        hall.come(place)
    assert hall.inside == ["uma"]
    hall.let_one_go()
    hall.let_one_go()
    assert (hall.inside, hall.refused) == (["uma", "uma", "vic"], [])


def test_an_exception_ends_the_turn(hall: Hall) -> None:
    with pytest.raises(ZeroDivisionError), hall.queue.turn("ada"):
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
        monkeypatch.setattr(self.door._queue, "_enqueue", self._stand)

    def ask(self, key: str = "", path: str = "/") -> HttpResponse:
        request = RequestFactory().get(path, headers={"Cookie": f"sessionid={key}"} if key else {})
        return self.door(request)

    def _stand(self, place: str) -> None:
        if self.full:
            raise QueueFull

    def _view(self, request: HttpRequest) -> HttpResponse:
        request.user = SimpleLazyObject(lambda: self.user)  # type: ignore[assignment]
        request.session = SessionBase()
        request.session.accessed = self.looks
        if self.looks:
            assert request.user.is_authenticated in (True, False)
        return HttpResponse("here you are")


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Door:
    limits.signed_in.clear()
    return Door(monkeypatch)


def test_a_known_credential_skips_the_queue(door: Door) -> None:
    door.user = User(username="uma")
    assert door.ask("good").status_code == 200
    door.full = True
    assert door.ask("good").status_code == 200
    assert door.ask("another").status_code == 429
    assert door.ask().status_code == 429


def test_signed_in_requests_are_limited_too(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    for _ in range(queueing.SIGNED_IN_AT_ONCE):
        door.door._signed_in_queue._enqueue("vic")
    asking = threading.Thread(target=door.ask, args=["good"], daemon=True)
    asking.start()
    until(lambda: bool(door.door._signed_in_queue._waiting))
    assert asking.is_alive()
    door.door._signed_in_queue._admit_next()
    asking.join(PATIENCE)
    assert not asking.is_alive()


def test_an_invalid_credential_is_not_known(door: Door) -> None:
    door.ask("made up")
    door.full = True
    assert door.ask("made up").status_code == 429


def test_a_credential_is_forgotten_after_sign_out(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    door.user = AnonymousUser()
    door.ask("good")
    door.full = True
    assert door.ask("good").status_code == 429


def test_a_page_that_loads_no_user_changes_no_credential(door: Door) -> None:
    door.user = User(username="uma")
    door.ask("good")
    door.looks = False
    door.ask("good")
    door.full = True
    assert door.ask("good").status_code == 200


def test_a_full_queue_is_reported_as_page_and_problem_json(door: Door) -> None:
    door.full = True
    page, answer = door.ask(), door.ask(path="/api/v1/tournaments/")
    assert "Wait a minute, then try again." in page.content.decode()
    assert (answer.status_code, answer["Content-Type"]) == (429, "application/problem+json")
    assert page["Retry-After"] == answer["Retry-After"] == "10"


def test_the_number_of_known_credentials_is_limited(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_KNOWN", 3)
    door.user = User(username="uma")
    for number in range(5):
        door.ask(f"key {number}")
    accounts = [limits.signed_in.account_of(limits.key_of("", f"key {number}")) for number in range(5)]
    assert list(map(bool, accounts)) == [False] * 2 + [True] * 3


def note(what: str, **_: object) -> None:
    calls.append((what, threading.get_ident()))


class Looks:
    """A middleware that also wants to see each view."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        note("middleware")
        answer: HttpResponse = self.get_response(request)
        return answer

    def process_view(self, *_: object) -> None:
        note("before the view")


def plain(request: HttpRequest) -> HttpResponse:
    note("view")
    return HttpResponse(request.body + f" {translation.get_language()}".encode())


def chinese(request: HttpRequest) -> HttpResponse:
    translation.activate("zh-hant")
    return plain(request)


def pieces() -> Iterator[bytes]:
    translation.activate("zh-hans")
    for number in range(1000):
        note("piece")
        yield f"{number} {translation.get_language()},".encode()


def stream(request: HttpRequest) -> StreamingHttpResponse:
    return StreamingHttpResponse(pieces())


def file(request: HttpRequest) -> FileResponse:
    return FileResponse(BytesIO(b"x" * 200_000))


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("ours")


urlpatterns = [path("plain/", plain), path("chinese/", chinese), path("stream/", stream), path("file/", file)]
urlpatterns.append(path("broken/", broken))


def handler500(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=500)


@pytest.fixture
def django() -> Iterator[OneThread]:
    calls.clear()
    with override_settings(
        ROOT_URLCONF=__name__, MIDDLEWARE=[f"{__name__}.Looks"], ALLOWED_HOSTS=["*"], DEBUG=False
    ):
        yield OneThread()


class Visit:
    """One request; `leaves_after` so many messages its visitor is gone."""

    def __init__(self, where: str, body: bytes = b"", leaves_after: int | None = None) -> None:
        self.scope = {"type": "http", "method": "POST", "path": where, "headers": [], "query_string": b""}
        self.sent: list[Mapping[str, Any]] = []
        self._brings: list[dict[str, Any]] = [{"type": "http.request", "body": body}]
        self._leaves_after, self._disconnected = leaves_after, asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if self._brings:
            return self._brings.pop()
        await self._disconnected.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        self.sent.append(message)
        if len(self.sent) == self._leaves_after:
            self._disconnected.set()
            await asyncio.sleep(0)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)


def visits(django: OneThread, *requests: tuple[Any, ...]) -> list[Visit]:
    """One after the other."""

    async def all_of_them() -> list[Visit]:
        done = []
        for arguments in requests:
            done.append(visit := Visit(*arguments))
            await django(visit.scope, visit.receive, visit.send)
        return done

    return asyncio.run(all_of_them())


def test_signals_middleware_and_view_are_run_by_one_thread(django: OneThread) -> None:
    def started(**_: object) -> None:
        note("started")

    def finished(**_: object) -> None:
        note("finished")

    request_started.connect(started)
    request_finished.connect(finished)
    try:
        (visit,) = visits(django, ("/plain/", b"said"))
    finally:
        request_started.disconnect(started)
        request_finished.disconnect(finished)
    assert visit.body.startswith(b"said ")
    assert [what for what, _ in calls] == ["started", "middleware", "before the view", "view", "finished"]
    threads = {thread for _, thread in calls}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_a_reused_thread_does_not_keep_the_language(django: OneThread) -> None:
    django._threads = ThreadPoolExecutor(1)
    before, chinese, after = visits(django, ("/plain/",), ("/chinese/",), ("/plain/",))
    assert chinese.body == b" zh-hant"
    assert before.body == after.body != chinese.body
    assert len({thread for _, thread in calls}) == 1


def test_a_stream_is_read_to_its_end_in_the_language_it_began_in(django: OneThread) -> None:
    (visit,) = visits(django, ("/stream/",))
    assert visit.body == b"".join(b"%d zh-hans," % number for number in range(1000))
    assert visit.sent[-1] == {"type": "http.response.body"}


def test_a_stream_stops_when_the_client_leaves(django: OneThread) -> None:
    visits(django, ("/stream/", b"", 5))
    assert 4 <= sum(what == "piece" for what, _ in calls) <= 6


def test_a_file_is_sent_in_pieces(django: OneThread) -> None:
    (visit,) = visits(django, ("/file/",))
    assert visit.body == b"x" * 200_000
    assert max(len(message.get("body", b"")) for message in visit.sent) == OneThread.chunk_size


def test_an_exception_gives_a_response_and_sends_request_finished(django: OneThread) -> None:
    ends: list[object] = []

    def finished(**_: object) -> None:
        ends.append(None)

    request_finished.connect(finished)
    try:
        (visit,) = visits(django, ("/broken/",))
    finally:
        request_finished.disconnect(finished)
    assert visit.sent[0]["status"] == 500
    assert len(ends) == 1


def test_only_requests_are_answered(django: OneThread) -> None:
    visit = Visit("/plain/")
    with pytest.raises(ValueError, match="websocket"):
        asyncio.run(django(visit.scope | {"type": "websocket"}, visit.receive, visit.send))


def test_a_request_that_has_waited_elsewhere_does_not_wait_again(door: Door) -> None:
    door.full = True
    request = RequestFactory().get("/")
    request.scope = {queueing.HAS_TURN: True}  # type: ignore[attr-defined]
    assert door.door(request).status_code == 200
