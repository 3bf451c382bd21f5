"""Lists of numbers as people write them: "1-5, 8"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby


def numbers_in(text: str) -> list[int]:
    """The numbers named, in order, each once; a range may be written with any dash.

    Raises ValueError with the part that is none.
    """
    numbers: set[int] = set()
    for part in filter(None, (part.strip() for part in re.split(r"[,;、，]", text))):
        written = re.fullmatch(r"(\d{1,4})(?:\s*[-–—]\s*(\d{1,4}))?", part, re.ASCII)
        if written is None:
            raise ValueError(part)
        first, last = sorted((int(written[1]), int(written[2] or written[1])))
        numbers.update(range(first, last + 1))
    return sorted(numbers)


def numbers_text(numbers: Iterable[int]) -> str:
    """The same the other way: [1, 2, 3, 8] is "1-3, 8"."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(sorted(numbers)), key=lambda at: at[1] - at[0])
    ]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
