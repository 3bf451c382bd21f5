"""As much of systemctl as a guide needs: `enable --now UNIT…`, `start`, `stop`, `reload nginx`."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

MACHINE = Path(os.environ["MACHINE"])


def start(unit: str) -> None:
    name, _, instance = unit.partition("@")
    file = MACHINE / "etc/systemd/system" / (f"{name}@.service" if instance else f"{name}.service")
    options = dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
    settings = Path(options["EnvironmentFile"]).read_text().splitlines()
    process = subprocess.Popen(
        shlex.split(options["ExecStart"].replace("%i", instance)),
        env={"PATH": os.environ["PATH"]} | dict(line.split("=", 1) for line in settings),
        stdin=subprocess.DEVNULL,
        stdout=(MACHINE / "run" / f"{unit}.log").open("ab"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
        cwd="/",
    )
    (MACHINE / "run" / f"{unit}.pid").write_text(str(process.pid))


def stop(pattern: str) -> None:
    for file in (MACHINE / "run").glob(f"{pattern}.pid"):
        number = int(file.read_text())
        os.kill(number, signal.SIGTERM)
        while Path(f"/proc/{number}/cmdline").exists() and Path(f"/proc/{number}/cmdline").read_bytes():
            time.sleep(0.05)
        file.unlink()


def main(verb: str, *units: str) -> None:
    for unit in (unit for unit in units if not unit.startswith("--")):
        if (verb, unit) == ("reload", "nginx"):
            subprocess.run(["nginx"], check=True)
        elif verb == "stop":
            stop(unit)
        elif verb in ("enable", "start"):
            start(unit)
        else:
            raise SystemExit(f"{verb} {unit}: not known here")


if __name__ == "__main__" and sys.argv[1] != "daemon-reload":
    main(*sys.argv[1:])
