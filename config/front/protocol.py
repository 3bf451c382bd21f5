"""The web server's side of a connection, for `manage.py serve`: heads end, and there is room for everybody.

uvicorn reads heads of any size for any time. Behind a proxy the proxy sees to that (docs/operating.md); here nothing
stands in front.
"""

from __future__ import annotations

import logging
import resource
import time
from asyncio import Transport
from asyncio.events import TimerHandle
from functools import cache
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

BACKLOG: Final = 128
"""How many are let in at once, before any of them is looked at: asyncio accepts as many in one go."""
KEPT_BACK: Final = 400
"""Open files that are not visitors': those let in and those turned away, the database a thread, what is served."""
MOST_CONNECTIONS: Final = 20_000
MOST_FILES: Final = 65_536
"""More than this is of no use to anybody here."""


def raise_file_limit() -> int:
    """Raise the limit of open files as far as the system allows. Returns what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        connections.cache_clear()
        return most
    return soft


@cache
def connections() -> int:
    """How many visitors may be connected at once."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - KEPT_BACK
    return max(50, min(most, MOST_CONNECTIONS))


logger = logging.getLogger(__name__)

MOST_HEAD: Final = 16 * 1024
"""Bytes of a request's first line and headers."""
HEAD_SECONDS: Final = 10.0
"""Within which they are complete."""
TELL_EVERY: Final = 60.0
ANSWER: Final = (
    b"HTTP/1.1 %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
)

_told = -TELL_EVERY


class Doorkeeper(HttpToolsProtocol):
    """One connection. What does not come in decently is answered in a line and closed."""

    _head = 0
    _is_reading_head = True
    _is_turned_away = False
    _patience: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > connections():
            _tell_that_it_is_full(connections())
            self._turn_away(b"503 Service Unavailable", b"Too many visitors at once. Try again in a moment.")
        else:
            self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_turned_away:
            return
        if self._is_reading_head:
            self._head += len(data)
        super().data_received(data)
        # A head that goes on: the parser keeps what it has of it, so that its end is not waited for.
        if self._is_reading_head and self._head > MOST_HEAD:
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        if self._patience is None:
            self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._is_reading_head, self._head = False, 0
        self._stop_waiting()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MOST_HEAD:
            self._refuse_head()
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if not self._is_turned_away:
            super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_reading_head = True
        if not self._is_turned_away:
            super().on_message_complete()

    def _wait_for_head(self) -> None:
        self._patience = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if self._head:
            self._turn_away(b"408 Request Timeout", b"The request did not come.")
        else:  # browsers open connections ahead of need, and take one that closes without a word in their stride
            self.transport.close()

    def _refuse_head(self) -> None:
        self._turn_away(b"431 Request Header Fields Too Large", b"The request's headers are too large.")

    def _turn_away(self, status: bytes, sentence: bytes) -> None:
        if self._is_turned_away or self.transport.is_closing():
            return
        self._is_turned_away = True
        self._stop_waiting()
        self.transport.write(ANSWER % (status, len(sentence), sentence))
        self.transport.close()


def _tell_that_it_is_full(most: int) -> None:
    """Once a minute: a log of a line a visitor would fill the disk."""
    global _told
    if time.monotonic() - _told >= TELL_EVERY:
        _told = time.monotonic()
        logger.warning("All %d connections are taken; further visitors are asked to come back.", most)
