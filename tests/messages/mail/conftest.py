"""Mail servers for tests, real ones on a port of this machine: what they took, and how they can be difficult."""

import asyncio
import email
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.factories import make_tournament
from tests.support.processes import free_port
from tournament.base.models.tournament import Tournament


@dataclass
class Post:
    """A server's mailbox, and its moods: what it answers to an address and to a message, after how many seconds."""

    to: str = ""
    message: str = ""
    waits_at_address: float = 0
    waits_at_message: float = 0
    taken: list[EmailMessage] = field(default_factory=list)
    envelopes: list[Envelope] = field(default_factory=list)

    async def handle_RCPT(  # noqa: N802  (aiosmtpd calls it so)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        await asyncio.sleep(self.waits_at_address)
        if self.to:
            return self.to
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        if self.message:
            return self.message
        content = envelope.content
        assert isinstance(content, bytes)
        self.taken.append(email.message_from_bytes(content, policy=default))
        self.envelopes.append(envelope)
        await asyncio.sleep(self.waits_at_message)
        return "250 taken"

    @property
    def subjects(self) -> list[str]:
        return [str(message["Subject"]) for message in self.taken]


@contextmanager
def smtp_server(post: Post, settings: Any, **more: Any) -> Iterator[Controller]:
    """While it runs the site's settings name it."""
    controller = Controller(post, hostname="127.0.0.1", port=free_port(), **more)
    controller.start()
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
    settings.EMAIL_TIMEOUT = 0.5
    try:
        yield controller
    finally:
        controller.stop()


def only(user: bytes, password: bytes) -> Any:
    """Who is let in."""

    def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and (data.login, data.password) == (user, password)
        return AuthResult(success=right)

    return check


@pytest.fixture
def postbox(settings: Any) -> Iterator[Post]:
    post = Post()
    with smtp_server(post, settings):
        yield post


@pytest.fixture
def event() -> Tournament:
    return make_tournament(players=8, drawn=False)
