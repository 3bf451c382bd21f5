"""Django behind ASGI: one thread a request from the first signal to the last, and files sent as they are read."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import override_settings
from django.urls import path
from django.utils import translation

from config.front.one_thread import OneThread

seen: list[tuple[str, int]] = []


def note(what: str, **_: object) -> None:
    seen.append((what, threading.get_ident()))


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
    seen.clear()
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
        self._leaves_after, self._left = leaves_after, asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        if self._brings:
            return self._brings.pop()
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Mapping[str, Any]) -> None:
        self.sent.append(message)
        if len(self.sent) == self._leaves_after:
            self._left.set()
            await asyncio.sleep(0)

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent)


def visits(django: OneThread, *asked: tuple[Any, ...]) -> list[Visit]:
    """One after the other."""

    async def all_of_them() -> list[Visit]:
        made = []
        for one in asked:
            made.append(visit := Visit(*one))
            await django(visit.scope, visit.receive, visit.send)
        return made

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
    assert [what for what, _ in seen] == ["started", "middleware", "before the view", "view", "finished"]
    threads = {thread for _, thread in seen}
    assert len(threads) == 1
    assert threading.get_ident() not in threads


def test_the_next_request_has_the_thread_and_not_the_language_of_the_last(django: OneThread) -> None:
    django._threads = ThreadPoolExecutor(1)
    before, one, after = visits(django, ("/plain/",), ("/chinese/",), ("/plain/",))
    assert one.body == b" zh-hant"
    assert before.body == after.body != one.body
    assert len({thread for _, thread in seen}) == 1


def test_a_stream_is_read_to_its_end_in_the_language_it_began_in(django: OneThread) -> None:
    (visit,) = visits(django, ("/stream/",))
    assert visit.body == b"".join(b"%d zh-hans," % number for number in range(1000))
    assert visit.sent[-1] == {"type": "http.response.body"}


def test_a_stream_is_read_no_further_when_nobody_is_there(django: OneThread) -> None:
    visits(django, ("/stream/", b"", 5))
    assert 4 <= sum(what == "piece" for what, _ in seen) <= 6


def test_a_file_is_sent_in_pieces(django: OneThread) -> None:
    (visit,) = visits(django, ("/file/",))
    assert visit.body == b"x" * 200_000
    assert max(len(message.get("body", b"")) for message in visit.sent) == OneThread.chunk_size


def test_a_fault_of_ours_is_an_answer_and_the_last_signal_is_sent(django: OneThread) -> None:
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
