"""Hands for hypothesis: a seed a hand, so that a failing one is a number to write down."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.engine import Hand, InvalidHand
from tests.scoring.random_hands import random_record

Record = dict[str, Any]


def records() -> st.SearchStrategy[Record]:
    """JSON records of winning hands of every shape."""
    return st.integers(0, 2**32).map(lambda seed: random_record(Random(seed)))


def hands() -> st.SearchStrategy[Hand]:
    """Winning hands of every shape."""
    return records().map(Hand.from_json)


def is_possible(record: Record) -> bool:
    """Whether the engine makes a hand of a record."""
    try:
        Hand.from_json(record)
    except InvalidHand:
        return False
    return True
