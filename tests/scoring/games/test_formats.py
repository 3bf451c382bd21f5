"""What other programs write down is read back as it was dealt, in each of their formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.engine import find_fan
from scoring.games import Act, Deal, Event, UnreadableGame, judge, play_over, read
from scoring.games.deal import FLOWER, FourWalls, OneWall, named
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
every_format = pytest.mark.parametrize("written", FORMATS)


def dealt(seed: int, wall: FourWalls | OneWall = FOUR, **circumstances: Any) -> Deal:
    random = Random(seed)
    return Dealer(random_record(random) | circumstances, random, wall).deal()


def with_a_flower(deal: Deal) -> Deal:
    """East's first tile was a flower: it laid it down and drew what it has now."""
    first, *rest = deal.events
    start = Event(Act.DRAW, 0, FLOWER), Event(Act.FLOWER, 0, FLOWER), first
    return replace(deal, events=(*start, *rest))


@every_format
@given(seed=SEEDS)
def test_a_deal_is_read_as_it_was_played(written: Callable[[Deal], str], seed: int) -> None:
    deal = dealt(seed, FORMATS[written])
    (read_back,) = read(written(deal))
    assert (read_back.prevalent, read_back.wall) == (deal.prevalent, deal.wall)
    assert [Counter(hand) for hand in read_back.hands] == [Counter(hand) for hand in deal.hands]
    assert play_over(read_back) == play_over(deal)


@pytest.mark.parametrize("written", [tziakcha, salasasa])
@given(SEEDS)
def test_flowers_are_counted(written: Callable[[Deal], str], seed: int) -> None:
    deal = with_a_flower(dealt(seed, ONE, seat_wind="E"))
    (read_back,) = read(written(deal))
    won = play_over(read_back)
    assert won is not None
    assert won.hand.flowers == 1


@given(SEEDS)
def test_a_hand_is_what_was_held_at_the_end(seed: int) -> None:
    random = Random(seed)
    record = random_record(random)
    won = play_over(Dealer(record, random, FOUR).deal())
    assert won is not None
    assert Counter(won.hand.concealed) == Counter(record["concealed"])
    assert (won.hand.winning_tile, won.hand.self_drawn) == (record["winning_tile"], record["self_drawn"])
    assert Counter(m.tiles for m in won.hand.melds) == Counter(tuple(m["tiles"]) for m in record["melds"])


def test_names_of_players_are_not_read() -> None:
    deals = [*read(tziakcha(dealt(3, ONE))), *read(salasasa(dealt(3, ONE)))]
    assert [word for word in ("nickname", "address") if word in repr(deals)] == []


def test_other_names_of_a_fan() -> None:
    others = {
        "closed_wait": ("嵌张", "坎張"),
        "single_wait": ("单钓", "单钓将"),
        "pure_shifted_chows": ("一色三连环", "一色三步高"),
    }
    for key, names in others.items():
        assert [named({name: 2}).fans for name in names] == [{find_fan(key): 2}] * 2
    # A fan of other rules is unknown.
    deal = dealt(3)
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
    written: Callable[[Deal], str], seed: int, at: int, other: str
) -> None:
    text = written(dealt(seed, FORMATS[written]))
    at %= len(text)
    with suppress(UnreadableGame):
        for deal in read(text[:at] + other + text[at + 1 :]):
            judge(deal)
