"""Real processes for tests, with the real settings, a data folder of their own and a free port."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import playwright

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180.0
"""Seconds."""
NODE = Path(playwright.__file__).parent / "driver" / "node"
"""The Node that comes with Playwright."""
OWN_VARIABLES = (
    "HULE_DATA_DIR",
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "STATIC_ROOT",
    "DEBUG",
    "LOG_LEVEL",
    "LOG_FORMAT",
)

INTERPRETER = """
import contextlib, io, json, os, sys, traceback
import django
from django.db import connections
django.setup()
lines, sys.stdin = sys.stdin, open(os.devnull)
for line in lines:
    output, error = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(json.loads(line), "<test>", "exec"), {"__name__": "__main__"})
        except Exception:
            error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([output.getvalue(), error]), flush=True)
"""
"""Runs one script per line of input; prints its output and its traceback as JSON."""


class Place:
    """A data folder with a migrated database, and the programs that work on it."""

    def __init__(self, folder: Path, extra: Mapping[str, str]) -> None:
        self.folder = folder
        self._interpreter: subprocess.Popen[str] | None = None
        inherited = {key: value for key, value in os.environ.items() if key not in OWN_VARIABLES}
        self.environment = inherited | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "HULE_DATA_DIR": str(folder),
            "PYTHONWARNINGS": "ignore",
            **extra,
        }

    def start(self, *command: str, **streams: Any) -> subprocess.Popen[str]:
        """Start a Python program. `streams`: options of Popen; by default its output can be read."""
        defaults = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        options: dict[str, Any] = {"cwd": ROOT, "env": self.environment, "text": True} | defaults | streams
        return subprocess.Popen([sys.executable, *command], **options)

    def manage(self, *arguments: str, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        """Run manage.py and wait for its end."""
        process = self.start("manage.py", *arguments)
        output, _ = process.communicate(timeout=patience)
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def migrate(self) -> None:
        process = self.manage("migrate", "--skip-checks", "--verbosity", "0")
        assert process.returncode == 0, process.stdout

    def run(self, code: str) -> str:
        """Run `code` in an interpreter that is kept for the next call; return its output.

        Faster than `python`, which starts Django in a new process.
        """
        if self._interpreter is None:
            self._interpreter = self.start(
                "-c", INTERPRETER, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        process = self._interpreter
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(code) + "\n")
        process.stdin.flush()
        output, error = json.loads(process.stdout.readline())
        assert not error, f"{output}{error}"
        return str(output)

    def command(self, *words: str) -> str:
        """Run a management command in the interpreter of `run`; return its output."""
        return self.run(f"from django.core.management import call_command; call_command(*{words!r})")

    def renew(self, template: Path) -> None:
        """Replace the database by that of another folder; the interpreter of `run` goes on."""
        self.run("from config.sqlite.base import pool; pool.close()")
        for file in self.folder.glob("hule.sqlite3*"):
            file.unlink()
        for file in template.glob("hule.sqlite3*"):
            shutil.copy(file, self.folder)

    def close(self) -> None:
        """End the interpreter of `run`."""
        if self._interpreter is not None:
            self._interpreter.communicate()
            self._interpreter = None

    def python(self, code: str, patience: float = PATIENCE) -> str:
        """Run `code` in a new Django process; return its output."""
        process = self.start("-c", f"import django; django.setup()\n{code}")
        output, _ = process.communicate(timeout=patience)
        assert process.returncode == 0, output
        return output

    @contextmanager
    def web(self, *command: str, port: int | None = None) -> Iterator["Site"]:
        """Start a web server and wait until it answers. `{port}` in the command is replaced by `port` or a free one."""
        port = port or free_port()
        parts = command or ("-m", "tests.support.asgi_server", "{port}", "config.asgi:application")
        process = self.start(*(part.format(port=port) for part in parts))
        try:
            until(lambda: answers(port), process)
            yield Site(f"http://127.0.0.1:{port}", process)
        finally:
            end(process)


@dataclass(frozen=True)
class Site:
    """A running web server, and its URL without a slash at the end."""

    url: str
    process: subprocess.Popen[str]


@contextmanager
def make_place(template: Path | None = None, **extra: str) -> Iterator[Place]:
    """Create a place with an empty data folder, or a copy of `template`. `extra`: environment variables."""
    with TemporaryDirectory(prefix="hule-place-") as name:
        folder = Path(name)
        if template:
            shutil.copytree(template, folder, dirs_exist_ok=True)
        place = Place(folder, extra)
        try:
            yield place
        finally:
            place.close()


@contextmanager
def serving(place: Place) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `serve --no-demo`; yield the process and its output up to "Ctrl-C"."""
    process = place.start("manage.py", "serve", "--no-demo", "--port", str(free_port()))
    assert process.stdout
    output = ""
    try:
        while "Ctrl-C" not in output:
            line = process.stdout.readline()
            assert line, f"it ended: {output}"
            output += line
        yield process, output
    finally:
        end(process)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def status(url: str, headers: Mapping[str, str] | None = None, method: str = "GET") -> int:
    """Return the status code of a request."""
    try:
        with urlopen(Request(url, headers=dict(headers or {}), method=method), timeout=PATIENCE) as response:
            code: int = response.status
            return code
    except HTTPError as refusal:
        with refusal:
            return refusal.code


def until(condition: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait until the condition holds; fail if the process ends first, or after PATIENCE."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"the process ended: {process.communicate()[0]}")
        if time.monotonic() > deadline:
            raise AssertionError(f"the condition does not hold after {PATIENCE:.0f} s")
        time.sleep(0.02)


def end(process: subprocess.Popen[str]) -> str:
    """Terminate a process; return the rest of its output."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0]
