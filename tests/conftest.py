"""What every test shares: which servers there are, how hard hypothesis looks, and nothing else.

A test that needs a browser, PostgreSQL, Redis or PyMahjongGB carries a marker and is skipped by name where there is
none. With HULE_NO_SKIPS=1, as in .ci/run, a skip is a failure.
"""

import fcntl
import gc
import os
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.cache import caches
from django.utils import translation
from hypothesis import settings

from tests.scoring import pymahjonggb
from tests.support.databases import MIGRATED, execute, new_database, url_of
from tests.support.processes import Place, make_place
from tests.support.sampling import SEED

pytest_plugins = ("tests.browser.fixtures", "tests.support.fixtures")
SLOW = ("browser", "platform", "commands", "documents", "live")
"""Folders whose tests start programs, or draw pages of paper."""
TESTS = Path(__file__).parent
WITH_OWN_MARKS = ("backup", "live")
"""Packages whose tests say themselves whether they need the database, and how."""
PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin"
NO_SKIPS = os.environ.get("HULE_NO_SKIPS") == "1"

# The same examples every time, so that a failure is the change's own; `search` looks for new ones.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=25, print_blob=True)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def chromium(
    programs: Iterable[str] = ("chromium-headless-shell", "chromium", "google-chrome"),
) -> str | None:
    """Return the path of the browser, or None; the headless one takes half the time."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, programs)), None)


def missing_requirement(item: pytest.Item) -> str | None:
    """Return what this test needs and this machine does not have, as a sentence."""
    if item.get_closest_marker("browser") and not chromium():
        return "needs a browser: install chromium-headless-shell or set CHROMIUM to its path"
    if item.get_closest_marker("nginx") and not shutil.which("nginx", path=PROGRAMS):
        return "needs nginx: install it"
    if item.get_closest_marker("postgres") and not os.environ.get("TEST_DATABASE_URL"):
        return "needs PostgreSQL: set TEST_DATABASE_URL to a server on which it may create databases"
    if item.get_closest_marker("redis") and not os.environ.get("TEST_REDIS_URL"):
        return "needs Redis: set TEST_REDIS_URL to a server it may write to"
    if item.get_closest_marker("pymahjonggb") and not pymahjonggb.is_installed():
        return "needs PyMahjongGB: run bin/setup --bench"
    return None


def needs_database(item: pytest.Item) -> bool:
    """Whether it is a test of a package of `tournament`, and not of an engine or in a browser."""
    package, *rest = item.path.relative_to(TESTS).with_suffix("").parts
    if not (TESTS.parent / "tournament" / package).is_dir() or package in WITH_OWN_MARKS:
        return False
    is_of_engine = "engine" in rest or rest[-1].endswith("_engine")
    return not (is_of_engine or item.get_closest_marker("browser"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the database to who needs it; start with what waits for browsers and programs, which takes longest."""
    for item in items:
        if needs_database(item) and not item.get_closest_marker("django_db"):
            item.add_marker("django_db")
    items.sort(key=lambda item: item.path.parent.name not in SLOW and not item.get_closest_marker("browser"))


def pytest_collection_finish() -> None:
    """Exempt what is loaded from garbage collection: it stays, and looking at it took 4 % of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the seed of the sampled cases; with -q there is no header."""
    terminalreporter.write_line(f"Sampled cases: TEST_SEED={SEED}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Drop the database of `migrated_database` after the last process of the run."""
    if "PYTEST_XDIST_WORKER" not in os.environ and "TEST_DATABASE_URL" in os.environ:
        with suppress(psycopg.OperationalError):
            execute(f"DROP DATABASE IF EXISTS {MIGRATED}")


def pytest_runtest_setup(item: pytest.Item) -> None:
    translation.deactivate()  # a page in Chinese leaves its language to the next test
    caches["limits"].clear()
    if reason := missing_requirement(item):
        pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if NO_SKIPS and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although nothing may be skipped here: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The browser's path; only for tests marked `browser`."""
    path = chromium()
    assert path, "mark the test with @pytest.mark.browser"
    return path


def build_once_per_run(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """Return the folder `name` of this run, which the first process to ask for it builds while the others wait."""
    # pytest-xdist gives each of its processes a folder inside that of the run.
    own = factory.getbasetemp()
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    folder, done = run / name, run / f"{name}.done"
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir(exist_ok=True)
            build(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty SQLite database, to be copied: migrating takes seconds."""
    return build_once_per_run(tmp_path_factory, "migrated", lambda folder: Place(folder, {}).migrate())


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """Static files as a first start collects them, for STATIC_ROOT: without them no page is drawn."""

    def collect(folder: Path) -> None:
        shutil.copytree(migrated, folder, dirs_exist_ok=True)
        done = Place(folder, {}).manage("upgrade")
        assert done.returncode == 0, done.stdout
        assert "Collecting" in done.stdout

    return build_once_per_run(tmp_path_factory, "collected", collect) / "static"


@pytest.fixture
def place(migrated: Path) -> Iterator[Place]:
    """A place of the test's own, on SQLite and without Redis."""
    with make_place(migrated) as own_place:
        yield own_place


@pytest.fixture(scope="session")
def migrated_database(tmp_path_factory: pytest.TempPathFactory, collected: Path) -> str:
    """The name of a migrated PostgreSQL database, to be copied; only for tests marked `postgres`."""

    def upgrade(folder: Path) -> None:
        execute(f"CREATE DATABASE {MIGRATED}")
        settings = {"DATABASE_URL": url_of(MIGRATED), "STATIC_ROOT": str(collected)}
        done = Place(folder, settings).manage("upgrade")
        assert done.returncode == 0, done.stdout
        assert done.stdout.startswith("Preparing the database …\n")

    build_once_per_run(tmp_path_factory, "migrated-database", upgrade)
    return MIGRATED


@pytest.fixture
def postgres_url(migrated_database: str) -> Iterator[str]:
    """A migrated PostgreSQL database of the test's own; only for tests marked `postgres`."""
    with new_database(migrated_database) as url:
        yield url


@pytest.fixture(scope="session", autouse=True)
def check_log_entries() -> Iterator[None]:
    """Check each log entry that a test writes: it has a whole sentence, and its hashed data no prose."""
    from penalties.engine import find_foul_book
    from tests.support.prose import strings_in, words_in
    from tournament.base import log
    from tournament.web.texts.log import LogWords

    append, sentences = log.append, LogWords({}, find_foul_book("mcr"))

    def append_and_check(*arguments: Any) -> Any:
        entry = append(*arguments)
        has_own_braces = any("{" in text for text in strings_in(entry.texts))
        assert "None" not in (sentence := sentences.sentence(entry))
        assert has_own_braces or "{" not in sentence
        assert not words_in(entry.data), f"{entry.action} writes words into the log's chain"
        return entry

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "append", append_and_check)
        yield
