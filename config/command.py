"""What `hule` can do: one program, whether it stands for a laptop's server or for one process of many."""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

USAGE: Final = """usage: hule [--data DIR] COMMAND …

  run [--port 8000] [--host 127.0.0.1] [--no-demo]   web server and worker on one machine, until Ctrl-C
  upgrade                                            what a new version needs, before its processes start
  backup [FILE]    restore FILE                      everything in one file, and back
  manage COMMAND …                                   any other command; `hule manage help` lists them

Each on its own, for many machines:
  web [--bind 127.0.0.1:8000]                        one web process (further words go to gunicorn)
  worker [--concurrency 2]                           one worker (further words go to Celery)
  beat                                               the clock of the workers, once a site (BEAT=1)

--data DIR: another data folder than HULE_DATA_DIR, or where that is not set than """

WEB: Final = ("gunicorn", "config.asgi:application", "--config", "python:config.web")
CELERY: Final = ("celery", "--app", "config", "--quiet")
WORKER: Final = (*CELERY, "worker", "--loglevel", "WARNING", "--without-gossip", "--without-mingle")
BEAT: Final = (*CELERY, "beat", "--loglevel", "WARNING", "--pidfile", "")


def run(words: Sequence[str]) -> None:
    """Do what `words` say; ends the process with a usage where they say nothing known."""
    words, folder = _without_data(words)
    if folder:
        # The settings read it while they load; whole, since a worker starts in another folder than this one.
        os.environ["HULE_DATA_DIR"] = str(Path(folder).resolve())
    name, rest = (words[0], words[1:]) if words else ("", [])
    if name in ("help", "--help", "-h"):
        print(_usage())
    elif name in COMMANDS:
        COMMANDS[name](rest)
    else:
        sys.exit(_usage())


def _usage() -> str:
    return f"{USAGE}{os.environ.get('HULE_DATA_DIR', 'var/ of the checkout')}"


def _without_data(words: Sequence[str]) -> tuple[list[str], str]:
    """The words but `--data DIR`, wherever it stands, and that folder or the environment's."""
    left, folder = list(words), os.environ.get("HULE_DATA_DIR", "")
    for at, word in enumerate(words):
        if word == "--data" and at + 1 < len(words):
            left[at : at + 2], folder = [], words[at + 1]
            break
        if word.startswith("--data="):
            left[at : at + 1], folder = [], word.removeprefix("--data=")
            break
    return left, folder


def _manage(*first: str) -> Callable[[Sequence[str]], None]:
    def manage(words: Sequence[str]) -> None:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        from django.core.management import execute_from_command_line

        execute_from_command_line(["hule", *first, *words])

    return manage


def _program(*first: str) -> Callable[[Sequence[str]], None]:
    """In the place of this process, so that whoever started it signals the program itself."""

    def program(words: Sequence[str]) -> None:
        os.execv(sys.executable, [sys.executable, "-m", *first, *words])

    return program


COMMANDS: Final[dict[str, Callable[[Sequence[str]], None]]] = {
    "run": _manage("serve"),
    "upgrade": _manage("upgrade"),
    "backup": _manage("backup"),
    "restore": _manage("restore"),
    "manage": _manage(),
    "web": _program(*WEB),
    "worker": _program(*WORKER),
    "beat": _program(*BEAT),
}
