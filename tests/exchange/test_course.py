"""Who had left when a session began, as the log tells it."""

from typing import Any

import pytest

from tournament.exchange.course import Course

Entry = tuple[str, dict[str, Any]]


@pytest.mark.parametrize(
    ("entries", "gone"),
    [
        ([("player_withdrawn", {"player": 3})], {3}),
        ([("missing_withdrawn", {"players": [3, 5]})], {3, 5}),
        ([("missing_withdrawn", {"players": [3, 5]}), ("missing_readmitted", {"players": [5]})], {3}),
        ([("list_entered", {"players": [], "changed": [], "left": [2, 4]})], {2, 4}),
        ([("list_entered", {"left": [2, 4]}), ("list_undone", {"back": [4]})], {2}),
        ([("list_entered", {"players": [9]})], set()),
    ],
)
def test_who_is_gone_by_one_write_or_many(entries: list[Entry], gone: set[int]) -> None:
    course = Course()
    everything: list[Entry] = [*entries, ("session_started", {"session": 1})]
    for seq, (action, data) in enumerate(everything, 1):
        course.take(seq, action, data)
    assert course.gone[1] == gone
