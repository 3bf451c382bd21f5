"""The questions that never end: a hand from a seed, what is asked of it, and the answer, which is the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from scoring.engine import MCR, TILES, Explanation, Fan, Hand, Wait
from scoring.engine.explain import explain
from scoring.engine.waits import waits
from scoring.quiz.deals import dealt
from scoring.quiz.dice import Dice
from scoring.quiz.levels import Level, suits, suits_waits


class Kind(Enum):
    """What is asked."""

    WORTH = "worth"
    """What is it worth?"""
    FANS = "fans"
    """Which fans does it count?"""
    WAITS = "waits"
    """Which tiles complete it, and which of them reach the minimum?"""


@dataclass(frozen=True, slots=True)
class HandQuestion:
    """A whole hand as it was won, under MCR."""

    kind: Kind
    level: Level
    seed: str
    found: Explanation

    @property
    def hand(self) -> Hand:
        return self.found.score.hand

    @property
    def worth(self) -> int:
        """In points; flowers count only where the hand may be declared (MCR 39)."""
        return self.found.score.counted_points

    @property
    def fans(self) -> frozenset[Fan]:
        """What counts, flowers apart: of those there is nothing to find."""
        return frozenset(line.fan for line in self.found.score.fans) - {Fan.FLOWER_TILES}

    @property
    def offered(self) -> tuple[Fan, ...]:
        """Fans to choose among, in the order of the rule book: those that count, those that look as if they did, and
        others.
        """
        dice = Dice(f"offered {self.level.value} {self.seed}")
        looking = {rejection.fan for rejection in self.found.rejections} & set(MCR.points) - {
            Fan.FLOWER_TILES
        }
        shown = self.fans | set(dice.some(self.level.fans_offered - len(self.fans), _in_order(looking)))
        others = [fan for fan in OFTEN if fan not in shown and fan not in looking]
        shown |= set(dice.some(self.level.fans_offered - len(shown), others))
        return tuple(_in_order(shown))


@dataclass(frozen=True, slots=True)
class WaitsQuestion:
    """Thirteen tiles that wait, and how the fourteenth is to come, under MCR."""

    level: Level
    seed: str
    record: Mapping[str, Any]
    """The hand as JSON, without its winning tile."""
    self_drawn: bool
    found: tuple[Wait, ...]

    kind = Kind.WAITS

    @property
    def completing(self) -> frozenset[str]:
        return frozenset(wait.tile for wait in self.found)

    @property
    def reaching(self) -> frozenset[str]:
        """Those that may be declared, come as the question says."""
        return frozenset(wait.tile for wait in self.found if reaches(wait, self.self_drawn))

    @property
    def offered(self) -> tuple[str, ...]:
        """Tiles to choose among, in their order: those that complete it, those near the hand's own, and others."""
        many, dice = self.level.tiles_offered, Dice(f"offered {self.level.value} {self.seed}")
        near = {tile for held in self.record["concealed"] for tile in _near(held)} - self.completing
        shown = self.completing | set(dice.some(many - len(self.completing), sorted(near)))
        others = [tile for tile in TILES if tile not in shown]
        shown |= set(dice.some(max(0, many - len(shown)), others))
        return tuple(tile for tile in TILES if tile in shown)


Question = HandQuestion | WaitsQuestion

OFTEN: Final = tuple(fan for fan in MCR.points if fan.points <= 24 and fan is not Fan.FLOWER_TILES)
"""Fans that fill up the choice."""


def reaches(wait: Wait, self_drawn: bool) -> bool:
    return (wait.self_drawn if self_drawn else wait.by_discard).meets_minimum


@lru_cache(maxsize=256)
def question(kind: Kind, level: Level, seed: str) -> Question:
    """The one puzzle of this kind, level and seed."""
    dice = Dice(f"{kind.value} {level.value} {seed}")
    return _waits(level, seed, dice) if kind is Kind.WAITS else _hand(kind, level, seed, dice)


def _hand(kind: Kind, level: Level, seed: str, dice: Dice) -> HandQuestion:
    while True:
        found = explain(dealt(dice, level.shapes, rare=level is Level.HARD))
        if suits(level, found):
            return HandQuestion(kind, level, seed, found)


def _waits(level: Level, seed: str, dice: Dice) -> WaitsQuestion:
    while True:
        hand = dealt(dice, level.shapes)
        record = waiting(hand)
        found = waits(record)
        if suits_waits(level, [reaches(wait, hand.self_drawn) for wait in found]):
            return WaitsQuestion(level, seed, record, hand.self_drawn, found)


def waiting(hand: Hand) -> dict[str, Any]:
    """The record of a hand before its winning tile came."""
    rest = list(hand.concealed)
    rest.remove(hand.winning_tile)
    concealed = sorted(rest, key=TILES.index)
    melds = [meld.to_json() for meld in hand.melds]
    winds = {"seat_wind": hand.seat_wind, "prevalent_wind": hand.prevalent_wind}
    return {"concealed": concealed, "melds": melds} | winds


def _in_order(some: frozenset[Fan] | set[Fan]) -> list[Fan]:
    return sorted(some, key=lambda fan: fan.number)


def _near(tile: str) -> list[str]:
    """A tile and its neighbours of the suit, one and two steps away."""
    if len(tile) == 1:
        return [tile]
    number, suit = int(tile[0]), tile[1]
    return [f"{one}{suit}" for one in range(max(1, number - 2), min(9, number + 2) + 1)]
