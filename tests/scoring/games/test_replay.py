"""The circumstances of a win follow from what happened before it."""

from __future__ import annotations

import pytest

from scoring.engine import Fan, Slip
from scoring.games import Act, Deal, Event, Recorded, UnreadableGame, judge, play_over
from scoring.games.deal import FourWalls, OneWall
from scoring.games.replay import Won

EAST = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "1p", "1p", "1p", "N", "N")
"""Waits for 9m (and 3m, 6m): a Pure Straight with it."""
SOUTH = ("9m", "9m", "9m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "C", "F")
WEST = ("9m", "1s", "3s", "5s", "7s", "9s", "3p", "5p", "7p", "E", "S", "W", "P")
NORTH = ("2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "9s", "E", "S", "W", "P")


def deal(*events: Event, wall: FourWalls | OneWall | None = None, **more: object) -> Deal:
    hands = (EAST, SOUTH, WEST, NORTH)
    return Deal("one", "E", hands, wall or FourWalls(21), events, **more)  # type: ignore[arg-type]


def win(*events: Event, wall: FourWalls | OneWall | None = None) -> Won:
    won = play_over(deal(*events, wall=wall))
    assert won is not None
    return won


def draw(seat: int, tile: str) -> Event:
    return Event(Act.DRAW, seat, tile)


def discard(seat: int, tile: str) -> Event:
    return Event(Act.DISCARD, seat, tile)


WIN = Event(Act.WIN, 0)
THROWN = (draw(0, "F"), discard(0, "F"))
NINE_THROWN = (*THROWN, draw(1, "C"), discard(1, "9m"))


def test_a_discard_is_won_from_whom_it_came() -> None:
    won = win(*NINE_THROWN, WIN)
    assert (won.winner, won.discarder) == (0, 1)
    assert (won.hand.self_drawn, won.hand.seat_wind, won.hand.prevalent_wind) == (False, "E", "E")


def test_the_last_of_its_kind_when_the_other_three_were_seen_by_all() -> None:
    seen = (discard(1, "9m"), draw(2, "2m"), discard(2, "9m"))
    assert not win(*THROWN, draw(1, "C"), *seen, WIN).hand.last_of_kind
    pung = (draw(1, "C"), discard(1, "C"), draw(2, "2m"), discard(2, "9m"), Event(Act.PUNG, 1, "9m"))
    won = win(*THROWN, *pung, discard(1, "9m"), WIN)
    assert won.hand.last_of_kind


def test_a_concealed_kong_is_seen_by_nobody_and_gives_a_replacement() -> None:
    kong = (draw(0, "1p"), Event(Act.CONCEALED_KONG, 0, "1p"))
    assert win(*kong, draw(0, "9m"), WIN).hand.replacement
    flower = (draw(0, "flower"), Event(Act.FLOWER, 0, "flower"))
    after_a_flower = win(*kong, *flower, draw(0, "9m"), WIN).hand
    assert (after_a_flower.replacement, after_a_flower.flowers) == (False, 1)


def test_a_kong_is_robbed_where_a_pung_lies() -> None:
    pung = (*THROWN, draw(1, "C"), discard(1, "C"), draw(2, "2m"), discard(2, "9m"), Event(Act.PUNG, 1, "9m"))
    events = (*pung, discard(1, "2p"), draw(2, "3m"), discard(2, "3m"), draw(3, "1s"), discard(3, "1s"))
    again = (draw(0, "P"), discard(0, "P"), draw(1, "8m"), Event(Act.ADDED_KONG, 1, "9m"))
    won = win(*events, *again, WIN)
    assert (won.hand.robbing_kong, won.hand.last_of_kind, won.discarder) == (True, True, 1)


def test_the_last_tile_of_the_wall() -> None:
    """Of one wall when it is used up; of four, when who comes next has none."""
    walls: dict[OneWall | FourWalls, bool] = {
        OneWall(2): True,
        OneWall(3): False,
        FourWalls(1): False,
        FourWalls(0): True,
    }
    assert {wall: win(*NINE_THROWN, WIN, wall=wall).hand.last_tile_of_wall for wall in walls} == walls


IMPOSSIBLE: list[tuple[Event, ...]] = [
    (draw(0, "F"), discard(0, "5s")),
    (Event(Act.PUNG, 1, "9m"),),
    (*THROWN, Event(Act.CHOW, 1, "F", ("1m", "2m", "3m"))),
    (Event(Act.ADDED_KONG, 0, "1p"),),
    (Event(Act.CONCEALED_KONG, 0, "1p"),),
    (WIN,),
]


def test_what_cannot_have_happened_is_refused() -> None:
    """A draw is won by nobody."""
    for events in IMPOSSIBLE:
        with pytest.raises(UnreadableGame):
            play_over(deal(*events))
    assert play_over(deal(*THROWN)) is None


def test_what_was_recorded_is_held_against_the_score() -> None:
    events = (*NINE_THROWN, WIN)
    right = judge(deal(*events, recorded=Recorded({"清龙": 1, "门前清": 1, "缺一门": 1, "幺九刻": 1}, 20)))
    wrong = judge(deal(*events, recorded=Recorded({"清龙": 1, "连六": 1}, 17)))
    paid = judge(deal(*events, recorded=Recorded({}, None, (0, 0, 0, 0))))
    assert not wrong.agrees
    assert (Slip.NOT_COUNTED, Fan.SHORT_STRAIGHT) in [(line.slip, line.fan) for line in wrong.differences]
    assert paid.payments_differ
    assert right.explanation is not None
