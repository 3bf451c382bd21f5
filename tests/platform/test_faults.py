"""The benches in small: every write is there once whatever is killed, full or wrong; a busy hall is served."""

import os
import shutil
import subprocess
from argparse import Namespace
from pathlib import Path
from random import Random

import pytest

from tests.bench._round import (
    COMMON,
    ON_POSTGRES,
    ON_SQLITE,
    kill_postgres,
    kill_web,
    plan,
    weights_of,
)
from tests.bench.faults import FAST_PACE, Tally, play
from tests.bench.load import Case, measure_case
from tests.support.databases import url_of
from tests.support.processes import Place
from tests.support.sampling import EXHAUSTIVE, SEED, sample

ON_POSTGRES_HALF = "DATABASE_URL" in os.environ
"""The second half of .ci/run: PostgreSQL and Redis, of the test's own so that they can be killed."""


@pytest.mark.stored
@pytest.mark.thorough
def test_every_acknowledged_write_is_there_once_after_each_fault(
    request: pytest.FixtureRequest, migrated: Path, collected: Path
) -> None:
    """Two kinds of fault, the killed server or database always; with --exhaustive each kind at least once."""

    def prepare(place: Place) -> None:
        if ON_POSTGRES_HALF:
            template = url_of(request.getfixturevalue("migrated_database"))
            dump = subprocess.run(["pg_dump", "--no-owner", template], check=True, capture_output=True)
            into = ["psql", "--quiet", "--set=ON_ERROR_STOP=1", place.environment["DATABASE_URL"]]
            subprocess.run(into, input=dump.stdout, check=True, capture_output=True)
        else:
            shutil.copytree(migrated, place.folder, dirs_exist_ok=True)

    killed = kill_postgres if ON_POSTGRES_HALF else kill_web
    kinds = weights_of(on_postgres=ON_POSTGRES_HALF)
    faults = sample(kinds, 1, always=[killed], key="faults")
    if EXHAUSTIVE:
        faults = plan(Random(SEED), 12, on_postgres=ON_POSTGRES_HALF)
    tally = Tally()
    play(
        tally,
        SEED,
        faults,
        on_postgres=ON_POSTGRES_HALF,
        pace=FAST_PACE,
        static=collected,
        prepare=prepare,
        stops=(0.5, 4),
        redis_away=4.0,
    )

    assert tally.problems == []
    assert tally.faults.total() == len(faults)
    assert tally.acknowledged > 10 * len(faults)
    assert tally.retried, "no fault was noticed by anybody"
    failed = {fault: tally.reads_failed[fault] for fault in ("full_disk", "kill_redis", "redis_away")}
    assert not any(failed.values()), f"a reader saw one of these faults: {failed}"


@pytest.mark.stored
@pytest.mark.parametrize("on_postgres", [False, True])
def test_every_kind_of_fault_is_in_the_plan(on_postgres: bool) -> None:
    kinds = set(COMMON) | set(ON_POSTGRES if on_postgres else ON_SQLITE)
    expected = {kind for kind in kinds if not kind.__name__.startswith("clock")}
    assert expected <= set(plan(Random(SEED), len(kinds), on_postgres=on_postgres))


@pytest.mark.thorough
@pytest.mark.nightly
def test_all_requests_are_served_under_load() -> None:
    figures = measure_case(Case(16, 1, "sqlite"), Namespace(seconds=12.0, watchers=40))
    steady = figures["steady"]
    assert figures["errors"] == {}
    assert steady["told"]["never"] == 0
    assert steady["papers"]
    assert steady["rankings_per_second"] > 0
    assert steady["saves_per_second"] > 0
