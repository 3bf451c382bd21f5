"""docs/administrators/install.md, *A site on Debian*: its own lines, followed by somebody who knows nothing else."""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import pytest
from redis import Redis

from config.settings import AXES_FAILURE_LIMIT
from tests.bench._own_servers import OwnRedis
from tests.platform.guide_machine import NAME, Machine, Visitor
from tests.support.databases import new_database
from tests.support.processes import PATIENCE, ROOT, free_port, until

pytestmark = [
    *(pytest.mark.thorough, pytest.mark.nightly),
    *(pytest.mark.postgres, pytest.mark.redis, pytest.mark.nginx),
]

GUIDE = (ROOT / "docs" / "administrators" / "install.md").read_text("utf-8")


def commands_below(heading: str) -> str:
    """Return the lines of all code blocks of a section, without its subsections."""
    section = re.split(r"^##+ ", GUIDE.partition(f" {heading}\n")[2], maxsplit=1, flags=re.M)[0]
    return "".join(map(dedent, re.findall(r"^ *```sh\n(.*?)^ *```$", section, re.S | re.M)))


SETTING_UP, A_NEW_VERSION = map(commands_below, ("A site on Debian", "Upgrade the site"))
PASSWORD = "four-red-dragons"
MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Site:
    """A machine set up as the guide says, the output of its commands, and its ports."""

    machine: Machine
    output: str
    http: int
    https: int
    web: tuple[int, int]
    redis: str
    """URL."""

    def visitor(self, address: str = "127.0.0.1") -> Visitor:
        certificate = self.machine.folder / "etc/letsencrypt/live" / NAME / "fullchain.pem"
        return Visitor(self.https, certificate, address)

    @property
    def data(self) -> Path:
        return self.machine.folder / "var/lib/hule"


@pytest.fixture(scope="module")
def up(
    tmp_path_factory: pytest.TempPathFactory, dist: Path, packages: Path, migrated_database: str
) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("machine")
    http, https, first, second = (free_port() for _ in range(4))
    with new_database(migrated_database) as database, TemporaryDirectory() as memory:
        redis = OwnRedis(Path(memory))
        changes = {
            "postgres://hule:$password@127.0.0.1:5432/hule": database,
            "redis://127.0.0.1:6379/0": redis.url,
            "listen 80;": f"listen {http};",
            "listen 443 ": f"listen {https} ",
            "127.0.0.1:8001": f"127.0.0.1:{first}",
            "127.0.0.1:8002": f"127.0.0.1:{second}",
            "@8001": f"@{first}",
            "@8002": f"@{second}",
        }
        machine = Machine(folder, dist, packages, changes)
        try:
            output = machine.follow(SETTING_UP)
            site = Site(machine, output, http, https, (first, second), redis.url)
            for port in site.web:
                until(lambda port=port: plain(port, "/readyz")[0] == 200)  # type: ignore[misc]
            yield site
        finally:
            machine.stop()
            redis.kill()


@pytest.fixture(scope="module")
def organiser(up: Site) -> Visitor:
    """The first organiser, signed up with the printed code."""
    code = re.search(r"the first visit asks for the code (\S+)", up.output)
    assert code
    first = up.visitor()
    two = {"password1": PASSWORD, "password2": PASSWORD}
    assert first.post("/organiser/setup/", {"code": code[1], "username": "olga", **two}) == 302
    return first


