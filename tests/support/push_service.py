"""A local push service, and browsers that subscribe there and decrypt its messages."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02
from py_vapid.utils import b64urldecode, b64urlencode

from tournament.messages.push.services import Subscription


class Browser:
    """A browser's subscription with its private key."""

    def __init__(self, service: str, name: str = "a") -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = Subscription(f"{service}/{name}", b64urlencode(point), b64urlencode(self._secret))

    @property
    def as_json(self) -> dict[str, Any]:
        """The result of `PushSubscription.toJSON`."""
        subscription = self.subscription
        keys = {"p256dh": subscription.key, "auth": subscription.secret}
        return {"endpoint": subscription.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message; fail if it was not encrypted for this browser."""
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._secret)
        message: dict[str, Any] = json.loads(text)
        return message


@dataclass
class Delivered:
    path: str
    headers: Message
    body: bytes

    @property
    def claims(self) -> dict[str, Any]:
        """The claims of the VAPID token; fails if its signature is wrong."""
        authorization = self.headers["Authorization"]
        assert Vapid02.verify(authorization)
        token = authorization.split("t=")[1].split(",")[0]
        claims: dict[str, Any] = json.loads(b64urldecode(token.split(".")[1].encode()))
        return claims


@dataclass
class PushService:
    """A push service.

    `delivered`: its messages, in order.
    `answers`: status codes by path, in turn; the last one is repeated.
    """

    host: str
    delivered: list[Delivered] = field(default_factory=list)
    answers: dict[str, list[int]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def browser(self, name: str = "a") -> Browser:
        return Browser(self.url, name)

    def messages_of(self, browser: Browser) -> list[dict[str, Any]]:
        """Return the decrypted messages for this browser, in order."""
        path = browser.subscription.endpoint.removeprefix(self.url)
        return [browser.read(message.body) for message in self.delivered if message.path == path]

    def receive(self, message: Delivered) -> int:
        """Store a message; return the status code of the answer."""
        self.delivered.append(message)
        statuses = self.answers.get(message.path, [201])
        return statuses.pop(0) if len(statuses) > 1 else statuses[0]


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(service.receive(Delivered(self.path, self.headers, body)))
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(f"127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield service
        server.shutdown()
