"""A transcript that tells what cannot have been stops with one sentence, at its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.exchange.test_transcript import refusal, rows_kept

pytestmark = pytest.mark.django_db

Edit = Callable[[dict[str, Any]], Any]
SEATS = ({"E": 1, "S": 2, "W": 3, "N": 4}, {"E": 5, "S": 6, "W": 7, "N": 8})


def event() -> dict[str, Any]:
    """Eight players, a session for all and one for a final of four, three hands at each table."""
    return {
        "format": "hule-transcript",
        "version": 1,
        "tournament": {
            "name": "Spring Open",
            "starts_on": "2026-11-14",
            "ends_on": "2026-11-14",
            "rulebook": "mcr",
            "sessions": 2,
            "minutes": 120,
        },
        "players": [{"number": n, "last_name": f"Player{n}"} for n in range(1, 9)],
        "sessions": [
            {"number": 1, "tables": [sheet(n, seats) for n, seats in enumerate(SEATS, 1)]},
            {
                "number": 2,
                "final": {"carry": "full", "groups": [[1, 2, 3, 4]]},
                "tables": [sheet(1, SEATS[0])],
            },
        ],
    }


def sheet(number: int, seats: dict[str, int]) -> dict[str, Any]:
    hands = [{"number": 1, "outcome": "win", "winner": seats["E"], "discarder": seats["S"], "points": 8}]
    hands += [{"number": n, "outcome": "draw"} for n in (2, 3)]
    return {"number": number, "seats": dict(seats), "hands": hands, "penalties": []}


def seats(*moves: dict[str, Any]) -> Edit:
    """At table 1 of session 1."""
    return lambda data: first(data).update(presence=list(moves))


def appeal(**said: Any) -> Edit:
    opened = {"player": 1, "text": "It was not so."} | said
    return lambda data: first(data).update(appeals=[opened])


def first(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["sessions"][0]["tables"][0]
    return found


def final(**said: Any) -> Edit:
    return lambda data: data["sessions"][1]["final"].update(said)


GRANTED = {"granted": True, "ruling": "So it was.", "carried_out": True}
IMPOSSIBLE: dict[str, tuple[Edit, str]] = {
    "a stand-in where one plays already": (
        seats(
            {"what": "stand_in", "player": 3, "name": "Ana", "after": 0},
            {"what": "stand_in", "player": 3, "name": "Eva", "after": 1},
        ),
        "session 1, table 1, presence 2: Somebody is playing for Player3 already.",
    ),
    "a stand-in for somebody of another table": (
        seats({"what": "stand_in", "player": 5}),
        "session 1, table 1, presence 1: Player 5 does not sit at this table.",
    ),
    "a stand-in before the others may begin": (
        seats(
            {"what": "absent", "player": 3, "minutes": 9, "after": 0},
            {"what": "stand_in", "player": 3, "after": 0},
        ),
        "session 1, table 1, presence 2: The others start without the player after 15 minutes",
    ),
    "a hand before the others may begin": (
        seats({"what": "absent", "player": 3, "minutes": 9, "after": 0}),
        "session 1, table 1, hand 1: Player3 is missing, and the others wait until minute 15.",
    ),
    "a missing player who has won": (
        seats({"what": "absent", "player": 1, "minutes": 20, "after": 1}),
        "session 1, table 1, presence 1: Player1 has played hand 1 here, and so is not missing.",
    ),
    "somebody who arrives and was not missing": (
        seats({"what": "arrived", "player": 3, "after": 0}),
        "session 1, table 1, presence 1: Player 3 is not noted as missing.",
    ),
    "a seat taken back from nobody": (
        seats({"what": "back", "player": 3}),
        "session 1, table 1, presence 1: Nobody is playing for Player3.",
    ),
    "something that does not happen to seats": (
        seats({"what": "asleep", "player": 3}),
        "session 1, table 1, presence 1: “what” could not be read.",
    ),
    "seats that did not change in this order": (
        seats({"what": "stand_in", "player": 3}, {"what": "back", "player": 3, "after": 1}),
        "session 1, table 1, presence 2: the field “after” is not between 3 and 3.",
    ),
    "who has left begins a session": (
        lambda data: data["players"][2].update(withdrawn=True),
        "session 1: Player3 has withdrawn",
    ),
    "who has left leaves again": (
        lambda data: data["sessions"][0].update(withdrawn=[8, 8]),
        "session 1: Player 8 has already withdrawn.",
    ),
    "who has not left comes back": (
        lambda data: data["sessions"][0].update(readmitted=[8]),
        "session 1: Player 8 has not withdrawn.",
    ),
    "somebody unknown leaves": (
        lambda data: data["sessions"][0].update(withdrawn=[99]),
        "session 1: There is no player 99.",
    ),
    "who does not play has a seat": (
        lambda data: data["sessions"][0].update(without=[8]),
        "session 1: player 8 does not play in this session, and has a seat.",
    ),
    "a finalist without a seat": (
        final(groups=[[1, 2, 3, 5]]),
        "session 2: player 5 has no seat in this session.",
    ),
    "a final in uneven groups": (
        lambda data: data["sessions"][1].update(
            final={"carry": "full", "groups": [[1, 2], [3, 4]]}, without=[]
        ),
        "session 2: The groups of a final are of one size, four players or a multiple.",
    ),
    "a finalist in two groups": (
        final(groups=[[1, 2, 3, 4], [1, 2, 3, 4]]),
        "session 2: Player 1 is named twice.",
    ),
    "a final from the start": (
        lambda data: data["sessions"][0].update(final={"carry": "full", "groups": [[1, 2, 3, 4]]}),
        "session 1: No session is finished yet, so there is nobody to choose for a final.",
    ),
    "a third of the points carried": (final(carry="third"), "session 2: “carry” could not be read."),
    "a final of no lists": (final(groups=[1, 2, 3, 4]), "session 2: the field “groups” is not a list"),
    "a final of texts": (final(groups=[["1"]]), "session 2: the field “groups” is not a whole number."),
    "hands where nobody played": (
        lambda data: first(data).update(unplayed=True),
        "session 1, table 1: nobody played here, and there are hands.",
    ),
    "an appeal against a hand that was not recorded": (
        appeal(hand=9),
        "session 1, table 1, appeal 1: Hand 9 has not begun: hand 4 is under way.",
    ),
    "an appeal of somebody elsewhere": (
        appeal(player=5),
        "session 1, table 1, appeal 1: Player 5 does not sit at this table.",
    ),
    "an appeal against a penalty that is not there": (
        appeal(penalty=1),
        "session 1, table 1, appeal 1: the field “penalty” is not between 1 and 0.",
    ),
    "a ruling without a word": (
        appeal(granted=False),
        "session 1, table 1, appeal 1: Say what is decided, and why.",
    ),
    "a ruling carried out by nothing": (
        appeal(hand=1, **GRANTED),
        "session 1, table 1, appeal 1: nothing on this sheet carries the ruling out.",
    ),
    "a hand corrected before it was recorded": (
        appeal(hand=2, after=1, was={"outcome": "draw"}, **GRANTED),
        "session 1, table 1, appeal 1: nothing on this sheet carries the ruling out.",
    ),
    "a hand corrected that cannot have been": (
        appeal(hand=1, was={"outcome": "win", "winner": 5, "points": 8}, **GRANTED),
        "session 1, table 1, hand 1: Player 5 does not sit at this table.",
    ),
    "an appeal after play has gone on": (
        lambda data: (data["tournament"].update(appeal_minutes=0), appeal(hand=1)(data)),
        "session 1, table 1, appeal 1: Play has gone on",
    ),
    "a signature of somebody elsewhere": (
        lambda data: first(data).update(signed=[1, 5]),
        "session 1, table 1, signature 2: Player 5 does not sit at this table.",
    ),
    "a signature under an empty sheet": (
        lambda data: first(data).update(unplayed=True, hands=[], signed=[1]),
        "session 1, table 1, signature 1: Nothing is recorded at table 1 yet.",
    ),
    "too much extra time": (
        lambda data: first(data).update(extra_minutes=90),
        "session 1, table 1: ",
    ),
    "a rule for a foul that is in no book": (
        lambda data: data["tournament"].update(
            fouls=[{"key": "sneezing", "rule": {"kind": "fixed", "sanction": {}}}]
        ),
        "tournament, foul 1: There is no foul “sneezing”.",
    ),
    "a rule of no kind": (
        lambda data: data["tournament"].update(fouls=[{"key": "late", "rule": {"kind": "by_mood"}}]),
        "tournament, foul 1: “rule” could not be read.",
    ),
    "an attendance that is none": (
        lambda data: data["tournament"].update(attendance={"stand_in": "everybody"}),
        "tournament: “attendance” could not be read.",
    ),
    "a time zone nobody knows": (
        lambda data: data["tournament"].update(time_zone="Europe/Atlantis"),
        "tournament: There is no time zone “Europe/Atlantis”.",
    ),
}


@pytest.mark.parametrize(("edit", "line"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys())
def test_what_cannot_have_been_stops_at_its_place_and_nothing_is_kept(edit: Edit, line: str) -> None:
    data = event()
    edit(data)
    said = refusal(json.dumps(data))
    assert said.startswith(line)
    assert "\n" not in said
    assert rows_kept() == 0
