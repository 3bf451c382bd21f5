"""`manage.py serve` as a process that can be killed and restarted; its disk and clock, readers and live connections."""

import os
import re
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from urllib.parse import urlsplit

from tests.bench._own_servers import wait_for
from tests.support.processes import Place, free_port, status

STARTS_WITHIN = 120.0
READ_TIMEOUT = 30.0
"""Seconds; the live stream sends heartbeats more often."""
DISK = 96 * 1024 * 1024
"""Bytes of the small disk: room for a round's database and its journal."""
FAKE_TIME = list(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


class Server:
    """The web server with its worker, at the same address after each start. `log`: the file with its output."""

    def __init__(self, place: Place, log: Path) -> None:
        self._place, self._log = place, log
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self, **environment: str) -> None:
        """Start the server and wait for its first answer."""
        with self._log.open("ab") as log:
            command = ("manage.py", "serve", "--no-demo", "--port", str(self._port))
            self.process = self._place.start(*command, stdout=log, env=self._place.environment | environment)
        assert wait_for(self._answers, STARTS_WITHIN), f"it does not start: {self._log.read_text()[-2000:]}"

    def kill(self) -> float:
        """Send SIGKILL; return when (`time.monotonic()`)."""
        self.process.kill()
        self.process.wait()
        return time.monotonic()

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def worker(self) -> int | None:
        """Return the worker's process id, or None if it does not run."""
        with suppress(FileNotFoundError):
            children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
            return next((int(pid) for pid in children.split()), None)
        return None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Send SIGSTOP, and SIGCONT at the end."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        assert self.process.poll() is None, f"it ended: {self._log.read_text()[-2000:]}"
        with suppress(OSError):
            return status(f"{self.url}/api/v1/tournaments/none/") == 404
        return False


class Disk:
    """The disk of the data folder: a small tmpfs if it can be mounted, else a limit on the server's files."""

    def __init__(self, folder: Path, *, is_own: bool) -> None:
        self.folder = folder
        self.kind = "tmpfs" if is_own else "RLIMIT_FSIZE"

    @contextmanager
    def full(self, server: Server) -> Iterator[None]:
        if self.kind == "RLIMIT_FSIZE":
            pid = server.process.pid
            before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
            try:
                yield
            finally:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
            return
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file:
            self._fill(file.fileno())
            try:
                yield
            finally:
                filler.unlink()

    def _fill(self, file: int) -> None:
        for size in (1024 * 1024, 4096):
            with suppress(OSError):
                while True:
                    os.write(file, bytes(size))


@contextmanager
def make_disk() -> Iterator[Disk]:
    with TemporaryDirectory(prefix="hule-disk-") as name:
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs", name]
        is_own = os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0
        try:
            yield Disk(Path(name), is_own=is_own)
        finally:
            if is_own:
                subprocess.run(["umount", "--lazy", name], check=True)


def fake_time(wrong_by: int) -> dict[str, str] | None:
    """Return the environment for a clock that is wrong by so many seconds; None if libfaketime is not installed.

    The monotonic clock is wrong too, because otherwise Python's sleep fails (0.9.10). So the clock cannot be corrected
    while the server runs.
    """
    library = next((path for path in FAKE_TIME if path.exists()), None)
    return {"LD_PRELOAD": str(library), "FAKETIME": f"{wrong_by:+d}"} if library else None


class Readers:
    """A reader who requests the ranking all the time, with counts of requests and failures by current fault."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.during = "nothing"
        """The current fault."""
        self.requests: dict[str, int] = {}
        self.failed: dict[str, list[str]] = {}
        """Reasons by fault."""
        self.is_over = False
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while not self.is_over:
            during = self.during
            self.requests[during] = self.requests.get(during, 0) + 1
            began = time.monotonic()
            try:
                answer = str(status(self._url))
            except OSError as error:
                answer = repr(error)
            if answer != "200":
                # A request may last into the next fault and fail because of it.
                fault = during if self.during == "nothing" else self.during
                self.failed.setdefault(fault, []).append(f"{answer} after {time.monotonic() - began:.1f} s")
            time.sleep(0.3)


class LiveConnection:
    """A watcher of the live stream in a thread of its own, which reconnects with the last event's id.

    `on_open` is called at each connection.
    """

    def __init__(self, url: str, version: int, retry: float, on_open: Callable[[], None]) -> None:
        self._address, self._retry, self._on_open = urlsplit(url), retry, on_open
        self._ended = Event()
        self.versions = [version]
        self.resets = 0
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.versions[-1]

    def missing(self) -> int:
        """Return how many events between the first and the last were not received; a reset stands for all of them."""
        if self.resets:
            return 0
        return self.versions[-1] - self.versions[0] + 1 - len(set(self.versions))

    def end(self) -> None:
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError):
                self._receive()
            self._ended.wait(self._retry)

    def _receive(self) -> None:
        host, port = self._address.hostname, self._address.port
        last = f"Last-Event-ID: {self.version}\r\n"
        with socket.create_connection((host, port or 80), timeout=READ_TIMEOUT) as connection:
            connection.sendall(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n{last}\r\n".encode())
            rest, is_open = b"", False
            while not self._ended.is_set() and (piece := connection.recv(65536)):
                rest += piece
                if not is_open:
                    if b"\r\n\r\n" not in rest:
                        continue
                    if not rest.startswith(b"HTTP/1.1 200"):
                        return
                    is_open = True
                    self._on_open()
                lines, newline, rest = rest.rpartition(b"\n")
                self._parse(lines + newline)

    def _parse(self, lines: bytes) -> None:
        self.resets += lines.count(b"event: reset")
        self.versions += [int(number) for number in re.findall(rb"^id: (\d+)", lines, re.MULTILINE)]
