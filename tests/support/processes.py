"""Real processes for tests: the real settings, a data folder of their own, a free port."""

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

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 180.0
"""Seconds; only a test that fails waits so long."""
OWN = (
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
import contextlib, io, json, sys, traceback
import django
from django.db import connections
django.setup()
for line in sys.stdin:
    output, error = io.StringIO(), ""
    with contextlib.redirect_stdout(output):
        try:
            exec(compile(json.loads(line), "<test>", "exec"), {"__name__": "__main__"})
        except Exception:
            error = traceback.format_exc()
    connections.close_all()
    print(json.dumps([output.getvalue(), error]), flush=True)
"""
"""Run one script a line, and answer each with what it prints and its traceback."""


class Place:
    """A data folder with a migrated database, and the programs that work on it."""

    def __init__(self, folder: Path, extra: Mapping[str, str]) -> None:
        self.folder = folder
        self._interpreter: subprocess.Popen[str] | None = None
        inherited = {key: value for key, value in os.environ.items() if key not in OWN}
        self.environment = inherited | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "HULE_DATA_DIR": str(folder),
            "PYTHONWARNINGS": "ignore",
            **extra,
        }

    def start(self, *command: str, **streams: Any) -> subprocess.Popen[str]:
        """Start a Python program; its words can be read, unless `streams` (or `env`) says otherwise."""
        usual = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        settings: dict[str, Any] = {"cwd": ROOT, "env": self.environment, "text": True} | usual | streams
        return subprocess.Popen([sys.executable, *command], **settings)

    def manage(self, *arguments: str, patience: float = PATIENCE) -> subprocess.CompletedProcess[str]:
        """Run manage.py to its end."""
        process = self.start("manage.py", *arguments)
        output, _ = process.communicate(timeout=patience)
        return subprocess.CompletedProcess(process.args, process.returncode, output)

    def migrate(self) -> None:
        done = self.manage("migrate", "--skip-checks", "--verbosity", "0")
        assert done.returncode == 0, done.stdout

    def run(self, code: str) -> str:
        """Run `code` in the place's interpreter, which stays for the next time; return what it prints.

        Starting Django takes seconds; `python` is for code that needs a new process.
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
        assert not error, error
        return str(output)

    def close(self) -> None:
        """End the interpreter, if there is one."""
        if self._interpreter is not None:
            self._interpreter.communicate()
            self._interpreter = None

    def python(self, code: str, patience: float = PATIENCE) -> str:
        """Run `code` in a new Django process and return what it prints."""
        process = self.start("-c", f"import django; django.setup()\n{code}")
        output, _ = process.communicate(timeout=patience)
        assert process.returncode == 0, output
        return output

    @contextmanager
    def web(self, *command: str, port: int | None = None) -> Iterator["Site"]:
        """A web server, once it answers; `{port}` in the command is a free one where none is given."""
        port = port or free_port()
        words = command or ("-m", "tests.support.asgi_server", "{port}", "config.asgi:application")
        process = self.start(*(word.format(port=port) for word in words))
        try:
            until(lambda: answers(port), process)
            yield Site(f"http://127.0.0.1:{port}", process)
        finally:
            end(process)


@dataclass(frozen=True)
class Site:
    """A running web server and its address, without a slash at the end."""

    url: str
    process: subprocess.Popen[str]


@contextmanager
def make_place(template: Path | None = None, **extra: str) -> Iterator[Place]:
    """A fresh folder, a copy of `template` if there is one."""
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
    """A started `serve --no-demo` and what it has said up to "Ctrl-C"."""
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
    """The status of one request."""
    try:
        with urlopen(Request(url, headers=dict(headers or {}), method=method), timeout=PATIENCE) as response:
            code: int = response.status
            return code
    except HTTPError as refusal:
        with refusal:
            return refusal.code


def until(happened: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    """Wait for something to happen; fail with the process's words if it ends first, or after a minute."""
    deadline = time.monotonic() + PATIENCE
    while not happened():
        if process is not None and process.poll() is not None:
            raise AssertionError(f"the process ended: {process.communicate()[0]}")
        if time.monotonic() > deadline:
            raise AssertionError("it did not happen within a minute")
        time.sleep(0.02)


def end(process: subprocess.Popen[str]) -> str:
    """Stop a process as the system would, and give its last words."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        return process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        return process.communicate()[0]
