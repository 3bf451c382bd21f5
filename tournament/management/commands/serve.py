"""`manage.py serve`: everything a tournament needs on one machine, until Ctrl-C. `bin/run` calls it."""

import asyncio
import errno
import signal
import socket
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

import uvicorn
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from config.front.protocol import BACKLOG, Doorkeeper, raise_file_limit
from tournament.accounts import setup_code
from tournament.demo.trials import logins_made
from tournament.management import static
from tournament.management.upgrade import bring_up_to_date
from tournament.management.worker import Worker

SECONDS_FOR_OPEN_REQUESTS = 20
"""As long as a write waits for its turn in SQLite. Streams end at once, and connections without a request."""


class Command(BaseCommand):
    help = (
        "Start the web server and a background worker, with a demonstration tournament if there is no data."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default 8000")
        parser.add_argument(
            "--host", default="127.0.0.1", help="0.0.0.0 lets other devices in; default 127.0.0.1"
        )
        parser.add_argument(
            "--no-demo", dest="demo", action="store_false", help="start without a demonstration"
        )

    def handle(self, *, host: str, port: int, demo: bool, **options: Any) -> None:
        try:
            with _listen(host, port) as listener:
                address = _address(listener)
                self._prepare(demo, address)
                greeting = self._greeting(address)
                connections.close_all()
                _serve(listener, lambda: self._print(greeting), self.stderr.write)
        except KeyboardInterrupt:
            pass  # there was nothing to stop yet
        self.stdout.write("Hule has stopped.")

    def _print(self, text: str) -> None:
        """Print at once: a service manager reads through a pipe, which Python fills before it sends anything."""
        self.stdout.write(text)
        self.stdout.flush()

    def _prepare(self, demo: bool, address: str) -> None:
        bring_up_to_date(self._print)
        if static.has_changed():
            self._print("Collecting style sheets, scripts and tiles …")
            static.collect()
        # Only into an empty house: its accounts have passwords that everybody knows.
        if demo and setup_code.is_open():
            self._print("Playing the demonstration tournament …")
            call_command("demo", evening=True, if_empty=True, verbosity=0)
            call_command("demo", coming=True, site=address.rstrip("/"), verbosity=0)

    def _greeting(self, address: str) -> str:
        lines = ["", f"Hule is ready:  {address}", ""]
        lines += [f"  {login.username:10} password  {login.password}" for login in logins_made()]
        if setup_code.is_open():
            lines += [
                f"Make the organiser's account at {address.rstrip('/')}{reverse('setup')}",
                f"with the code  {setup_code.code()}",
            ]
        return "\n".join([*lines, "", "Ctrl-C stops it.", ""])


def _serve(listener: socket.socket, on_ready: Callable[[], None], complain: Callable[[str], None]) -> None:
    """Run web server and worker until a signal; returns when both have ended."""
    # Here, not above: it builds the whole application, which `manage.py help serve` can do without.
    from config.asgi import application

    raise_file_limit()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            on_ready()

    async def both() -> None:
        worker = Worker(complain)
        keeping = asyncio.create_task(worker.keep())
        try:
            await server.serve(sockets=[listener])
        finally:
            keeping.cancel()
            await worker.stop()

    server = Server(
        uvicorn.Config(
            application,
            http=Doorkeeper,
            backlog=BACKLOG,
            proxy_headers=False,  # uvicorn would believe anybody on this machine; ClientAddress knows whom to believe
            lifespan="on",
            log_config=None,  # its lines are written as all others are
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=SECONDS_FOR_OPEN_REQUESTS,
        )
    )
    # uvicorn, once stopped, raises the signal that stopped it again; the worker is still to be stopped then.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    asyncio.run(both())


def _listen(host: str, port: int) -> socket.socket:
    """A socket that says it speaks TCP: asyncio sends what is small at once only on those (TCP_NODELAY).

    Held back, each answer on a line that stands would wait 40 ms for the receipt of its head.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        plain = socket.create_server((host, port), family=family)
        return socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, fileno=plain.detach())
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken by another program; choose another one with --port."
            ) from None
        raise CommandError(f"Cannot listen on {host} port {port}: {fault.strerror}.") from None


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"
