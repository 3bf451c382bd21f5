"""An event, and a program on this machine that is told: it takes, refuses, leads elsewhere, hangs or dawdles."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from threading import Event, Thread
from typing import Any

import pytest

from tests.support.factories import SYSTEM, make_tournament
from tournament.base.models.tournament import Tournament
from tournament.messages.webhooks.engine import SUBSCRIBABLE_KINDS
from tournament.messages.webhooks.models import Webhook
from tournament.messages.webhooks.services import add_webhook


@dataclass
class Taken:
    path: str
    headers: Message
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.body)
        return message


@dataclass
class Reply:
    """`hangs`: never; `drips`: a byte now and then in the place of a status; `after`: not before that has happened."""

    status: int = 200
    body: bytes = b"ok"
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    drips: bool = False
    after: Event | None = None


@dataclass
class Target:
    """`replies`: path → what it answers with in turn, the last for ever; 200 where there is none."""

    host: str
    taken: list[Taken] = field(default_factory=list)
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    over: Event = field(default_factory=Event)
    awaited: dict[tuple[str, int], Event] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def answers(self, *replies: Reply, path: str = "/") -> None:
        self.replies[path] = list(replies)

    def reply_to(self, path: str) -> Reply:
        left = self.replies.get(path, [Reply()])
        return left.pop(0) if len(left) > 1 else left[0]

    def has_taken(self, count: int, path: str) -> Event:
        """What happens when so many messages have come to that path."""
        return self.awaited.setdefault((path, count), Event())

    def notice(self, path: str) -> None:
        self.has_taken(sum(taken.path == path for taken in self.taken), path).set()

    @property
    def sentences(self) -> list[str]:
        return [taken.message["data"]["sentence"] for taken in self.taken]

    @property
    def kinds(self) -> list[str]:
        """What it has been told, in order."""
        return [taken.message["type"] for taken in self.taken]


@contextmanager
def target_on_this_machine() -> Iterator[Target]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            program.taken.append(Taken(self.path, self.headers, body))
            program.notice(self.path)
            reply = program.reply_to(self.path)
            if reply.after:
                reply.after.wait(20)
            if reply.hangs:
                program.over.wait(20)
            elif reply.drips:
                self._drip()
            else:
                self._answer(reply)

        def _answer(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # who asked reads the beginning alone
                self.wfile.write(reply.body)

        def _drip(self) -> None:
            with suppress(OSError):
                self.wfile.write(b"HTTP/1.1")
                while not program.over.wait(0.02):
                    self.wfile.write(b" ")

        def log_message(self, *_arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        program = Target(f"127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield program
        program.over.set()
        server.shutdown()


Add = Callable[..., Webhook]


@pytest.fixture
def target(settings: Any) -> Iterator[Target]:
    settings.WEBHOOK_NETWORKS = [ip_network("127.0.0.0/8")]
    with target_on_this_machine() as running:
        yield running


@pytest.fixture
def event() -> Tournament:
    return make_tournament(running=2)


@pytest.fixture
def add(event: Tournament, target: Target) -> Add:
    """Adds a webhook that is told everything; `changes`: what is to be otherwise."""

    def add_one(**changes: Any) -> Webhook:
        usual = {
            "name": "the hall’s program",
            "url": f"{target.url}/",
            "kinds": list(SUBSCRIBABLE_KINDS),
            "language": "en",
        }
        return add_webhook(Webhook(tournament=event, **usual | changes), SYSTEM)

    return add_one
