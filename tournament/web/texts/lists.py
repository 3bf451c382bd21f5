"""A row of things in a template."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from scoring.texts import joined


def joined_by(items: Iterable[object], path: str = "") -> str:
    """The items, or what each has under a dotted path, as one text: `{{ seats|joined:"player.name" }}`."""
    return joined(map(attrgetter(path), items) if path else items)
