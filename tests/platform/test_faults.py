"""A tenth of `bin/bench faults`: nothing acknowledged is lost or doubled, whatever is killed, stopped, full or wrong."""

from pathlib import Path

import pytest

from tests.bench._faults import COMMON, ON_POSTGRES, ON_SQLITE, plan
from tests.bench._own_servers import are_installed
from tests.bench.faults import IN_HASTE, Tally, play

pytestmark = pytest.mark.thorough

SEED, FAULTS, ON_SERVERS = "hule", 20, 10


def test_every_acknowledged_write_is_there_once_after_each_fault(tmp_path: Path) -> None:
    tally = Tally()
    how = {"pace": IN_HASTE, "static": tmp_path / "static", "stops": (0.5, 1, 6)}
    play(tally, SEED, FAULTS, on_postgres=False, **how)

    assert tally.wrong == []
    assert tally.faults.total() == FAULTS
    assert tally.acknowledged > 10 * FAULTS
    assert tally.retried, "no fault was noticed by anybody"
    assert tally.looks_failed["full_disk"] == 0, "who only reads notices nothing of a full disk"


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.skipif(not are_installed(), reason="needs the programs of PostgreSQL and Redis, to kill its own")
def test_nothing_is_lost_with_postgresql_and_redis_killed(tmp_path: Path) -> None:
    tally = Tally()
    how = {"pace": IN_HASTE, "static": tmp_path / "static", "stops": (0.5, 1, 6), "redis_away": 4.0}
    play(tally, SEED, ON_SERVERS, on_postgres=True, **how)

    assert tally.wrong == []
    assert tally.faults.total() == ON_SERVERS
    assert tally.looks_failed["redis_away"] == 0, "pages are drawn without Redis"
    assert tally.looks_failed["kill_redis"] == 0, "pages are drawn without Redis"


@pytest.mark.parametrize("on_postgres", [False, True])
def test_every_kind_of_fault_is_in_the_plan(on_postgres: bool) -> None:
    from random import Random

    kinds = set(COMMON) | set(ON_POSTGRES if on_postgres else ON_SQLITE)
    wanted = {kind for kind in kinds if not kind.__name__.startswith("clock")}
    assert wanted <= set(plan(Random(SEED), 10, on_postgres=on_postgres))
