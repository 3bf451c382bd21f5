"""The Celery worker that `manage.py serve` runs beside the web server."""

import asyncio
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable

from django.conf import settings

COMMAND = [
    *(sys.executable, "-m", "celery", "--app", "config", "--quiet", "worker"),
    *("--pool", "solo", "--loglevel", "WARNING"),
    *("--without-gossip", "--without-mingle", "--without-heartbeat"),
]
PATIENCE = 10.0
"""Seconds that the worker has to finish its task when it is stopped."""
MAX_PAUSE = 60.0
PR_SET_PDEATHSIG = 1


class Worker:
    """A worker process that is restarted whenever it dies."""

    def __init__(self, report: Callable[[str], None]) -> None:
        self._report = report
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> None:
        """Run the worker until cancelled; the pause before a restart doubles while it dies at once."""
        pause = 1.0
        while True:
            started = time.monotonic()
            self._process = await self._start()
            status = await self._process.wait()
            pause = 1.0 if time.monotonic() - started > MAX_PAUSE else min(2 * pause, MAX_PAUSE)
            self._report(
                f"The background worker has stopped (status {status}); starting it again in {pause:.0f} s."
            )
            await asyncio.sleep(pause)

    async def stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(PATIENCE):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *COMMAND,
            cwd=settings.BASE_DIR,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            # Ctrl-C signals the terminal's process group; this process is stopped by `stop`.
            process_group=0,
            preexec_fn=_die_with_parent,
            # Celery warns when it runs as root, since messages may carry code; ours do not.
            env=os.environ | {"PYTHONWARNINGS": "ignore:You're running the worker"},
        )


def _die_with_parent() -> None:
    """Have Linux stop this process when the server is killed."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
