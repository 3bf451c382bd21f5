"""What the documentation names and runs: settings, commands, the API tour, deploy/compose.yaml, the units."""

import ast
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

from config.command import COMMANDS as HULE
from config.command import USAGE
from tests.bench._own_servers import OwnRedis
from tests.support.databases import new_database
from tests.support.processes import ROOT, Place, end, free_port, make_place, status, until

ADMINISTRATORS = ROOT / "docs" / "administrators"
COMMANDS_PAGE = (ADMINISTRATORS / "commands.md").read_text("utf-8")
SETTINGS = ast.parse((ROOT / "config" / "settings.py").read_text("utf-8"))
TABLE = dict(
    re.findall(
        r"^\| `([A-Z_]+)` \| ([^|]+) \|", (ADMINISTRATORS / "settings.md").read_text("utf-8"), re.MULTILINE
    )
)
"""Variable → its documented default."""
COMMANDS = [
    path.stem
    for app in ("tournament", "penalties", "scoring")
    for path in Path(ROOT / app / "management" / "commands").glob("[a-z]*.py")
]
READS_MORE = {
    "config/command.py": "the data folder, before the settings are loaded",
    "config/docs.py": "the language of the site that bin/docs builds",
    "hule/__main__.py": "where a package of one's own keeps data",
    "tournament/backup/dumps.py": "for pg_dump and pg_restore",
    "tournament/management/commands/serve.py": "to tell the worker where it listens",
    "tournament/management/shell.py": "for the language of the shell",
    "tournament/management/worker.py": "for the worker",
}
"""Modules beside the settings that look at the environment, and why."""

DEPLOY = ROOT / "deploy"
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
OURS = ("upgrade", "web", "worker", "beat")
FILLED_IN = {"HULE_HOST": "hule.example.org", "POSTGRES_PASSWORD": "p", "SECRET_KEY": "s" * 64}
COMPOSE_SETTINGS = set(
    re.findall(r"""\benv(?:\.\w+)?\(\s*"([A-Z_]+)""", (ROOT / "config" / "settings.py").read_text())
)


def _read_settings() -> dict[str, Any]:
    """Variable → its default where that is written out, else None."""
    defaults = {}
    for node in ast.walk(SETTINGS):
        if isinstance(node, ast.Call) and ast.unparse(node.func).partition(".")[0] == "env" and node.args:
            (default,) = [word.value for word in node.keywords if word.arg == "default"] or [
                ast.Constant(None)
            ]
            defaults[ast.literal_eval(node.args[0])] = (
                default.value if isinstance(default, ast.Constant) else None
            )
    return defaults


VARIABLES = _read_settings()


def test_the_table_has_every_variable_and_no_other() -> None:
    assert set(VARIABLES) ^ set(TABLE) == set()


def documented(default: Any) -> str:
    """Return how the table writes a default."""
    if default is False:
        return "off"
    if isinstance(default, int | float):
        return f"`{default:g}`"
    return f"`{default}`" if default else "none"


def test_the_table_has_the_defaults() -> None:
    defaults = {name: default for name, default in VARIABLES.items() if default is not None}
    wrong = {
        name: (TABLE[name], default)
        for name, default in defaults.items()
        if TABLE[name] != documented(default) and not (default == "" and TABLE[name].startswith("made once"))
    }
    assert wrong == {}


def test_no_other_module_has_settings_of_its_own() -> None:
    """One file reads them, so that one table can name them all."""
    rooms = ("config", "hule", "scoring", "penalties", "tournament")
    modules = (path for room in rooms for path in (ROOT / room).rglob("*.py"))
    reading = {
        str(path.relative_to(ROOT))
        for path in modules
        if re.search(r"os\.(environ(?!\.setdefault)|getenv)", path.read_text("utf-8"))
    }
    assert reading == set(READS_MORE)


def test_every_command_is_documented() -> None:
    assert [name for name in COMMANDS if not re.search(rf"^\| `{name}\b", COMMANDS_PAGE, re.MULTILINE)] == []


def test_every_command_of_hule_is_documented() -> None:
    assert [name for name in HULE if f"`hule {name}" not in COMMANDS_PAGE] == []
    assert [name for name in HULE if not re.search(rf"^  (.* )?{name} ", USAGE, re.MULTILINE)] == []


# --- docs/api/README.md is the tour for programs: every block of it runs against a server with a worker ----------
PAGE = ROOT / "docs" / "api" / "README.md"
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
TOKEN = """
from django.contrib.auth.models import User
from tournament.accounts.services import make_token
print(make_token(User.objects.create_user("olga", is_staff=True))[1])
"""


@contextmanager
def importing(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("hule_client", None)


def test_every_block_of_the_page_is_python() -> None:
    assert {kind for kind, _ in BLOCKS} == {"python"}


@pytest.mark.thorough
def test_the_tour_runs_from_the_first_block_to_the_last(
    monkeypatch: pytest.MonkeyPatch, migrated: Path, collected: Path
) -> None:
    namespace: dict[str, Any] = {}
    with (
        make_place(migrated, STATIC_ROOT=str(collected)) as place,
        place.web("manage.py", "serve", "--no-demo", "--port", "{port}") as site,
        importing(PAGE.parent / "client"),
    ):
        monkeypatch.setenv("HULE_URL", site.url)
        monkeypatch.setenv("HULE_TOKEN", place.run(TOKEN).strip())
        for _, block in BLOCKS:
            exec(compile(block, str(PAGE), "exec"), namespace)


def test_every_service_uses_existing_settings() -> None:
    for name in OURS:
        assert set(SERVICES[name]["environment"]) <= COMPOSE_SETTINGS


def test_the_example_has_every_variable_of_the_compose_file() -> None:
    used = set(re.findall(r"\$\{([A-Z_]+)", (DEPLOY / "compose.yaml").read_text()))
    defined = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.MULTILINE))
    assert used == defined


