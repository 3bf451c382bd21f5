"""A transcript that tells what cannot have been stops with one sentence, at its place."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.exchange.edits import Edit, in_event, in_object, in_table, otherwise_refused

pytestmark = pytest.mark.django_db

FINAL_OF_ALL = {"carry": "full", "groups": [[1, 2, 3, 4]]}
DAYS = {"starts_on": "2026-11-14", "ends_on": "2026-11-14"}
SEATS = ({"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8})


def event() -> dict[str, Any]:
    """Eight players, a session for all and one for a final of four, three hands at each table."""
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": {"name": "Spring Open", "rulebook": "mcr", "sessions": 2, "minutes": 120} | DAYS,
        "players": [{"number": n, "last_name": f"Player{n}"} for n in range(1, 9)],
        "sessions": [
            {"number": 1, "tables": [sheet(n, seats) for n, seats in enumerate(SEATS, 1)]},
            {"number": 2, "final": dict(FINAL_OF_ALL), "tables": [sheet(1, SEATS[0])]},
        ],
    }


def sheet(number: int, seats: dict[str, int]) -> dict[str, Any]:
    hands = [{"number": 1, "outcome": "win", "winner": seats["E"], "discarder": seats["S"], "points": 8}]
    hands += [{"number": n, "outcome": "draw"} for n in (2, 3)]
    return {"number": number, "seats": dict(seats), "hands": hands, "penalties": []}


def seats(*moves: dict[str, Any]) -> Edit:
    return in_table(presence=list(moves))


def stand_in(**fields: Any) -> dict[str, Any]:
    return {"what": "stand_in", "player": 3} | fields


def absent(**fields: Any) -> dict[str, Any]:
    return {"what": "absent", "player": 3, "minutes": 9, "after": 0} | fields


def appeal(**fields: Any) -> Edit:
    return in_table(appeals=[{"player": 1, "text": "It was not so."} | fields])


def in_session(number: int, /, **fields: Any) -> Edit:
    return in_object("sessions", number - 1, **fields)


def final(**fields: Any) -> Edit:
    return in_object("sessions", 1, "final", **fields)


def appeal_after_play_has_gone_on(data: dict[str, Any]) -> None:
    in_event(appeal_minutes=0)(data)
    appeal(hand=1)(data)


GRANTED = {"granted": True, "ruling": "So it was.", "carried_out": True}
UNEVEN_FINAL = {"carry": "full", "groups": [[1, 2], [3, 4]]}
IMPOSSIBLE_AT_TABLE_1: list[tuple[Edit, str]] = [
    (
        seats(stand_in(name="Ana", after=0), stand_in(name="Eva", after=1)),
        "presence 2: Somebody is playing for Player3 already.",
    ),
    (seats(stand_in(player=5)), "presence 1: Player 5 does not sit at this table."),
    (
        seats(absent(), stand_in(after=0)),
        "presence 2: The others start without the player after 15 minutes",
    ),
    (seats(absent()), "hand 1: Player3 is missing, and the others wait until minute 15."),
    (
        seats(absent(player=1, minutes=20, after=1)),
        "presence 1: Player1 has played hand 1 here, and so is not missing.",
    ),
    (
        seats({"what": "arrived", "player": 3, "after": 0}),
        "presence 1: Player 3 is not noted as missing.",
    ),
    (seats({"what": "back", "player": 3}), "presence 1: Nobody is playing for Player3."),
    (seats({"what": "asleep", "player": 3}), "presence 1: “what” could not be read."),
    (
        seats(stand_in(), {"what": "back", "player": 3, "after": 1}),
        "presence 2: the field “after” is not between 3 and 3.",
    ),
    (appeal(hand=9), "appeal 1: Hand 9 has not begun: hand 4 is under way."),
    (appeal(player=5), "appeal 1: Player 5 does not sit at this table."),
    (appeal(penalty=1), "appeal 1: the field “penalty” is not between 1 and 0."),
    (appeal(granted=False), "appeal 1: Say what is decided, and why."),
    (appeal(hand=1, **GRANTED), "appeal 1: nothing on this sheet carries the ruling out."),
    (
        appeal(hand=2, after=1, was={"outcome": "draw"}, **GRANTED),
        "appeal 1: nothing on this sheet carries the ruling out.",
    ),
    (
        appeal(hand=1, was={"outcome": "win", "winner": 5, "points": 8}, **GRANTED),
        "hand 1: Player 5 does not sit at this table.",
    ),
    (appeal_after_play_has_gone_on, "appeal 1: Play has gone on"),
    (in_table(signed=[1, 5]), "signature 2: Player 5 does not sit at this table."),
    (
        in_table(unplayed=True, hands=[], signed=[1]),
        "signature 1: Nothing is recorded at table 1 yet.",
    ),
]
IMPOSSIBLE: list[tuple[Edit, str]] = [
    (in_object("players", 2, withdrawn=True), "session 1: Player3 has withdrawn"),
    (in_session(1, withdrawn=[8, 8]), "session 1: Player 8 has already withdrawn."),
    (in_session(1, readmitted=[8]), "session 1: Player 8 has not withdrawn."),
    (in_session(1, withdrawn=[99]), "session 1: There is no player 99."),
    (
        in_session(1, without=[8]),
        "session 1: player 8 does not play in this session, and has a seat.",
    ),
    (final(groups=[[1, 2, 3, 5]]), "session 2: player 5 has no seat in this session."),
    (
        in_session(2, final=UNEVEN_FINAL, without=[]),
        "session 2: The groups of a final are of one size, four players or a multiple.",
    ),
    (final(groups=[[1, 2, 3, 4], [1, 2, 3, 4]]), "session 2: Player 1 is named twice."),
    (
        in_session(1, final=FINAL_OF_ALL),
        "session 1: No session is finished yet, so there is nobody to choose for a final.",
    ),
    (final(carry="third"), "session 2: “carry” could not be read."),
    (final(groups=[1, 2, 3, 4]), "session 2: the field “groups” is not a list"),
    (final(groups=[["1"]]), "session 2: the field “groups” is not a whole number."),
    (in_table(unplayed=True), "session 1, table 1: nobody played here, and there are hands."),
    (in_table(extra_minutes=90), "session 1, table 1: "),
    (
        in_event(fouls=[{"key": "sneezing", "rule": {"kind": "fixed", "sanction": {}}}]),
        "tournament, foul 1: There is no foul “sneezing”.",
    ),
    (
        in_event(fouls=[{"key": "late", "rule": {"kind": "by_mood"}}]),
        "tournament, foul 1: “rule” could not be read.",
    ),
    (in_event(attendance={"stand_in": "everybody"}), "tournament: “attendance” could not be read."),
    (in_event(time_zone="Europe/Atlantis"), "tournament: There is no time zone “Europe/Atlantis”."),
]


@pytest.mark.thorough
def test_what_cannot_have_been_stops_at_its_place_and_nothing_is_kept() -> None:
    cases = [(edit, f"session 1, table 1, {line}") for edit, line in IMPOSSIBLE_AT_TABLE_1] + IMPOSSIBLE
    texts = []
    for edit, line in cases:
        data = event()
        edit(data)
        texts.append((json.dumps(data), line))
    assert otherwise_refused(texts) == {}
