"""A watcher's line to the live stream in a thread of its own: lost, it is built up again from the last event's id."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from urllib.parse import urlsplit

PATIENCE = 30.0
"""Seconds in which a line that stands says something: the stream's heart beats more often."""


class Line:
    """What one browser hears. `opened` is called whenever the line stands."""

    def __init__(self, url: str, version: int, retry: float, opened: Callable[[], None]) -> None:
        self._address, self._retry, self._opened = urlsplit(url), retry, opened
        self._ended = Event()
        self.heard = [version]
        self.resets = 0
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def seen(self) -> int:
        return self.heard[-1]

    def missing(self) -> int:
        """How many events between its first and its last it was not told, one by one or by a reset."""
        if self.resets:
            return 0
        return self.heard[-1] - self.heard[0] + 1 - len(set(self.heard))

    def end(self) -> None:
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError):
                self._hear()
            self._ended.wait(self._retry)

    def _hear(self) -> None:
        host, port = self._address.hostname, self._address.port
        last = f"Last-Event-ID: {self.seen}\r\n"
        with socket.create_connection((host, port or 80), timeout=PATIENCE) as line:
            line.sendall(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n{last}\r\n".encode())
            rest, stands = b"", False
            while not self._ended.is_set() and (piece := line.recv(65536)):
                rest += piece
                if not stands:
                    if b"\r\n\r\n" not in rest:
                        continue
                    if not rest.startswith(b"HTTP/1.1 200"):
                        return
                    stands = True
                    self._opened()
                whole, found, rest = rest.rpartition(b"\n")
                self._take(whole + found)

    def _take(self, piece: bytes) -> None:
        self.resets += piece.count(b"event: reset")
        self.heard += [int(found) for found in re.findall(rb"^id: (\d+)", piece, re.MULTILINE)]


def wait_for(happened: Callable[[], bool], seconds: float) -> bool:
    """Whether it happens within so many seconds."""
    until = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