def test_the_image_has_every_file_that_is_copied() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    copied = [line.split()[1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    left_out = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert copied == [".", "requirements.txt"]
    assert "deploy/.env" in left_out
    assert not {path.partition("/")[0] for path in wheel["force-include"]} & set(left_out)


@pytest.mark.thorough
def test_debians_docker_compose_accepts_the_file(tmp_path: Path) -> None:
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
def test_caddy_accepts_its_file() -> None:
    if not shutil.which("caddy"):
        pytest.skip("needs caddy: install it")
    words = ["caddy", "adapt", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile", "--validate"]
    done = subprocess.run(words, env=os.environ | FILLED_IN, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("needs systemd-analyze: install systemd")
    for unit in (DEPLOY / "systemd").iterdir():
        name = unit.name.replace("@.", "@8001.")
        text = unit.read_text().replace("/opt/hule/bin/hule", sys.executable)
        (tmp_path / name).write_text(text)
        done = subprocess.run([program, "verify", str(tmp_path / name)], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@contextmanager
def engine(migrated_database: str, collected: Path) -> Iterator[dict[str, Place]]:
    """A place for each service, with the environment that the file gives it, on this machine's own servers."""
    static = {"STATIC_ROOT": str(collected)}
    with (
        new_database(migrated_database) as database,
        TemporaryDirectory() as memory,
        TemporaryDirectory() as data,
    ):
        redis = OwnRedis(Path(memory))
        servers = {
            f"postgres://hule:{FILLED_IN['POSTGRES_PASSWORD']}@db:5432/hule": database,
            "redis://redis:6379/0": redis.url,
            "/data": data,
        }
        try:
            yield {name: Place(Path(data), environment(name, servers) | static) for name in OURS}
        finally:
            redis.kill()


def environment(service: str, servers: dict[str, str]) -> dict[str, str]:
    """As Docker would fill it in, with this machine's servers in the place of the others."""
    variables = {}
    for name, value in SERVICES[service]["environment"].items():
        value = re.sub(
            r"\$\{(\w+)(?::-(\w+))?(?::\?[^}]*)?\}", lambda match: FILLED_IN.get(match[1], match[2]), value
        )
        variables[name] = servers.get(value, value)
    return variables


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
def test_the_commands_of_the_file_make_a_site(migrated_database: str, collected: Path) -> None:
    with engine(migrated_database, collected) as places, ExitStack() as running:
        upgrade = places["upgrade"].start(*command("upgrade"))
        assert "the first visit asks for the code" in upgrade.communicate(timeout=120)[0]
        assert upgrade.returncode == 0
        for service in ("worker", "beat"):
            places[service].environment["BACKUP_MINUTES"] = "0.02"
            process = places[service].start(*command(service))
            running.callback(end, process)
        port = free_port()
        running.enter_context(places["web"].web(*command("web", port), port=port))
        until(lambda: status(f"http://127.0.0.1:{port}/readyz") == 200)
        assert healthy(port) == 0
        proxied = {"X-Forwarded-Proto": "https", "Host": FILLED_IN["HULE_HOST"]}
        assert status(f"http://127.0.0.1:{port}/login/", proxied) == 200
        script = "from tests.support.factories import make_tournament; make_tournament(players=8)"
        places["web"].python(script)
        folder = places["web"].folder / "backups"
        until(lambda: any(folder.glob("hule-*.hule")))  # the clock asks, the worker makes it


def healthy(port: int) -> int:
    """What the engine asks a container."""
    _kind, program, *words = SERVICES["web"]["healthcheck"]["test"]
    assert program == "python"
    arguments = [word.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for word in words]
    return subprocess.run([sys.executable, *arguments]).returncode


def test_a_unit_and_a_container_run_the_same() -> None:
    for name in ("worker", "beat"):
        unit = (DEPLOY / "systemd" / f"hule-{name}.service").read_text()
        started = re.search(r"^ExecStart=\S+ (.+)$", unit, re.MULTILINE)
        assert started
        assert shlex.split(started[1]) == SERVICES[name]["command"]


def test_the_architecture_names_files_that_exist() -> None:
    text = (ROOT / "docs" / "developers" / "architecture.md").read_text("utf-8")
    paths = re.findall(r"`([a-z_]+/[a-z_/]+\.py)`", text)
    missing = [
        path for path in paths if not ((ROOT / path).exists() or (ROOT / "tournament" / path).exists())
    ]
    assert len(paths) > 20
    assert missing == []


def test_every_container_is_confined() -> None:
    confined = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
    assert [name for name, service in SERVICES.items() if not confined.items() <= service.items()] == []
    assert {name for name, service in SERVICES.items() if "cap_add" in service} == {"caddy"}


def test_caddy_limits_bodies_as_nginx_does() -> None:
    nginx = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    caddy = re.findall(r"max_size (\d+)MiB", (DEPLOY / "Caddyfile").read_text())
    assert sorted(nginx) == sorted(caddy)
