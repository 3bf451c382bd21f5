"""The stored seatings: `designs.json`, read once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def stored() -> Mapping[str, Any]:
    """``starters``, ``explicit`` and ``triples`` by size; see `designs` and `columns` for what they mean."""
    text = files(__package__).joinpath("designs.json").read_text(encoding="utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data
