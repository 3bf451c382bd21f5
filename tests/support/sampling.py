"""Draw a few cases of a large matrix: other ones each run, the same ones in every process of a run.

`bin/test --exhaustive` takes every case. The seed is printed at the end of a run; `TEST_SEED=… bin/test` draws the same
cases again.
"""

import os
import random
from collections.abc import Iterable
from typing import Final, TypeVar

from hypothesis import settings

Case = TypeVar("Case")

# The processes of pytest-xdist inherit the environment, and with it the seed.
SEED: Final = os.environ.setdefault("TEST_SEED", str(random.SystemRandom().randrange(10**6)))
EXHAUSTIVE: Final = os.environ.get("TEST_EXHAUSTIVE") == "1"


def sample(cases: Iterable[Case], size: int, *, always: Iterable[Case] = (), key: str = "") -> list[Case]:
    """Return `always` and `size` of the other cases, in the order of `cases`; all of them where exhaustive.

    Give each a `key` where several samples of the same matrix should differ.
    """
    every, required = list(cases), list(always)
    others = [case for case in every if case not in required]
    if EXHAUSTIVE or size >= len(others):
        return every
    drawn = random.Random(f"{SEED} {key} {size} of {len(others)}").sample(range(len(others)), size)
    chosen = [others[index] for index in drawn]
    return [case for case in every if case in required or case in chosen]


def examples(most: int) -> settings:
    """So many examples in `.ci/run`, half as many in `bin/test`: by the profile, whose own number is 50 in CI."""
    return settings(max_examples=max(1, most * settings().max_examples // 50))
