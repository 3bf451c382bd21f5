"""The web server of `manage.py serve`: granian in this process and its event loop.

Reasons, and what it leaves to `config/front/limits.py`: docs/adr/0029-granian-and-limits-per-address.md.
"""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server as Granian

from config.front.asgi import App
from config.front.limits import IDLE_SECONDS, connections

BACKLOG: Final = 1024
"""Connections that wait to be accepted; clients retry beyond that."""
HEAD_BYTES: Final = 16 * 1024
"""Longest request line and headers, and trailers of a chunked body."""
HEAD_SECONDS: Final = IDLE_SECONDS
"""Time limit for a request's head, and for a connection without a request."""
UNREAD_SECONDS: Final = 30
"""TCP user timeout (RFC 5482): the system then drops a connection whose client does not read."""


class Server(Granian):
    """granian on a socket that we opened, so that nobody else can bind the port, with our options."""

    def __init__(self, app: App, listener: socket.socket, on_start: Callable[[], None]) -> None:
        host, port = listener.getsockname()[:2]
        self._listener = listener
        super().__init__(
            app,
            address=host,
            port=port,
            interface=Interfaces.ASGI,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=connections(),
            http1_settings=HTTP1Settings(header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=HEAD_BYTES),
            log_level=LogLevels.error,
            log_dictconfig=settings.LOGGING | {"loggers": {}},  # our handlers format its lines too
        )
        self.on_startup(on_start)

    def _init_shared_socket(self) -> None:
        """Use our socket. granian would open one with SO_REUSEPORT, which another program could share."""
        self._shd: Any = SocketHolder(self._listener.detach(), False, BACKLOG)  # type: ignore[call-arg]


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at this address, `::` also for IPv4. Raises `OSError`."""
    listener = socket.create_server(
        (host, port),
        family=socket.AF_INET6 if ":" in host else socket.AF_INET,
        backlog=BACKLOG,
        dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
    )
    # Accepted connections inherit these options.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # not on macOS
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_SECONDS * 1000)
    return listener


async def serve(server: Server, stop: asyncio.Event, patience: float) -> bool:
    """Serve until `stop`, then finish requests for at most `patience` seconds. Return False if it ended by itself."""
    serving = asyncio.create_task(server.serve())
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    was_stopped = stop.is_set()
    stopping.cancel()
    server.stop()  # type: ignore[no-untyped-call]
    await asyncio.wait([serving], timeout=patience)
    if serving.done():
        await serving
    return was_stopped
