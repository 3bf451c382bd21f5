"""The points an umpire may choose from: the figures of a scale, or any whole number from one to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Amounts: TypeAlias = tuple[int, ...] | range
"""A range stands for every whole number in it; both are ordered and say what they hold by ``in``."""


def amounts(least: int, most: int) -> range:
    """Any whole number from ``least`` to ``most``, both among them."""
    if not 0 < least < most:
        raise ValueError(f"no range of points: {least} to {most}")
    return range(least, most + 1)


def amounts_text(choice: Amounts) -> str:
    """ "5, 10, 20", or "5–60": as it is typed, the same in every language."""
    if isinstance(choice, range):
        return f"{min(choice)}–{max(choice)}"
    return ", ".join(str(amount) for amount in choice)


def amounts_to_json(choice: Amounts) -> Any:
    """A list, or ``{"least", "most"}``."""
    if isinstance(choice, range):
        return {"least": min(choice), "most": max(choice)}
    return list(choice)


def amounts_from_json(data: Any) -> Amounts:
    """What ``amounts_to_json`` wrote; KeyError, TypeError or ValueError for anything else."""
    if isinstance(data, Sequence):
        return tuple(int(amount) for amount in data)
    return amounts(int(data["least"]), int(data["most"]))
