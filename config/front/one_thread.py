"""Django behind ASGI with one thread a request, taken from a pool.

Django's own handler starts a thread for each request and returns to the event loop between signals, middleware and
view; under load each of these costs a switch of threads (docs/adr/0028-one-thread-per-request.md).
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

from config.front.asgi import Receive, Scope, Send

R = TypeVar("R")
Response = HttpResponse | StreamingHttpResponse

MAX_THREADS: Final = 2_000
"""Threads. All but a few wait in the queue, which also refuses requests (`config/front/queueing.py`)."""


def get_application() -> OneThread:
    """Set up Django and return the ASGI handler."""
    django.setup(set_prefix=False)
    return OneThread()


class OneThread(ASGIHandler):
    """An ASGI handler for synchronous views and middleware.

    Streams are read while they are sent, and no further when the client has gone; Django would read a whole file
    first.
    """

    def __init__(self) -> None:
        super().__init__()
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="request")

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"Nothing here answers {scope['type']}.")
        # A task of its own, so that its context does not leak into the connection's next request.
        await asyncio.create_task(self.handle(scope, receive, send))

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await self._run_in_thread(self._answer, scope, body)
            if isinstance(response, StreamingHttpResponse):
                await self._stream(response, receive, send)
            else:
                await self.send_response(response, send)
        finally:
            body.close()

    def _answer(self, scope: Scope, body: SpooledTemporaryFile[bytes]) -> Response:
        """Return the response, with all request signals sent; a streaming response is closed later."""
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response = cast(Response, refused if request is None else self.get_response(request))
        if not response.streaming:
            response.close()
        return response

    async def _stream(self, response: StreamingHttpResponse, receive: Receive, send: Send) -> None:
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        disconnected = asyncio.ensure_future(receive())
        response.streaming_content = self._pieces(iter(response), disconnected)
        try:
            await self.send_response(response, send)
        finally:
            disconnected.cancel()
            await self._run_in_thread(response.close)

    async def _pieces(
        self, pieces: Iterator[bytes], disconnected: asyncio.Future[Any]
    ) -> AsyncIterator[bytes]:
        while (
            not disconnected.done() and (piece := await self._run_in_thread(next, pieces, None)) is not None
        ):
            yield piece

    async def _run_in_thread(self, function: Callable[..., R], *args: Any) -> R:
        """Run in the request's own context, which carries its language and time zone."""
        return await sync_to_async(function, thread_sensitive=False, executor=self._threads)(*args)
