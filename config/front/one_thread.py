"""Django behind ASGI: each request is worked on in one go by one thread, which another request has afterwards.

Django's own handler takes a request through its loop: a new thread for it, and back to the loop between the signals,
the middleware and the view. Beside a hundred others each of these ways costs a switch of threads
(docs/adr/0028-one-thread-a-request.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import Any, Final, TypeVar, cast

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.urls import set_script_prefix

from tournament.live.pages import Receive, Scope, Send

Done = TypeVar("Done")
Response = HttpResponse | StreamingHttpResponse

MOST: Final = 2_000
"""Threads. All but a few wait for their turn, and who is too much is turned away there (`config/front/lanes.py`)."""


def get_application() -> OneThread:
    """Django, set up."""
    django.setup(set_prefix=False)
    return OneThread()


class OneThread(ASGIHandler):
    """All of Hule's views and middleware are synchronous. What is streamed is read as it is sent, and no further when
    whoever asked has gone; Django would read a whole file before its first byte is sent."""

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MOST, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"Nothing here answers {scope['type']}.")
        # A task of its own: what its thread leaves in the context is not there for the connection's next request.
        await asyncio.create_task(self.handle(scope, receive, send))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await self._by_a_thread(self._answer, scope, body)
        if isinstance(response, StreamingHttpResponse):
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    def _answer(self, scope: Scope, body: SpooledTemporaryFile[bytes]) -> Response:
        """From the first signal to the last; one that is streamed is closed when it has been."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response = cast(Response, refused if request is None else self.get_response(request))
        response._handler_class = self.__class__  # type: ignore[union-attr]
        response._resource_closers.append(body.close)  # type: ignore[union-attr]
        if not response.streaming:
            response.close()
        return response

    async def _stream(self, response: StreamingHttpResponse, receive: Receive, send: Send) -> None:
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        gone = asyncio.ensure_future(receive())
        response.streaming_content = self._pieces(iter(response), gone)
        try:
            await self.send_response(response, send)
        finally:
            gone.cancel()
            await self._by_a_thread(response.close)

    async def _pieces(self, pieces: Iterator[bytes], gone: asyncio.Future[Any]) -> AsyncIterator[bytes]:
        while not gone.done() and (piece := await self._by_a_thread(next, pieces, None)) is not None:
            yield piece

    async def _by_a_thread(self, work: Callable[..., Done], *about: Any) -> Done:
        """In the request's own context: its language and zone hold for what is streamed later, and for nobody else."""
        return await sync_to_async(work, thread_sensitive=False, executor=self._threads)(*about)
