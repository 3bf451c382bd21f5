"""What other programs write down is read back as it was dealt; a win's circumstances follow from what came before."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import Fan, Slip, find_fan
from scoring.games import Act, Deal, Event, RecordedScore, UnreadableGame, judge, read, replay_deal
from scoring.games.deal import FLOWER, FourWalls, OneWall, match_fans
from scoring.games.replay import Win
from tests.scoring.games.dealer import Dealer
from tests.scoring.games.writers import botzone, pku, salasasa, tziakcha
from tests.scoring.random_hands import random_record

SEEDS = st.integers(0, 10**6)
FOUR, ONE = FourWalls(21), OneWall(92)
FORMATS: dict[Callable[[Deal], str], FourWalls | OneWall] = {
    pku: FOUR,
    botzone: FOUR,
    tziakcha: ONE,
    salasasa: ONE,
}
every_format = pytest.mark.parametrize("write", FORMATS)

EAST = ("1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "1p", "1p", "1p", "N", "N")
"""Waits for 9m (and 3m, 6m): a Pure Straight with it."""
SOUTH = ("9m", "9m", "9m", "2p", "4p", "6p", "8p", "2s", "4s", "6s", "8s", "C", "F")
WEST = ("9m", "1s", "3s", "5s", "7s", "9s", "3p", "5p", "7p", "E", "S", "W", "P")
NORTH = ("2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "9s", "E", "S", "W", "P")


def random_deal(seed: int, wall: FourWalls | OneWall = FOUR, **circumstances: Any) -> Deal:
    random = Random(seed)
    return Dealer(random_record(random) | circumstances, random, wall).deal()


def with_a_flower(deal: Deal) -> Deal:
    """East's first tile was a flower: it laid it down and drew what it has now."""
    first, *rest = deal.events
    start = Event(Act.DRAW, 0, FLOWER), Event(Act.FLOWER, 0, FLOWER), first
    return replace(deal, events=(*start, *rest))


@every_format
@given(seed=SEEDS)
def test_a_deal_is_read_as_it_was_played(write: Callable[[Deal], str], seed: int) -> None:
    deal = random_deal(seed, FORMATS[write])
    (read_back,) = read(write(deal))
    assert (read_back.prevalent, read_back.wall) == (deal.prevalent, deal.wall)
    assert [Counter(hand) for hand in read_back.hands] == [Counter(hand) for hand in deal.hands]
    assert replay_deal(read_back) == replay_deal(deal)


@pytest.mark.parametrize("write", [tziakcha, salasasa])
@given(SEEDS)
def test_flowers_are_counted(write: Callable[[Deal], str], seed: int) -> None:
    deal = with_a_flower(random_deal(seed, ONE, seat_wind="E"))
    (read_back,) = read(write(deal))
    won = replay_deal(read_back)
    assert won is not None
    assert won.hand.flowers == 1


@given(SEEDS)
def test_a_hand_is_what_was_held_at_the_end(seed: int) -> None:
    random = Random(seed)
    record = random_record(random)
    won = replay_deal(Dealer(record, random, FOUR).deal())
    assert won is not None
    assert Counter(won.hand.concealed) == Counter(record["concealed"])
    assert (won.hand.winning_tile, won.hand.self_drawn) == (record["winning_tile"], record["self_drawn"])
    assert Counter(m.tiles for m in won.hand.melds) == Counter(tuple(m["tiles"]) for m in record["melds"])


def test_names_of_players_are_not_read() -> None:
    deals = [*read(tziakcha(random_deal(3, ONE))), *read(salasasa(random_deal(3, ONE)))]
    assert [word for word in ("nickname", "address") if word in repr(deals)] == []


def test_other_names_of_a_fan() -> None:
    names_by_key = {
        "closed_wait": ("嵌张", "坎張"),
        "single_wait": ("单钓", "单钓将"),
        "pure_shifted_chows": ("一色三连环", "一色三步高"),
    }
    for key, names in names_by_key.items():
        assert [match_fans({name: 2}).fans for name in names] == [{find_fan(key): 2}] * 2
    # A fan of other rules is unknown.
    deal = random_deal(3)
    assert deal.recorded is not None
    recorded = replace(deal.recorded, fans={**deal.recorded.fans, "天和": 1})
    assert judge(replace(deal, recorded=recorded)).unknown == ("天和",)


NO_RECORDS = [
    ("", "game_format"),
    ("{", "game_format"),
    ("[]", "game_format"),
    ("[" * 100_000, "game_format"),
    ("Match 1", "game_incomplete"),
    ("Match 1\nWind 4", "game_wind"),
    ("Match 1\nWind 0\nPlayer 0 Deal X1", "game_tile"),
    ("Match 1\nWind 0\nPlayer 7 Draw W1", "game_line"),
    ('{"script": "%%%"}', "game_script"),
    ('{"script": "e30="}', "game_script"),
    ('{"w": "00", "a": [], "d": 0}', "game_incomplete"),
    ('{"game_title": {"rule": "riichi"}, "game_round": {}}', "game_rule"),
    ('{"game_round": {"round_index_1": {}}}', "game_incomplete"),
    ('{"logs": [{"output": {"display": {"action": "DRAW", "player": 9}}}]}', "game_incomplete"),
]


def test_what_is_no_record_is_refused() -> None:
    for text, code in NO_RECORDS:
        with pytest.raises(UnreadableGame) as refused:
            read(text)
        assert refused.value.problem.code == code, text[:80]


@every_format
@given(seed=SEEDS, at=st.integers(0, 4000), other=st.sampled_from('0W9T"[}x \n'))
def test_a_damaged_record_is_refused_or_read_and_never_crashes(
    write: Callable[[Deal], str], seed: int, at: int, other: str
) -> None:
    text = write(random_deal(seed, FORMATS[write]))
    at %= len(text)
    with suppress(UnreadableGame):
        for deal in read(text[:at] + other + text[at + 1 :]):
            judge(deal)


def deal(*events: Event, wall: FourWalls | OneWall | None = None, **more: object) -> Deal:
    hands = (EAST, SOUTH, WEST, NORTH)
    return Deal("one", "E", hands, wall or FourWalls(21), events, **more)  # type: ignore[arg-type]


def win(*events: Event, wall: FourWalls | OneWall | None = None) -> Win:
    won = replay_deal(deal(*events, wall=wall))
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
    discards = (discard(1, "9m"), draw(2, "2m"), discard(2, "9m"))
    assert not win(*THROWN, draw(1, "C"), *discards, WIN).hand.last_of_kind
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
            replay_deal(deal(*events))
    assert replay_deal(deal(*THROWN)) is None


def test_what_was_recorded_is_held_against_the_score() -> None:
    events = (*NINE_THROWN, WIN)
    right = judge(
        deal(*events, recorded=RecordedScore({"清龙": 1, "门前清": 1, "缺一门": 1, "幺九刻": 1}, 20))
    )
    wrong = judge(deal(*events, recorded=RecordedScore({"清龙": 1, "连六": 1}, 17)))
    paid = judge(deal(*events, recorded=RecordedScore({}, None, (0, 0, 0, 0))))
    assert not wrong.agrees
    assert (Slip.NOT_COUNTED, Fan.SHORT_STRAIGHT) in [(line.slip, line.fan) for line in wrong.differences]
    assert paid.payments_differ
    assert right.explanation is not None
