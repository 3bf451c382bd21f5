"""A browser of sorts behind TLS: one visitor with an address, cookies and a form's token."""

from __future__ import annotations

import json
import re
import socket
import ssl
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.support.processes import PATIENCE

NAME = "hule.example.org"


class Visitor:
    """Comes from `address` to the port of a proxy whose certificate is in `certificate`."""

    def __init__(self, port: int, certificate: Path, address: str = "127.0.0.1") -> None:
        self._port, self._address = port, address
        self._trust = ssl.create_default_context(cafile=str(certificate))
        self.cookies = SimpleCookie()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> HTTPResponse:
        """The answer, its head read and its body not."""
        plain = socket.create_connection(("127.0.0.1", self._port), PATIENCE, (self._address, 0))
        connection = HTTPConnection(NAME)
        connection.sock = self._trust.wrap_socket(plain, server_hostname=NAME)
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        said |= {
            "Connection": "close",
            "Cookie": "; ".join(f"{one.key}={one.value}" for one in self.cookies.values()),
        }
        connection.request(method, path, body, said)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or ():
            self.cookies.load(line)
        return answer

    def get(self, path: str) -> str:
        with self.ask("GET", path) as answer:
            assert answer.status == 200, (answer.status, path)
            return answer.read().decode()

    def post(self, path: str, fields: dict[str, str], page: str = "") -> int:
        """A form of the page at `page`; the status."""
        body = urlencode(fields | {"csrfmiddlewaretoken": self.token(page or path)}).encode()
        with self.ask("POST", path, body, **self._from_here("application/x-www-form-urlencoded")) as answer:
            answer.read()
            return answer.status

    def upload(self, path: str, page: str, field: str, content: bytes) -> int:
        mark = b"--an-edge-between-parts"
        token = self.token(page).encode()
        body = b"\r\n".join(
            [
                *(mark, b'Content-Disposition: form-data; name="csrfmiddlewaretoken"', b"", token),
                mark,
                b'Content-Disposition: form-data; name="%s"; filename="a.hule"' % field.encode(),
                *(b"Content-Type: application/octet-stream", b"", content, mark + b"--", b""),
            ]
        )
        kind = f"multipart/form-data; boundary={mark[2:].decode()}"
        with self.ask("POST", path, body, **self._from_here(kind)) as answer:
            answer.read()
            return answer.status

    def program(self, path: str, body: dict[str, Any] | None, token: str = "") -> Any:
        headers = {"Content_Type": "application/json"} | (
            {"Authorization": f"Token {token}"} if token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        with self.ask("POST" if body is not None else "GET", path, data, **headers) as answer:
            said = answer.read()
            assert answer.status < 300, said
            return json.loads(said)

    def token(self, page: str) -> str:
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get(page))
        assert found
        return found[1]

    @staticmethod
    def _from_here(kind: str) -> dict[str, str]:
        return {"Content_Type": kind, "Origin": f"https://{NAME}", "Referer": f"https://{NAME}/"}
