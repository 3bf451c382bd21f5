"""Sample the cases of a large matrix: others each run, the same in every process of a run.

`bin/test --exhaustive` takes all cases. The seed is printed at the end of a run; `TEST_SEED=… bin/test` repeats it.
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
    """Return `always` and `size` of the other cases, in the order of `cases`; all cases with --exhaustive.

    `key`: makes several samples of the same matrix differ.
    """
    matrix, required = list(cases), list(always)
    others = [case for case in matrix if case not in required]
    if EXHAUSTIVE or size >= len(others):
        return matrix
    indices = random.Random(f"{SEED} {key} {size} of {len(others)}").sample(range(len(others)), size)
    sampled = [others[index] for index in indices]
    return [case for case in matrix if case in required or case in sampled]


def examples(maximum: int) -> settings:
    """Return settings with half as many examples, and with all of them in `.ci/run --exhaustive`."""
    return settings(max_examples=max(1, maximum * settings().max_examples // 50))
