"""Serve an ASGI application with the web server of `manage.py serve`, without a worker.

python -m tests.support.asgi_server 8000 config.asgi:application
"""

import asyncio
import signal
import sys
from importlib import import_module

from config.front.asgi import App
from config.front.limits import raise_file_limit
from config.front.server import Server, listen, serve


async def run(app: App, port: int) -> None:
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await serve(Server(app, listen("127.0.0.1", port), lambda: None), stop, patience=20)


if __name__ == "__main__":
    module, _, name = sys.argv[2].partition(":")
    raise_file_limit()
    asyncio.run(run(getattr(import_module(module), name), int(sys.argv[1])))
