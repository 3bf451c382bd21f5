"""deploy/compose.yaml and the units: valid for their programs, and their very commands run."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml

from tests.bench._own_servers import OwnRedis
from tests.support.databases import new_database
from tests.support.processes import ROOT, Place, end, free_port, status, until

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("upgrade", "web", "worker", "beat")
FILLED_IN = {"HULE_HOST": "hule.example.org", "POSTGRES_PASSWORD": "p", "SECRET_KEY": "s" * 64}
SETTINGS = set(
    re.findall(r"""\benv(?:\.\w+)?\(\s*"([A-Z_]+)""", (ROOT / "config" / "settings.py").read_text())
)


def test_every_service_of_ours_is_told_settings_that_there_are() -> None:
    for name in OURS:
        assert set(SERVICES[name]["environment"]) <= SETTINGS


def test_the_example_asks_for_all_that_is_filled_in() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text()))
    offered = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE))
    assert asked == offered


def test_the_image_has_every_file_that_is_copied() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    copied = [line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    left_out = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert copied == [".", "requirements.txt"]
    assert not {path.partition("/")[0] for path in wanted["force-include"]} & set(left_out)


@pytest.mark.thorough
def test_debians_docker_compose_takes_it(tmp_path: Path) -> None:
    program = shutil.which("docker-compose")
    if not program:
        pytest.skip("needs docker-compose: install it")
    settings = tmp_path / "env"
    settings.write_text("".join(f"{name}={value}\n" for name, value in FILLED_IN.items()))
    words = [program, "--env-file", str(settings), "--file", str(DEPLOY / "compose.yaml"), "config"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(yaml.safe_load(done.stdout)["services"]) == set(SERVICES)


@pytest.mark.thorough
def test_caddy_takes_its_file() -> None:
    if not shutil.which("caddy"):
        pytest.skip("needs caddy: install it")
    words = ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile", "--validate"]
    done = subprocess.run(words, env=os.environ | FILLED_IN, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("needs systemd-analyze: install systemd")
    for unit in (DEPLOY / "systemd").iterdir():
        named = unit.name.replace("@.", "@8001.")
        said = unit.read_text().replace("/opt/hule/bin/hule", sys.executable)
        (tmp_path / named).write_text(said)
        done = subprocess.run([program, "verify", str(tmp_path / named)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@contextmanager
def engine() -> Iterator[dict[str, Place]]:
    """A place for each service, with the environment that the file gives it, on this machine's own servers."""
    with new_database() as database, TemporaryDirectory() as memory, TemporaryDirectory() as data:
        redis = OwnRedis(Path(memory))
        here = {
            f"postgres://hule:{FILLED_IN['POSTGRES_PASSWORD']}@db:5432/hule": database,
            "redis://redis:6379/0": redis.url,
            "/data": data,
        }
        try:
            yield {name: Place(Path(data), environment(name, here)) for name in OURS}
        finally:
            redis.kill()


def environment(service: str, here: dict[str, str]) -> dict[str, str]:
    """As Docker would fill it in, with this machine's servers in the place of the others."""
    given = {}
    for name, value in SERVICES[service]["environment"].items():
        value = re.sub(
            r"\$\{(\w+)(?::-(\w+))?(?::\?[^}]*)?\}", lambda one: FILLED_IN.get(one[1], one[2]), value
        )
        given[name] = here.get(value, value)
    return given


def command(service: str, port: int = 0) -> list[str]:
    """What the image's entry point is given; a container has a port of its own."""
    return [
        "-m",
        "hule",
        *(word.replace("0.0.0.0:8000", f"127.0.0.1:{port}") for word in SERVICES[service]["command"]),
    ]


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.redis
def test_the_commands_of_the_file_make_a_site() -> None:
    with engine() as places, ExitStack() as running:
        upgrade = places["upgrade"].start(*command("upgrade"))
        assert "the first visit asks for the code" in upgrade.communicate(timeout=120)[0]
        assert upgrade.returncode == 0
        for service in ("worker", "beat"):
            places[service].environment["BACKUP_MINUTES"] = "0.02"
            process = places[service].start(*command(service))
            running.callback(end, process)
        ports = [free_port() for _ in range(SERVICES["web"]["deploy"]["replicas"])]
        for port in ports:
            running.enter_context(places["web"].web(*command("web", port), port=port))
        for port in ports:
            until(lambda port=port: status(f"http://127.0.0.1:{port}/readyz") == 200)  # type: ignore[misc]
            assert healthy(port) == 0
            proxied = {"X-Forwarded-Proto": "https", "Host": FILLED_IN["HULE_HOST"]}
            assert status(f"http://127.0.0.1:{port}/login/", proxied) == 200
        made = "from tests.support.factories import make_tournament; make_tournament(players=8)"
        places["web"].python(made)
        kept = places["web"].folder / "backups"
        until(lambda: any(kept.glob("hule-*.hule")))  # the clock asks, the worker makes it


def healthy(port: int) -> int:
    """What the engine asks a container."""
    _kind, program, *words = SERVICES["web"]["healthcheck"]["test"]
    assert program == "python"
    asked = [word.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for word in words]
    return subprocess.run([sys.executable, *asked]).returncode


def test_a_unit_and_a_container_run_the_same() -> None:
    for name in ("worker", "beat"):
        unit = (DEPLOY / "systemd" / f"hule-{name}.service").read_text()
        started = re.search(r"^ExecStart=\S+ (.+)$", unit, re.MULTILINE)
        assert started
        assert shlex.split(started[1]) == SERVICES[name]["command"]
