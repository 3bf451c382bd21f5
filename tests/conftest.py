"""What every test shares: which servers there are, how hard hypothesis looks, and nothing else.

A test that needs a browser, PostgreSQL, Redis or PyMahjongGB says so with a marker and is skipped by name where there
is none. With HULE_NO_SKIPS=1, as in .ci/run, a skip is a failure.
"""

import gc
import os
import shutil
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import translation
from hypothesis import settings

from tests.databases import new_database
from tests.processes import Place, make_place
from tests.scoring import pymahjonggb
from tests.servers import depends_on_servers
from tests.shared import made_for_all

SLOW = ("browser", "platform", "commands", "documents", "live")
"""Folders whose tests start programs, or draw pages of paper."""
PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin"
HOSTILE_PROGRAMS = Path(__file__).parent / "api" / "test_hostile_programs.py"
"""All of it is thorough."""
NO_SKIPS = os.environ.get("HULE_NO_SKIPS") == "1"

# The same examples every time, so that a failure is the change's own; `search` looks for new ones.
settings.register_profile("default", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50, print_blob=True)
settings.register_profile("search", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def chromium() -> str | None:
    """Where the browser is, or None."""
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def _lacking(item: pytest.Item) -> str | None:
    """What this test needs and this machine does not have, as a sentence."""
    if item.get_closest_marker("browser") and not chromium():
        return "needs a browser: install chromium or set CHROMIUM to its path"
    if item.get_closest_marker("nginx") and not shutil.which("nginx", path=PROGRAMS):
        return "needs nginx: install it"
    if item.get_closest_marker("postgres") and not os.environ.get("TEST_DATABASE_URL"):
        return "needs PostgreSQL: set TEST_DATABASE_URL to a server on which it may create databases"
    if item.get_closest_marker("redis") and not os.environ.get("TEST_REDIS_URL"):
        return "needs Redis: set TEST_REDIS_URL to a server it may write to"
    if item.get_closest_marker("pymahjonggb") and not pymahjonggb.is_installed():
        return "needs PyMahjongGB: run bin/setup --bench"
    return None


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A test of each step of the schema takes seconds to make, in every process; not where none of them is run."""
    return True if config.option.markexpr == "not thorough" and collection_path == HOSTILE_PROGRAMS else None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--stored",
        action="store_true",
        help="only what may turn out otherwise on another database or with Redis",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What waits for browsers and programs comes first, so that no process is left with a long module at the end."""
    items.sort(key=lambda item: item.path.parent.name not in SLOW)
    if config.getoption("--stored"):
        others = [item for item in items if not depends_on_servers(item)]
        config.hook.pytest_deselected(items=others)
        left_out = set(others)
        items[:] = [item for item in items if item not in left_out]


def pytest_collection_finish() -> None:
    """What is loaded stays; the garbage collector's looks at it took a twenty-fifth of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)


def pytest_runtest_setup(item: pytest.Item) -> None:
    translation.deactivate()  # a page in Chinese leaves its language to the next test
    caches["limits"].clear()
    if reason := _lacking(item):
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


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty SQLite database, to be copied: migrating takes seconds."""
    return made_for_all(tmp_path_factory, "migrated", lambda folder: Place(folder, {}).migrate())


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """Static files as a first start collects them, for STATIC_ROOT: without them no page is drawn."""

    def collect(folder: Path) -> None:
        shutil.copytree(migrated, folder, dirs_exist_ok=True)
        done = Place(folder, {}).manage("upgrade")
        assert done.returncode == 0, done.stdout
        assert "Collecting" in done.stdout

    return made_for_all(tmp_path_factory, "collected", collect) / "static"


@pytest.fixture
def place(migrated: Path) -> Iterator[Place]:
    """A place of the test's own, on SQLite and without Redis."""
    with make_place(migrated) as made:
        yield made


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """An empty PostgreSQL database of the test's own; only for tests marked `postgres`."""
    with new_database() as url:
        yield url


@pytest.fixture(scope="session", autouse=True)
def every_entry_is_said() -> Iterator[None]:
    """Each log entry that a test writes is said, so that a sentence asking for what a service does not write fails;
    and what of it is hashed for good has no words of anybody in it."""
    from penalties.engine import find_foul_book
    from tests.codes import words_in
    from tournament import log
    from tournament.words.log import LogWords

    append, told = log.append, LogWords({}, find_foul_book("mcr"))

    def append_and_say(*entry: Any) -> Any:
        written = append(*entry)
        assert "{" not in told.sentence(written)
        assert not words_in(written.data), f"{written.action} writes words into the log's chain"
        return written

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log, "append", append_and_say)
        yield