def plain(port: int, path: str) -> tuple[int, str, str]:
    """Without TLS: status, where it leads, body."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={"Host": NAME})
        answer = connection.getresponse()
        return answer.status, answer.headers.get("Location", ""), answer.read().decode()
    except OSError:
        return 0, "", ""
    finally:
        connection.close()


def test_http_leads_to_https_and_https_stays(up: Site, organiser: Visitor) -> None:
    assert plain(up.http, "/t/a/?b=c")[:2] == (301, f"https://{NAME}/t/a/?b=c")
    with up.visitor().ask("GET", "/login/") as page:
        assert page.status == 200
        assert page.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert len(page.headers["X-Request-ID"]) == 32, "nginx's own"
    assert organiser.cookies["sessionid"]["secure"]


def test_probes_are_not_reachable_through_the_proxy(up: Site) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert [plain(port, path)[0] for port in up.web] == [200, 200]
        with up.visitor().ask("GET", path) as answer:
            assert answer.status == 404


def test_a_watcher_gets_a_write_at_once(up: Site, organiser: Visitor) -> None:
    token = organiser.program("/api/v1/token/", {"username": "olga", "password": PASSWORD})["token"]
    days = {"starts_on": "2026-11-28", "ends_on": "2026-11-28"}
    slug = organiser.program("/api/v1/tournaments/", {"name": "Cup", **days}, token)["slug"]
    for name in ("Li", "Berger", "Dupont", "Okafor"):  # either process, heard by a watcher of either
        with up.visitor().ask("GET", f"/live/{slug}/") as stream:
            assert stream.readline().startswith(b"retry:")
            time.sleep(0.3)
            organiser.program(f"/api/v1/tournaments/{slug}/players/", {"last_name": name}, token)
            written_at = time.monotonic()
            while not stream.readline().startswith(b"event: change"):
                pass
            assert time.monotonic() - written_at < 2


def test_the_worker_makes_a_backup_and_none_is_uploaded(up: Site, organiser: Visitor) -> None:
    page, folder = "/organiser/backups/", up.data / "backups"
    before = set(folder.glob("hule-*.hule"))
    assert organiser.post(f"{page}make/", {}, page) in (200, 302)
    until(lambda: set(folder.glob("hule-*.hule")) > before)
    content = max(folder.glob("hule-*.hule")).read_bytes()
    assert organiser.upload(f"{page}upload/", page, "file", content) == 422, "a command restores PostgreSQL"
    for address in (f"{page}upload/", "/login/"):
        assert organiser.upload(address, page, "file", bytes(8 * MEGABYTE)) == 413


def test_a_limit_counts_the_visitor_and_not_the_proxy(up: Site, organiser: Visitor) -> None:
    """Each guess costs half a second, so all but the first and the last are only counted."""
    guesser, umpire = up.visitor("127.0.0.21"), up.visitor("127.0.0.22")
    guess = {"username": "anna", "password": "three-red-dragons"}
    with Redis.from_url(up.redis) as redis:
        assert guesser.post("/login/", guess) == 200
        (count,) = redis.scan_iter("limit:*axes-*")
        redis.incrby(count, AXES_FAILURE_LIMIT - 1)
    assert guesser.post("/login/", guess) == 429
    assert umpire.post("/login/", {"username": "olga", "password": PASSWORD}) == 302


def test_lines_of_the_log_are_objects(up: Site, organiser: Visitor) -> None:
    up.visitor().ask("GET", "/nowhere/").close()
    lines = "".join(
        (up.machine.folder / "run" / f"hule-web@{port}.log").read_text() for port in up.web
    ).splitlines()
    assert any("Not Found: /nowhere/" in json.loads(line)["message"] for line in lines)


def test_watchers_of_a_process_that_stops_go_on_at_the_other(up: Site, organiser: Visitor) -> None:
    slug = organiser.program("/api/v1/tournaments/", None)[0]["slug"]
    streams = [up.visitor().ask("GET", f"/live/{slug}/") for _ in range(4)]
    for stream in streams:
        assert stream.readline().startswith(b"retry:")
    up.machine.follow("systemctl stop hule-web@8001")
    writer = organiser.program("/api/v1/token/", {"username": "olga", "password": PASSWORD})["token"]
    organiser.program(f"/api/v1/tournaments/{slug}/players/", {"last_name": "Wu"}, writer)
    ended = 0
    for stream in streams:
        ended += not is_open(stream)
        stream.close()
    assert 0 < ended < len(streams)
    for _ in range(3):
        with up.visitor().ask("GET", f"/live/{slug}/") as again:
            assert again.readline().startswith(b"retry:")


def is_open(stream: HTTPResponse) -> bool:
    """Whether it tells of a write; one that ended said when to come back."""
    rest = b""
    while line := stream.readline():
        rest += line
        if line.startswith(b"event: change"):
            return True
    assert rest.rpartition(b"retry: ")[2].strip().isdigit()
    return False


def test_a_new_version_by_the_lines_of_the_guide(up: Site, organiser: Visitor) -> None:
    assert "The data is up to date already." in up.machine.follow(A_NEW_VERSION)
    for port in up.web:
        until(lambda port=port: plain(port, "/readyz")[0] == 200)  # type: ignore[misc]
    assert "Cup" in organiser.get("/organiser/")
