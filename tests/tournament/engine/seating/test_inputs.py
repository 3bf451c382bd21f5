"""What a draw follows from can be written down and read back; two plans can be told apart."""

import json

import pytest

from tournament.engine.seating import Inputs, changes, fingerprint, repeated_pairs

WISHED = Inputs(
    tuple(range(1, 17)),
    4,
    "3 · 17",
    teams={number: f"team {number % 4}" for number in range(1, 17)},
    countries={2: "FRA", 3: "FRA"},
    forbidden=((1, 2), (1, 3)),
    stay={5: 2},
    teams_first=True,
)
PLAIN = Inputs(tuple(range(1, 9)), 2, "old")


def test_written_and_read_back_it_gives_the_same_draw() -> None:
    """A database may return the keys of an object in another order."""
    written = json.loads(json.dumps(WISHED.to_json()))
    written["teams"] = dict(reversed(written["teams"].items()))
    again = Inputs.from_json(written)
    assert again == WISHED
    assert again.draw() == WISHED.draw()


def test_inputs_from_before_there_were_clubs_are_read() -> None:
    data = PLAIN.to_json()
    del data["clubs"]
    assert Inputs.from_json(data) == PLAIN


def test_wishes_are_met() -> None:
    plan = WISHED.draw().sessions
    at = [{frozenset(table.values()) for table in session} for session in plan]
    assert not any({1, 2} <= table or {1, 3} <= table for session in at for table in session)
    assert all(5 in session[1].values() for session in plan)


def test_plain_inputs_need_no_file() -> None:
    others = Inputs(tuple(range(2, 10)), 2, "old")
    assert [inputs.is_plain for inputs in (PLAIN, others, WISHED)] == [True, False, False]


@pytest.mark.parametrize("data", [{}, {"players": 3}, {**WISHED.to_json(), "forbidden": [[1]]}])
def test_anything_else_is_refused(data: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        Inputs.from_json(data)


def test_every_seat_that_differs_is_named() -> None:
    before = [[{"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}]]
    after = [[{"E": 5, "S": 2, "W": 3, "N": 4}, {"E": 1, "S": 6, "W": 7, "N": 9}]]
    rows = [(change.session, change.player, change.before, change.after) for change in changes(before, after)]
    assert rows == [
        (1, 1, (1, "E"), (2, "E")),
        (1, 5, (2, "E"), (1, "E")),
        (1, 8, (2, "N"), None),
        (1, 9, None, (2, "N")),
    ]
    assert changes(before, before) == ()
    assert fingerprint(before) != fingerprint(after)


def test_the_fingerprint_does_not_depend_on_the_order_of_writing() -> None:
    table = {"E": 1, "S": 2, "W": 3, "N": 4}
    assert fingerprint([[table]]) == fingerprint([[dict(reversed(table.items()))]])


def test_who_meets_again_and_when() -> None:
    table, others = {"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8}
    mixed = [{"E": 2, "S": 1, "W": 5, "N": 6}, {"E": 3, "S": 7, "W": 4, "N": 8}]
    pairs = repeated_pairs([[table, others], mixed])
    assert pairs == {(1, 2): (1, 2), (3, 4): (1, 2), (5, 6): (1, 2), (7, 8): (1, 2)}
