"""The `hule` program: the server of one machine, or one process of many."""

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


def run(arguments: Sequence[str]) -> None:
    """Run the command that these arguments name; exit with the usage for an unknown one."""
    arguments, folder = _split_data_option(arguments)
    if folder:
        # Before the settings load; absolute, since a worker starts in another folder.
        os.environ["HULE_DATA_DIR"] = str(Path(folder).resolve())
    name, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if name in ("help", "--help", "-h"):
        print(_usage())
    elif name in COMMANDS:
        COMMANDS[name](rest)
    else:
        sys.exit(_usage())


def _usage() -> str:
    return f"{USAGE}{os.environ.get('HULE_DATA_DIR', 'var/ of the checkout')}"


def _split_data_option(arguments: Sequence[str]) -> tuple[list[str], str]:
    """Return the arguments without `--data DIR`, and that folder or the environment's."""
    rest, folder = list(arguments), os.environ.get("HULE_DATA_DIR", "")
    for index, argument in enumerate(arguments):
        if argument == "--data" and index + 1 < len(arguments):
            rest[index : index + 2], folder = [], arguments[index + 1]
            break
        if argument.startswith("--data="):
            rest[index : index + 1], folder = [], argument.removeprefix("--data=")
            break
    return rest, folder


def _manage(*prefix: str) -> Callable[[Sequence[str]], None]:
    def manage(arguments: Sequence[str]) -> None:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        from django.core.management import execute_from_command_line

        execute_from_command_line(["hule", *prefix, *arguments])

    return manage


def _program(*prefix: str) -> Callable[[Sequence[str]], None]:
    """Return a command that replaces this process, so that signals reach the program itself."""

    def program(arguments: Sequence[str]) -> None:
        os.execv(sys.executable, [sys.executable, "-m", *prefix, *arguments])

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
