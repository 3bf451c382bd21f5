"""One POST over a line to an address that was looked at: no second look-up, no redirect, no waiting for ever."""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import SplitResult

_tls = ssl.create_default_context()


class TooSlow(OSError):
    """It had not answered when the time for the whole of it was over."""


@dataclass(frozen=True)
class Limits:
    """`patience`: seconds for which the other side may say nothing. `longest`: seconds for the whole, however busily
    it dawdles. `most`: bytes of the answer's body that are read."""

    patience: float
    longest: float
    most: int = 0


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """By their names in small letters."""
    body: bytes = b""


def post(
    parts: SplitResult,
    where: Sequence[tuple[str, int]],
    headers: Mapping[str, str],
    body: bytes,
    limits: Limits,
) -> Answer:
    """What the first of these addresses that takes the line answers. `OSError` or `HTTPException` when none does.

    The host's name is checked by TLS, unless the address begins with http.
    """
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    with _connected(parts, where, limits) as line:
        connection = http.client.HTTPConnection(parts.netloc)
        connection.sock = line
        connection.request("POST", target, body, dict(headers))
        answer = connection.getresponse()
        named = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, named, _beginning(answer, limits.most))


def _beginning(answer: http.client.HTTPResponse, most: int) -> bytes:
    """Of a body that never ends, or is no proper one, nothing: the status has said what counts."""
    with suppress(OSError, http.client.HTTPException):
        return answer.read(most) if most else b""
    return b""


@contextmanager
def _connected(
    parts: SplitResult, where: Sequence[tuple[str, int]], limits: Limits
) -> Iterator[socket.socket]:
    with _first(where, limits.patience) as plain, _not_for_ever(plain, limits.longest):
        if parts.scheme == "http":
            yield plain
        else:
            with _tls.wrap_socket(plain, server_hostname=parts.hostname) as line:
                yield line


def _first(where: Sequence[tuple[str, int]], patience: float) -> socket.socket:
    """A line to the first that takes one: a name may have an address that cannot be reached from here."""
    for place in where[:-1]:
        with suppress(OSError):
            return socket.create_connection(place, timeout=patience)
    return socket.create_connection(where[-1], timeout=patience)


@contextmanager
def _not_for_ever(line: socket.socket, longest: float) -> Iterator[None]:
    """Who sends a byte now and then is cut off after all."""
    is_over = threading.Event()
    with line.dup() as same:  # TLS takes the socket over
        cut = threading.Timer(longest, _cut, [same, is_over])
        cut.daemon = True
        cut.start()
        try:
            yield
        except (OSError, http.client.HTTPException) as fault:
            if is_over.is_set():
                raise TooSlow("no whole answer came in time") from fault
            raise
        finally:
            cut.cancel()


def _cut(line: socket.socket, is_over: threading.Event) -> None:
    """End a connection from outside; who waits on it gets an error at once."""
    is_over.set()
    with suppress(OSError):  # it has just ended by itself
        line.shutdown(socket.SHUT_RDWR)
