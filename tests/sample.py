"""Cases of a test that repeats itself over all there is: some of them always, the others with the thorough tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some(cases: Iterable[Any], *sample: Any) -> list[Any]:
    """All `cases` for parametrize; those that are not in `sample` are thorough."""
    return [case if case in sample else pytest.param(case, marks=pytest.mark.thorough) for case in cases]
