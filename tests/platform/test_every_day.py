"""What a worker sees to when it starts and every day after."""

import pytest

from config import celery
from tournament.tasks import forget_phones


class Stopped(Exception):
    """The worker has ended."""


def test_a_queue_that_is_away_is_tried_again_a_day_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slept: list[float] = []

    def away() -> None:
        raise ConnectionError("no queue")

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            raise Stopped

    monkeypatch.setattr(forget_phones, "delay", away)
    monkeypatch.setattr("config.celery.time.sleep", sleep)
    with pytest.raises(Stopped):
        celery.every_day()
    assert slept == [celery.A_DAY, celery.A_DAY]
    assert caplog.text.count("could not be queued") == 2
