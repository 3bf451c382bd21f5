"""The benches in small: every write is there once whatever is killed, full or wrong; a busy hall is served."""

import os
from argparse import Namespace
from pathlib import Path
from random import Random

import pytest

from tests.bench._round import COMMON, ON_POSTGRES, ON_SQLITE, plan
from tests.bench.faults import FAST_PACE, Tally, play
from tests.bench.load import Case, measure_case

SEED = "hule"
FAULTS = 12
"""Each kind at least once."""
ON_POSTGRES_HALF = "DATABASE_URL" in os.environ
"""The second half of .ci/run: PostgreSQL and Redis, of the test's own so that they can be killed."""


@pytest.mark.stored
@pytest.mark.thorough
def test_every_acknowledged_write_is_there_once_after_each_fault(tmp_path: Path) -> None:
    tally = Tally()
    play(
        tally,
        SEED,
        FAULTS,
        on_postgres=ON_POSTGRES_HALF,
        pace=FAST_PACE,
        static=tmp_path / "static",
        stops=(0.5, 1, 6),
        redis_away=4.0,
    )

    assert tally.problems == []
    assert tally.faults.total() == FAULTS
    assert tally.acknowledged > 10 * FAULTS
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
def test_all_requests_are_served_under_load() -> None:
    figures = measure_case(Case(16, 1, "sqlite"), Namespace(seconds=12.0, watchers=40))
    steady = figures["steady"]
    assert figures["errors"] == {}
    assert steady["told"]["never"] == 0
    assert steady["papers"]
    assert steady["rankings_per_second"] > 0
    assert steady["saves_per_second"] > 0
