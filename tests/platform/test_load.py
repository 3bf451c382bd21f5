"""A small hall at its busiest: nobody is turned away, and every watcher hears of every save."""

from argparse import Namespace

import pytest

from tests.bench.load import Case, measured


@pytest.mark.thorough
def test_everybody_is_served_while_everybody_asks() -> None:
    found = measured(Case(16, 1, "sqlite"), Namespace(seconds=12.0, watchers=40))
    steady = found["steady"]
    assert found["errors"] == {}
    assert steady["told"]["never"] == 0
    assert steady["papers"]
    assert steady["rankings_per_second"] > 0
    assert steady["saves_per_second"] > 0
