"""A log in memory, and a hub over it that looks when it is woken."""

import pytest

from tests.live.fakes import ListLog
from tournament.live.hub import Hub


@pytest.fixture
def log() -> ListLog:
    return ListLog()


@pytest.fixture
def hub(log: ListLog) -> Hub:
    """What is heard was heard because of `wake`: no test waits for an hour. Runs in tests that are `on_the_loop`."""
    return Hub(log, poll_seconds=3600)
