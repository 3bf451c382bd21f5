"""Which of the backups that make themselves are kept."""

from datetime import UTC, datetime, timedelta

from tournament.backup.shelf import gone

NOW = datetime(2026, 5, 2, 14, 35, tzinfo=UTC)


def every(minutes: int, hours: int) -> list[datetime]:
    """The newest five minutes ago."""
    return [NOW - timedelta(minutes=5 + minutes * step) for step in range(hours * 60 // minutes)]


def test_the_last_twelve_stay_then_the_newest_of_each_hour() -> None:
    assert gone(every(10, 2), NOW) == set()
    made = every(10, 10)
    kept = sorted(set(made) - gone(made, NOW), reverse=True)
    assert kept[:12] == made[:12]
    assert [f"{moment:%H:%M}" for moment in kept[12:]] == [f"{hour:02}:50" for hour in range(11, 3, -1)]


def test_after_a_day_the_newest_of_each_day_for_two_weeks() -> None:
    made = every(60, 24 * 30)
    kept = sorted(set(made) - gone(made, NOW), reverse=True)
    assert len(kept) == 24 + 13
    assert kept[-1] > NOW - timedelta(days=14)
    assert {moment.hour for moment in kept[25:]} == {23}


def test_whoever_comes_back_after_a_month_finds_the_last_evening() -> None:
    made = [moment - timedelta(days=30) for moment in every(10, 5)]
    assert set(made) - gone(made, NOW) == set(made[:12])
