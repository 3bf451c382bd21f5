"""A push service on this machine, and browsers that subscribe there: what is sent is decrypted as they would."""

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
    """One browser's subscription, with the private key that never leaves it."""

    def __init__(self, service: str, name: str = "a") -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)
        point = self._private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.subscription = Subscription(f"{service}/{name}", b64urlencode(point), b64urlencode(self._secret))

    @property
    def as_json(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON` gives it."""
        mine = self.subscription
        keys = {"p256dh": mine.key, "auth": mine.secret}
        return {"endpoint": mine.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """What the letter says; fails unless it was encrypted for this browser."""
        text = http_ece.decrypt(body, private_key=self._private, auth_secret=self._secret)
        read: dict[str, Any] = json.loads(text)
        return read


@dataclass
class Delivered:
    path: str
    headers: Message
    body: bytes

    @property
    def claims(self) -> dict[str, Any]:
        """What the sender says of itself; fails unless its signature is right."""
        signed = self.headers["Authorization"]
        assert Vapid02.verify(signed)
        token = signed.split("t=")[1].split(",")[0]
        claims: dict[str, Any] = json.loads(b64urldecode(token.split(".")[1].encode()))
        return claims


@dataclass
class PushService:
    """`delivered`: the letters, in order. `answers`: path → the statuses it answers with in turn, the last for ever."""

    host: str
    delivered: list[Delivered] = field(default_factory=list)
    answers: dict[str, list[int]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def browser(self, name: str = "a") -> Browser:
        return Browser(self.url, name)

    def messages_of(self, browser: Browser) -> list[dict[str, Any]]:
        """What this browser has been told, in order."""
        path = browser.subscription.endpoint.removeprefix(self.url)
        return [browser.read(each.body) for each in self.delivered if each.path == path]

    def take(self, letter: Delivered) -> int:
        self.delivered.append(letter)
        statuses = self.answers.get(letter.path, [201])
        return statuses.pop(0) if len(statuses) > 1 else statuses[0]


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(service.take(Delivered(self.path, self.headers, body)))
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(f"127.0.0.1:{server.server_port}")
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield service
        server.shutdown()
