"""The live hub over a log in memory, without a database: `POST /tell/` sends an empty entry to all watchers."""

from typing import Any

import django

django.setup()

from tests.live.fakes import ListLog  # noqa: E402  (needs the apps loaded)
from tests.live.test_hub import AdmitEverybody  # noqa: E402
from tournament.live import app  # noqa: E402
from tournament.live.hub import Hub  # noqa: E402

_log = ListLog()
_hub = Hub(_log, poll_seconds=3600)
_OK = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await receive()
        _hub.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await _hub.stop()
        await send({"type": "lifespan.shutdown.complete"})
    elif path := app.PATH.fullmatch(scope["path"]):
        await app.serve_stream(_hub, AdmitEverybody(), path, scope, receive, send)
    else:
        _log.write()
        _hub.wake()
        await send(_OK)
        await send({"type": "http.response.body", "body": b""})
