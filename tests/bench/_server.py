"""`manage.py serve` under somebody who starts it again when it dies, as systemd would; its disk, clock and audience."""

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
PATIENCE = 30.0
"""Seconds in which a line that stands says something: the stream's heart beats more often."""
DISK = 96 * 1024 * 1024
"""Bytes of the small disk: a round's database and its journal."""
FAKE_TIME = list(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


class Server:
    """The web server with its worker, at the same address however often it is started."""

    def __init__(self, place: Place, words: Path) -> None:
        self._place, self._words = place, words
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self.start()

    def start(self, **more: str) -> None:
        """Start it and wait for its first answer."""
        with self._words.open("ab") as words:
            command = ("manage.py", "serve", "--no-demo", "--port", str(self._port))
            self.process = self._place.start(*command, stdout=words, env=self._place.environment | more)
        assert wait_for(self._answers, STARTS_WITHIN), f"it does not start: {self._words.read_text()[-2000:]}"

    def kill(self) -> float:
        """kill -9; when."""
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
        """The worker's process, if it runs at the moment."""
        with suppress(FileNotFoundError):
            mine = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
            return next((int(number) for number in mine.split()), None)
        return None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """SIGSTOP, and SIGCONT at the end."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        assert self.process.poll() is None, f"it ended: {self._words.read_text()[-2000:]}"
        with suppress(OSError):
            return status(f"{self.url}/api/v1/tournaments/none/") == 404
        return False


class Disk:
    """The data folder's disk: a small one of its own where that may be mounted, else a limit on the server's files."""

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
def a_disk() -> Iterator[Disk]:
    with TemporaryDirectory(prefix="hule-disk-") as name:
        command = ["mount", "-t", "tmpfs", "-o", f"size={DISK},mode=700", "tmpfs", name]
        is_own = os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0
        try:
            yield Disk(Path(name), is_own=is_own)
        finally:
            if is_own:
                subprocess.run(["umount", "--lazy", name], check=True)


def fake_time(wrong_by: int) -> dict[str, str] | None:
    """The environment in which the clock is wrong by so many seconds; None where libfaketime is not installed.

    Its monotonic clock is wrong by as much: otherwise Python's sleep fails (0.9.10). So it cannot be set right while
    the server runs.
    """
    library = next((path for path in FAKE_TIME if path.exists()), None)
    return {"LD_PRELOAD": str(library), "FAKETIME": f"{wrong_by:+d}"} if library else None


class Readers:
    """People who look at the ranking all the time, and which of their looks failed."""

    def __init__(self, url: str, patience: float) -> None:
        self._url, self._patience = url, patience
        self.during = "nothing"
        self.looks: dict[str, int] = {}
        self.failed: dict[str, list[str]] = {}
        """Why, by what was wrong at the moment."""
        self.is_over = False
        Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        while not self.is_over:
            during = self.during
            self.looks[during] = self.looks.get(during, 0) + 1
            began = time.monotonic()
            try:
                answer = str(status(self._url))
            except OSError as error:
                answer = repr(error)
            if answer != "200":
                # A look may last into the next fault, and fails by that one.
                fault_now = during if self.during == "nothing" else self.during
                self.failed.setdefault(fault_now, []).append(
                    f"{answer} after {time.monotonic() - began:.1f} s"
                )
            time.sleep(0.3)


class Line:
    """What a watcher hears, in a thread of its own: lost, it is built up again from the last event's id.

    `opened` is called whenever it stands.
    """

    def __init__(self, url: str, version: int, retry: float, opened: Callable[[], None]) -> None:
        self._address, self._retry, self._opened = urlsplit(url), retry, opened
        self._ended = Event()
        self.heard = [version]
        self.resets = 0
        self._thread = Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def seen(self) -> int:
        return self.heard[-1]

    def missing(self) -> int:
        """How many events between its first and its last it was not told, one by one or by a reset."""
        if self.resets:
            return 0
        return self.heard[-1] - self.heard[0] + 1 - len(set(self.heard))

    def end(self) -> None:
        self._ended.set()

    def _follow(self) -> None:
        while not self._ended.is_set():
            with suppress(OSError):
                self._hear()
            self._ended.wait(self._retry)

    def _hear(self) -> None:
        host, port = self._address.hostname, self._address.port
        last = f"Last-Event-ID: {self.seen}\r\n"
        with socket.create_connection((host, port or 80), timeout=PATIENCE) as line:
            line.sendall(f"GET {self._address.path} HTTP/1.1\r\nHost: hall\r\n{last}\r\n".encode())
            rest, stands = b"", False
            while not self._ended.is_set() and (piece := line.recv(65536)):
                rest += piece
                if not stands:
                    if b"\r\n\r\n" not in rest:
                        continue
                    if not rest.startswith(b"HTTP/1.1 200"):
                        return
                    stands = True
                    self._opened()
                whole, found, rest = rest.rpartition(b"\n")
                self._take(whole + found)

    def _take(self, piece: bytes) -> None:
        self.resets += piece.count(b"event: reset")
        self.heard += [int(found) for found in re.findall(rb"^id: (\d+)", piece, re.MULTILINE)]
