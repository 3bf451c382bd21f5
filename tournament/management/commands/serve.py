"""`manage.py serve`: everything a tournament needs on one machine, until Ctrl-C. `bin/run` calls it."""

import asyncio
import errno
import os
import signal
import socket
from argparse import ArgumentParser
from collections.abc import Callable
from http.client import HTTPException
from threading import Thread
from typing import Any
from urllib.request import urlopen

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse
from django.utils.translation import gettext as _

from config.front.limits import raise_file_limit
from config.front.server import Server, listen, serve
from tournament.accounts import setup_code
from tournament.base.requests import is_reached_by_others, reachable_url, site_address
from tournament.demo.trials import demo_logins
from tournament.management import static
from tournament.management.shell import in_shell_language
from tournament.management.upgrade import migrate_data
from tournament.management.worker import Worker

PATIENCE = 10.0
"""Seconds to wait for a response when SITE_ADDRESS is checked."""
SECONDS_FOR_OPEN_REQUESTS = 20
"""As long as a write waits for SQLite. Streams and idle connections end at once."""


class Command(BaseCommand):
    help = (
        "Start the web server and a background worker, with a demonstration tournament if there is no data."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="default 8000")
        parser.add_argument(
            "--host", default="127.0.0.1", help="0.0.0.0 or :: lets other devices in; default 127.0.0.1"
        )
        parser.add_argument(
            "--no-demo", dest="demo", action="store_false", help="start without a demonstration"
        )

    def handle(self, *, host: str, port: int, demo: bool, **options: Any) -> None:
        try:
            with _listen(host, port) as listener:
                address = _address(listener)
                is_named = bool(settings.SITE_ADDRESS)
                if not is_named:
                    # For this process and its children: only the listener knows its port.
                    settings.SITE_ADDRESS = os.environ["SITE_ADDRESS"] = address
                with in_shell_language():
                    self._prepare(demo)
                    greeting = self._greeting(reachable_url(address))
                connections.close_all()

                def on_ready() -> None:
                    self._print(greeting)
                    if is_named:
                        Thread(target=self._check_address, args=(site_address(),), daemon=True).start()

                _serve(listener, on_ready, self.stderr.write)
        except KeyboardInterrupt:
            pass  # before the server started
        with in_shell_language():
            self.stdout.write(_("Hule has stopped."))

    def _print(self, text: str) -> None:
        """Print and flush, because a service manager reads through a pipe."""
        self.stdout.write(text)
        self.stdout.flush()

    def _prepare(self, demo: bool) -> None:
        migrate_data(self._print)
        if static.has_changed():
            self._print(_("Collecting style sheets, scripts and tiles …"))
            static.collect()
        # Only without any account: the demonstration's passwords are public.
        if demo and setup_code.is_open():
            self._print(_("Playing the demonstration tournament …"))
            call_command("demo", until=4, if_empty=True, verbosity=0)
            call_command("demo", coming=True, verbosity=0)

    def _greeting(self, address: str) -> str:
        lines = ["", _("Hule is ready:  {address}/").format(address=address), ""]
        if site_address() != address:
            lines += [_("Links in e-mails and codes lead to  {address}/").format(address=site_address()), ""]
        elif not is_reached_by_others(address):
            lines += [_("Other devices cannot reach it: start it with --host 0.0.0.0 to let them in."), ""]
        lines += [
            _("  {name:10} password {password}").format(name=login.username, password=login.password)
            for login in demo_logins()
        ]
        if setup_code.is_open():
            lines += [
                _("Create the organiser’s account at {address}").format(address=address + reverse("setup")),
                _("with the code  {code}").format(code=setup_code.code()),
            ]
        return "\n".join([*lines, "", _("Press Ctrl-C to stop it."), ""])

    def _check_address(self, address: str) -> None:
        """Report when SITE_ADDRESS does not lead to a Hule."""
        try:
            with urlopen(f"{address}/healthz", timeout=PATIENCE):
                return
        except (OSError, HTTPException) as fault:
            self.stderr.write(
                f"SITE_ADDRESS: {address} leads nowhere from here ({fault}), and so do links in letters."
            )


def _serve(
    listener: socket.socket, on_ready: Callable[[], None], report_error: Callable[[str], None]
) -> None:
    """Run web server and worker until a signal; return when both have ended."""
    raise_file_limit()
    # Imported here, because it builds the whole application.
    from config.asgi import application

    async def run_both() -> bool:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
        worker = Worker(report_error)
        worker_task = asyncio.create_task(worker.run())
        try:
            return await serve(Server(application, listener, on_ready), stop, SECONDS_FOR_OPEN_REQUESTS)
        finally:
            worker_task.cancel()
            await worker.stop()

    if not asyncio.run(run_both()):
        raise CommandError("The web server has ended by itself.")


def _listen(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            raise CommandError(
                f"Port {port} is taken by another program; choose another one with --port."
            ) from None
        raise CommandError(f"Cannot listen on {host} port {port}: {fault.strerror}.") from None


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
