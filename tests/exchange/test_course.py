"""Who had left when a session began, as the log tells it."""

from typing import Any

from tournament.exchange.course import Course

Entry = tuple[str, dict[str, Any]]


WITHDRAWN = ("missing_withdrawn", {"players": [3, 5]})


def test_who_is_gone_by_one_write_or_many() -> None:
    courses: list[tuple[set[int], list[Entry]]] = [
        ({3}, [("player_withdrawn", {"player": 3})]),
        ({3, 5}, [WITHDRAWN]),
        ({3}, [WITHDRAWN, ("missing_readmitted", {"players": [5]})]),
        ({2, 4}, [("list_entered", {"players": [], "changed": [], "left": [2, 4]})]),
        ({2}, [("list_entered", {"left": [2, 4]}), ("list_undone", {"back": [4]})]),
        (set(), [("list_entered", {"players": [9]})]),
    ]
    for gone, entries in courses:
        course = Course()
        for seq, (action, data) in enumerate([*entries, ("session_started", {"session": 1})], 1):
            course.take(seq, action, data)
        assert course.gone[1] == gone, entries
